import { screen, within } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { err, ok, type Result } from '../../../../shared/errors.ts';
import { renderInApp, testNowMs } from '../../testing/render.ts';
import { emptyWorld, fullWorld } from '../../testing/sample-world.ts';
import AddressAlerts from './AddressAlerts.svelte';
import AlertsSection from './AlertsSection.svelte';
import { minuteOf, minuteText } from './alert-form.ts';

describe('AlertsSection', () => {
  it('keeps rules, thresholds and quiet hours, each with its limits', async () => {
    const { bridge, user } = await renderInApp(AlertsSection, {});
    const last = () => bridge.argsOf('settings.update').at(-1)?.alerts;
    await user.click(
      within(screen.getByRole('radiogroup', { name: 'Peers' })).getByRole('radio', { name: 'Urgent' }),
    );
    expect(last()?.rules.peers).toBe('wake');
    await user.click(screen.getByRole('checkbox', { name: 'Mon' }));
    expect(last()?.quiet.days).toEqual([1]);
    const hours = within(screen.getByRole('form', { name: 'Quiet hours' }));
    expect(hours.getByRole('button', { name: 'Save quiet hours' })).toHaveProperty('disabled', true);
    const from = hours.getByLabelText('From');
    await user.clear(from);
    await user.type(from, '23:30');
    await user.click(hours.getByRole('button', { name: 'Save quiet hours' }));
    expect(last()).toMatchObject({ quiet: { days: [1], fromMinute: 1_410 } });
  });

  it('keeps thresholds of all nodes, of one node, and takes those back', async () => {
    const world = fullWorld(testNowMs);
    const [, node] = world.snapshot.nodes;
    const { id: nodeId = '', name = '' } = node?.node ?? {};
    const { app, bridge, user } = await renderInApp(AlertsSection, {}, { world });
    const form = within(screen.getByRole('form', { name: 'Thresholds' }));
    const save = form.getByRole('button', { name: 'Save thresholds' });
    const after = form.getByLabelText<HTMLInputElement>('Alert after');
    const type = async (text: string) => {
      await user.clear(after);
      await user.type(after, text);
    };
    await type('0');
    expect(form.getByText('Enter a whole number from 1 to 20.')).toBeTruthy();
    await type('5');
    await user.click(save);
    expect(app.settings.alerts).toMatchObject({ failAfter: 5, ofNodes: [] });
    await user.selectOptions(form.getByLabelText('Thresholds for'), name);
    await type('9');
    await user.click(save);
    const own = { nodeId, failAfter: 9, recoverAfter: 2, silentSeconds: 90 };
    expect(app.settings.alerts).toMatchObject({ failAfter: 5, ofNodes: [own] });
    expect(bridge.argsOf('alerts.tryPast').at(-1)).toEqual(own);
    await user.click(form.getByRole('button', { name: 'Use the default' }));
    expect(app.settings.alerts.ofNodes).toEqual([]);
    expect(after.value).toBe('5');
  });

  it('keeps what is typed for one node while another one is looked at', async () => {
    const world = fullWorld(testNowMs);
    const name = world.snapshot.nodes[1]?.node.name ?? '';
    const { user } = await renderInApp(AlertsSection, {}, { world });
    const form = within(screen.getByRole('form', { name: 'Thresholds' }));
    const after = form.getByLabelText<HTMLInputElement>('Alert after');
    const nodes = form.getByLabelText('Thresholds for');
    await user.selectOptions(nodes, name);
    await user.clear(after);
    await user.type(after, '9');
    await user.selectOptions(nodes, '');
    expect(after.value).toBe('3');
    await user.selectOptions(nodes, name);
    expect(after.value).toBe('9');
    await user.click(form.getByRole('button', { name: 'Discard changes' }));
    expect(after.value).toBe('3');
  });

  it('tells nodes of one name apart', async () => {
    const world = fullWorld(testNowMs);
    for (const { node } of world.snapshot.nodes.slice(0, 2)) node.name = 'validator';
    const [first, second] = world.snapshot.nodes.map(({ node }) => new URL(node.url).host);
    await renderInApp(AlertsSection, {}, { world });
    for (const host of [first, second])
      expect(screen.getByRole('option', { name: `validator · ${host}` })).toBeTruthy();
  });

  it('hands the address of a webhook over, holds it nowhere afterwards, and tests it', async () => {
    const world = emptyWorld(testNowMs);
    const { settings } = world.snapshot;
    const webhook = { shape: 'ntfy', origin: 'https://ntfy.example' } as const;
    world.snapshot.settings = { ...settings, alerts: { ...settings.alerts, webhook } };
    const { bridge, user } = await renderInApp(AlertsSection, {}, { world });
    const form = within(screen.getByRole('form', { name: 'Webhook' }));
    expect(form.getByText(/A URL at https:\/\/ntfy\.example is saved\.$/)).toBeTruthy();
    await user.click(form.getByRole('radio', { name: 'Slack' }));
    await user.type(form.getByLabelText('URL'), 'https://hooks.example/secret');
    await user.click(form.getByRole('button', { name: 'Save webhook' }));
    expect(bridge.argsOf('alerts.setWebhook')).toEqual([
      { url: 'https://hooks.example/secret', shape: 'slack' },
    ]);
    expect(form.getByLabelText<HTMLInputElement>('URL').value).toBe('');
    await user.click(form.getByRole('button', { name: 'Test webhook' }));
    expect(bridge.argsOf('alerts.test')).toEqual([{ channel: 'webhook' }]);
    await user.click(form.getByRole('button', { name: 'Remove webhook' }));
    const asked = within(screen.getByRole('dialog', { name: 'Remove the webhook?' }));
    expect(asked.getByText(/keeps no other copy of the URL/)).toBeTruthy();
    await user.click(asked.getByRole('button', { name: 'Cancel' }));
    expect(bridge.argsOf('alerts.setWebhook')).toHaveLength(1);
  });

  it('changes the format of a webhook without its address, which nobody can read again', async () => {
    const world = emptyWorld(testNowMs);
    const { settings } = world.snapshot;
    const webhook = { shape: 'json', origin: 'https://hooks.example' } as const;
    world.snapshot.settings = { ...settings, alerts: { ...settings.alerts, webhook } };
    const { app, user } = await renderInApp(AlertsSection, {}, { world });
    await user.click(screen.getByRole('radio', { name: 'Slack' }));
    expect(app.settings.alerts.webhook).toEqual({ ...webhook, shape: 'slack' });
  });

  it('hands the address of a heartbeat over, tests and removes it', async () => {
    const world = emptyWorld(testNowMs);
    const { settings } = world.snapshot;
    world.snapshot.settings = {
      ...settings,
      alerts: { ...settings.alerts, heartbeat: 'https://hc.example' },
    };
    const { bridge, messages, user } = await renderInApp(AlertsSection, {}, { world });
    const form = within(screen.getByRole('form', { name: 'Heartbeat' }));
    expect(form.getByText(/A URL at https:\/\/hc\.example is saved\.$/)).toBeTruthy();
    await user.type(form.getByLabelText('URL'), 'https://hc.example/secret');
    await user.click(form.getByRole('button', { name: 'Save heartbeat' }));
    expect(messages.list).toMatchObject([{ text: 'Saved.' }]);
    await user.click(form.getByRole('button', { name: 'Remove heartbeat' }));
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Remove' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(bridge.argsOf('alerts.setHeartbeat')).toEqual([{ url: 'https://hc.example/secret' }, { url: '' }]);
    bridge.answer('alerts.test', () => err({ code: 'unreachable', message: 'It was not reached.' }));
    await user.click(form.getByRole('button', { name: 'Test heartbeat' }));
    expect(bridge.argsOf('alerts.test')).toEqual([{ channel: 'heartbeat' }]);
    expect(await form.findByText('It was not reached.')).toBeTruthy();
  });

  it('draws of thousands of addresses the first ones, and more when they are asked for', async () => {
    const world = fullWorld(testNowMs);
    const [first] = world.snapshot.watchlist;
    if (first === undefined) throw new Error('there are watched addresses');
    const watchlist = Array.from({ length: 1_000 }, (_, index) => ({
      ...{ ...first, chains: [] },
      address: `0x${String(index).padStart(40, '0')}`,
    }));
    const { user } = await renderInApp(
      AddressAlerts,
      {},
      {
        world: { ...world, snapshot: { ...world.snapshot, watchlist } },
      },
    );
    const drawn = () => screen.getAllByRole('group', { name: /^Alerts for/ }).length;
    expect(drawn()).toBe(50);
    await user.click(screen.getByRole('button', { name: 'Show more addresses' }));
    expect(drawn()).toBe(200);
  });

  it('keeps what is to be told of an address, each kind from when it was chosen', async () => {
    const world = fullWorld(testNowMs);
    const [entry] = world.snapshot.watchlist;
    const { address = '', label } = entry ?? {};
    const { bridge, user, setNow } = await renderInApp(AlertsSection, {}, { world });
    const group = within(screen.getByRole('group', { name: `Alerts for ${label}` }));
    const toggle = (name: string) => user.click(group.getByRole('checkbox', { name }));
    const last = () => bridge.argsOf('settings.update').at(-1)?.alerts?.addresses;
    await toggle('Received');
    setNow(testNowMs + 5_000);
    await toggle('Failed');
    const received = { address, sinceMs: testNowMs, about: ['received'] };
    const failed = { address, sinceMs: testNowMs + 5_000, about: ['failed'] };
    expect(last()).toEqual([received, failed]);
    await toggle('Received');
    expect(last()).toEqual([failed]);
    await toggle('Failed');
    expect(last()).toEqual([]);
  });

  it('says what the thresholds would have told of the last 30 days, also before they are kept', async () => {
    const { bridge, navigation, user } = await renderInApp(
      AlertsSection,
      {},
      {
        world: fullWorld(testNowMs),
        prepare: (fake) =>
          fake.answer('alerts.tryPast', ({ failAfter }) => {
            const told = {
              title: `Told after ${failAfter}`,
              atMs: testNowMs,
              incident: { nodeId: 'n2', id: 'i2' },
            };
            return ok({ count: 4, newest: [told] });
          }),
      },
    );
    expect((await screen.findByRole('region', { name: 'The last 30 days' })).textContent).toContain(
      'would have alerted you 4 times in the last 30 days. The newest alerts:',
    );
    await user.clear(screen.getByLabelText('Alert after'));
    await user.type(screen.getByLabelText('Alert after'), '7');
    await user.click(await screen.findByRole('button', { name: 'Told after 7' }));
    expect(bridge.argsOf('incidents.find')).toEqual([{ nodeId: 'n2', id: 'i2' }]);
    await expect.poll(() => navigation.view).toBe('nodes');
  });

  it('switches the figures for Prometheus on and off, with a token that it holds nowhere', async () => {
    const { app, bridge, user } = await renderInApp(AlertsSection, {});
    const form = within(screen.getByRole('form', { name: 'Prometheus metrics' }));
    await user.clear(form.getByLabelText('Port'));
    await user.type(form.getByLabelText('Port'), '80');
    expect(form.getByRole('button', { name: 'Switch on' })).toHaveProperty('disabled', true);
    await user.type(form.getByLabelText('Port'), '80');
    await user.type(form.getByLabelText(/^Token/), 'secret');
    await user.click(form.getByRole('button', { name: 'Switch on' }));
    expect(form.getByLabelText<HTMLInputElement>(/^Token/).value).toBe('');
    const { alerts } = app.settings;
    bridge.emit('settings.changed', {
      ...app.settings,
      alerts: { ...alerts, metrics: { port: 8_080, hasToken: true } },
    });
    const off = await form.findByRole('button', { name: 'Switch off' });
    expect(form.getByText(/, token required. Switching this off deletes the token/)).toBeTruthy();
    // What is typed for later, and may be no token, is not part of it.
    await user.type(form.getByLabelText(/^Token/), 'no token');
    await user.click(off);
    expect(bridge.argsOf('alerts.setMetrics')).toEqual([
      { port: 8_080, token: 'secret' },
      { port: null, token: null },
    ]);
  });

  it.each([
    ['Webhook', 'URL', 'Save webhook'],
    ['Prometheus metrics', /^Token/, 'Switch on'],
  ])('%s: leaves what is typed while another is being stored', async (title, label, action) => {
    const held = Promise.withResolvers<Result<null>>();
    const { user } = await renderInApp(
      AlertsSection,
      {},
      {
        prepare: (fake) => {
          fake.answer('alerts.setWebhook', () => held.promise);
          fake.answer('alerts.setMetrics', () => held.promise);
        },
      },
    );
    const form = within(screen.getByRole('form', { name: title }));
    const button = form.getByRole('button', { name: action });
    await user.type(form.getByLabelText(label), 'one');
    await user.click(button);
    await user.type(form.getByLabelText(label), ' two');
    held.resolve(ok(null));
    await expect.poll(() => button.getAttribute('aria-busy')).toBe('false');
    expect(form.getByLabelText<HTMLInputElement>(label).value).toBe('one two');
  });

  it('sends a test and says why it was not accepted', async () => {
    const { bridge, user } = await renderInApp(AlertsSection, {});
    await user.click(screen.getByRole('button', { name: 'Send a test' }));
    expect(bridge.argsOf('alerts.test')).toHaveLength(1);
    bridge.answer('alerts.test', () => err({ code: 'unreachable', message: 'No notification server.' }));
    await user.click(screen.getByRole('button', { name: 'Send a test' }));
    expect(await screen.findByText('No notification server.')).toBeTruthy();
  });

  it.each([
    ['22:00', 1_320],
    ['7:05', 425],
    ['24:00', null],
    ['7', null],
  ])('reads %s as a time of day', (text, minute) => {
    expect(minuteOf(text)).toBe(minute);
    if (minute !== null) expect(minuteOf(minuteText(minute))).toBe(minute);
  });
});
