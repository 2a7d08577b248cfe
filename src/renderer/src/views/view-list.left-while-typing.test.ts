import { fireEvent, screen, within } from '@testing-library/svelte';
import type { UserEvent } from '@testing-library/user-event';
import { tick } from 'svelte';
import { describe, expect, it } from 'vitest';
import Shell from '../features/shell/Shell.svelte';
import { err, ok } from '../../../shared/errors.ts';
import { sampleIncidents } from '../testing/sample-past.ts';
import { renderInApp, testNowMs } from '../testing/render.ts';
import { fullWorld } from '../testing/sample-world.ts';
import type { ViewId } from '../state/navigation.svelte.ts';
import { viewList } from './view-list.ts';

/** Whether the window would ask before it closes. */
async function asks(): Promise<boolean> {
  return !(await fireEvent(window, new Event('beforeunload', { cancelable: true })));
}

interface Form {
  view: ViewId;
  /** Until its field is there. */
  open?: (user: UserEvent) => Promise<void>;
  /** Opening the form changes something already. */
  isDraft?: true;
  /** Its accessible name, where others have fields of the same name. */
  form?: string;
  label: string;
  text: string;
}

const click = (user: UserEvent, role: string, name: string | RegExp) =>
  user.click(screen.getByRole(role, { name }));

const forms: readonly (readonly [string, Form])[] = [
  ['node history', { view: 'settings', label: 'Days to keep', text: '30' }],
  ['quiet hours', { view: 'settings', form: 'Quiet hours', label: 'From', text: '2:00' }],
  ['thresholds of all nodes', { view: 'settings', form: 'Thresholds', label: 'Alert after', text: '9' }],
  [
    'thresholds of one node',
    {
      view: 'settings',
      open: async (user) => {
        const nodes = screen.getByLabelText<HTMLSelectElement>('Thresholds for');
        if (nodes.value === '') await user.selectOptions(nodes, nodes.options[1]?.value ?? '');
      },
      form: 'Thresholds',
      label: 'Unreachable after',
      text: '77',
    },
  ],
  ['figures', { view: 'settings', label: 'Port', text: '9999' }],
  [
    'a service',
    {
      view: 'settings',
      open: (user) => click(user, 'radio', /Custom/),
      isDraft: true,
      label: 'Chain data URL',
      text: 'https://chain.example',
    },
  ],
  [
    'a proxy',
    {
      view: 'settings',
      open: (user) =>
        user.click(
          within(screen.getByRole('radiogroup', { name: 'Proxy' })).getByRole('radio', { name: 'Manual' }),
        ),
      label: 'Proxy address',
      text: 'proxy.example:3128',
    },
  ],
  [
    'work on a node',
    {
      view: 'nodes',
      open: (user) => user.click(screen.getByText('Plan work on this node')),
      form: 'Plan work',
      label: 'From',
      text: '22:00',
    },
  ],
];

describe('what is typed and not saved', () => {
  it.each(forms)('for %s is there again after a look at another view', async (_what, form) => {
    const { navigation, user } = await renderInApp(
      Shell,
      { views: viewList },
      { world: fullWorld(testNowMs) },
    );
    const go = async (view: ViewId) => {
      navigation.go(view);
      await tick();
    };
    const field = () => {
      const around = form.form === undefined ? screen : within(screen.getByRole('form', { name: form.form }));
      return around.getByLabelText<HTMLInputElement>(form.label);
    };
    await go(form.view);
    await form.open?.(user);
    expect(await asks()).toBe(form.isDraft === true);
    const before = field().value;
    await user.clear(field());
    await user.type(field(), form.text);
    await go('alerts');
    expect(await asks()).toBe(true);
    await go(form.view);
    expect(field().value).toBe(form.text);
    await user.clear(field());
    if (before !== '') await user.type(field(), before);
    expect(await asks()).toBe(form.isDraft === true);
  });

  it('in a note that cannot be saved is asked for at closing, also once its incident is closed', async () => {
    const { bridge, navigation, user } = await renderInApp(Shell, { views: viewList });
    bridge.answer('incidents.note', () => err({ code: 'storage', message: 'The disk is full.' }));
    const [incident] = sampleIncidents(testNowMs);
    if (incident === undefined) throw new Error('there is one');
    navigation.goToIncidents(incident);
    await user.type(await screen.findByRole('textbox', { name: 'Note' }), 'What happened');
    expect(await asks()).toBe(true);
    navigation.go('alerts');
    await expect.poll(() => bridge.argsOf('incidents.note')).toHaveLength(1);
    expect(await asks()).toBe(true);
    bridge.answer('incidents.note', ({ note }) => ok({ ...incident, note }));
    navigation.goToIncidents(incident);
    await screen.findByRole('textbox', { name: 'Note' });
    navigation.go('alerts');
    await expect.poll(asks).toBe(false);
  });

  it('is not kept where it is secret', async () => {
    const { navigation, user } = await renderInApp(Shell, { views: viewList });
    for (const label of ['Token', 'Password', /^(Key|Replace the key)$/, 'URL']) {
      navigation.go('settings');
      await tick();
      const [field] = screen.queryAllByLabelText<HTMLInputElement>(label, {
        selector: 'input[type="password"]',
      });
      if (field !== undefined) await user.type(field, 'top secret');
    }
    navigation.go('alerts');
    expect(JSON.stringify([...navigation.drafts])).toBe('[]');
  });
});

it('the palette leads back to a form of Explore as it was left', async () => {
  const { explore, navigation } = await renderInApp(Shell, { views: viewList });
  navigation.goToExplore('chain-transactions');
  explore.setValue('chainId', '43113');
  navigation.go('nodes');
  navigation.goToExplore('chain-transactions');
  expect(explore.values).toEqual({ chainId: '43113' });
});

it('the list of Explore is where it was left', async () => {
  const { navigation, user } = await renderInApp(Shell, { views: viewList });
  navigation.go('explore');
  await tick();
  await user.type(screen.getByRole('searchbox', { name: 'Search endpoints' }), 'block');
  await click(user, 'radio', 'Past queries');
  navigation.go('nodes');
  await tick();
  navigation.go('explore');
  await tick();
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Past queries' }).checked).toBe(true);
  await click(user, 'radio', 'Endpoints');
  expect(screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search endpoints' }).value).toBe('block');
});

it('past queries are filtered by days of the time zone that times are shown in by now', async () => {
  const { bridge, explore, navigation } = await renderInApp(Shell, { views: viewList });
  explore.tab = 'past';
  explore.past.days = { from: '2026-03-02', to: '2026-03-02' };
  explore.past.filter = { ...explore.past.filter, fromMs: 1, beforeMs: 2 };
  bridge.emit('settings.changed', { ...bridge.world.snapshot.settings, timeZone: 'utc' });
  navigation.go('explore');
  const [fromMs, beforeMs] = [Date.UTC(2026, 2, 2), Date.UTC(2026, 2, 3)];
  await expect.poll(() => bridge.argsOf('runs.list').at(-1)?.filter).toMatchObject({ fromMs, beforeMs });
});
