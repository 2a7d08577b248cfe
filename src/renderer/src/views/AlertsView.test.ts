import { screen, within } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { tomorrowMs } from '../../../shared/alerts/quiet.ts';
import { err, ok } from '../../../shared/errors.ts';
import { renderInApp, testNowMs } from '../testing/render.ts';
import { sampleAlerts } from '../testing/sample-alerts.ts';
import AlertsView from './AlertsView.svelte';

describe('AlertsView', () => {
  it('says that nothing needs attention', async () => {
    await renderInApp(AlertsView, {});
    expect(await screen.findByText('Nothing needs your attention.')).toBeTruthy();
    expect(screen.queryByRole('region', { name: 'Ended' })).toBeNull();
  });

  it('has open, acknowledged, snoozed and past alerts, each with what was sent of it and its buttons', async () => {
    const { bridge, navigation, user } = await renderInApp(
      AlertsView,
      {},
      { prepare: (fake) => fake.answer('alerts.list', () => ok(sampleAlerts(testNowMs))) },
    );
    const open = await screen.findByRole('region', { name: 'Open' });
    const alert = within(open).getByRole('article', { name: 'Network on Frankfurt 1: too few peers' });
    expect(alert.textContent).toMatch(/since .*for 1.*now/s);
    expect(alert.textContent).toContain('Waiting for the system: No notification server.');
    expect(alert.textContent).toContain('Not sent: your webhook was turned off before it could be sent.');
    expect(alert.textContent).toContain('Accepted by the system.');
    await user.click(within(alert).getByRole('button', { name: 'Acknowledge' }));
    await user.click(within(alert).getByRole('button', { name: 'Snooze until the alert ends' }));
    const snoozed = screen.getByRole('region', { name: 'Snoozed' });
    await user.click(within(snoozed).getByRole('button', { name: 'End snooze' }));
    const acknowledged = screen.getByRole('region', { name: 'Acknowledged' });
    await user.click(within(acknowledged).getByRole('button', { name: 'Mark as open' }));
    expect(bridge.argsOf('alerts.act')).toEqual([
      { key: 'a', action: 'acknowledge' },
      { key: 'a', action: 'end' },
      { key: 'c', action: 'wake' },
      { key: 'b', action: 'wake' },
    ]);
    const past = screen.getByRole('region', { name: 'Ended' });
    expect(within(past).queryByRole('button', { name: 'Acknowledge' })).toBeNull();
    expect(within(screen.getByRole('region', { name: 'Acknowledged' })).getAllByRole('article')).toHaveLength(
      1,
    );
    await user.click(within(past).getByRole('button', { name: 'Open incident' }));
    expect(bridge.argsOf('incidents.find')).toEqual([{ nodeId: 'n1', id: 'd-1' }]);
    expect(navigation.view).toBe('overview');
  });

  it('shows an alert of which two members are about one thing', async () => {
    const [alert] = sampleAlerts(testNowMs).alerts;
    const alerts = alert === undefined ? [] : [{ ...alert, members: [...alert.members, ...alert.members] }];
    await renderInApp(
      AlertsView,
      {},
      { prepare: (fake) => fake.answer('alerts.list', () => ok({ alerts, messages: [] })) },
    );
    const open = await screen.findByRole('region', { name: 'Open' });
    expect(within(within(open).getByRole('article')).getAllByRole('listitem')).toHaveLength(2);
  });

  it('pauses all alerts, says until when, and resumes them', async () => {
    const { app, user } = await renderInApp(AlertsView, {});
    await user.click(screen.getByRole('button', { name: 'For 1 h' }));
    expect(app.settings.alerts.pausedUntilMs).toBe(testNowMs + 3_600_000);
    expect(await screen.findByText('All alerts are paused')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Resume alerts' }));
    expect(app.settings.alerts.pausedUntilMs).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Until 8:00 tomorrow' }));
    expect(app.settings.alerts.pausedUntilMs).toBe(tomorrowMs(testNowMs));
  });

  it('leads to the moment in the replay', async () => {
    const { navigation, user } = await renderInApp(
      AlertsView,
      {},
      { prepare: (fake) => fake.answer('alerts.list', () => ok(sampleAlerts(testNowMs))) },
    );
    const open = await screen.findByRole('region', { name: 'Open' });
    await user.click(within(open).getByRole('button', { name: 'Open replay' }));
    expect(navigation).toMatchObject({
      view: 'nodes',
      nodeId: 'n1',
      replay: { nodeId: 'n1', atMs: testNowMs - 90 * 60_000 },
    });
  });

  it('can be read again where reading failed', async () => {
    const error = { code: 'storage', message: 'The disk reported an error.' } as const;
    const { bridge, user } = await renderInApp(
      AlertsView,
      {},
      { prepare: (fake) => fake.answer('alerts.list', () => err(error)) },
    );
    const again = await screen.findByRole('button', { name: 'Try again' });
    bridge.answer('alerts.list', () => ok(sampleAlerts(testNowMs)));
    await user.click(again);
    expect(await screen.findByRole('region', { name: 'Ended' })).toBeTruthy();
  });

  it('shows what has changed', async () => {
    const { bridge } = await renderInApp(AlertsView, {});
    await screen.findByText('Nothing needs your attention.');
    bridge.answer('alerts.list', () => ok(sampleAlerts(testNowMs)));
    bridge.emit('alerts.changed', 1);
    expect(await screen.findByRole('region', { name: 'Ended' })).toBeTruthy();
  });
});
