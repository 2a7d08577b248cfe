import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { ok } from '../../../../shared/errors.ts';
import { renderInApp, testNowMs } from '../../testing/render.ts';
import { sampleAlerts } from '../../testing/sample-alerts.ts';
import { sampleIncidents } from '../../testing/sample-past.ts';
import { sampleAddresses } from '../../testing/sample-world.ts';
import type { AlertMember } from '../../../../shared/alerts/types.ts';
import AlertItem from './AlertItem.svelte';

function alertOf(changed: Partial<AlertMember>) {
  const [alert] = sampleAlerts(testNowMs).alerts;
  const [member] = alert?.members ?? [];
  if (alert === undefined || member === undefined) throw new Error('there are samples');
  return { ...alert, members: [{ ...member, ...changed }] };
}

it('hides the labels and amounts of an alert about an address while the eye is shut', async () => {
  const words = 'Treasury received 1,250.5 USDC';
  const alert = alertOf({ rule: 'address', nodeId: sampleAddresses.treasury, nodeName: 'Treasury', words });
  await renderInApp(AlertItem, { alert, messages: [] });
  expect(screen.getByText(words).closest('.private')).not.toBeNull();
});

it.each([
  ['of which nothing was sent', null, 1],
  ['of which only the reminder is held back', testNowMs - 60_000, 0],
])('says on Overview that it was not sent yet where that is so: one %s', async (_which, saidAtMs, count) => {
  await renderInApp(AlertItem, { alert: { ...alertOf({}), saidAtMs, isHeld: true }, messages: [] });
  expect(screen.queryAllByText(/^Not sent yet/)).toHaveLength(count);
});

it('is acknowledged once by a double press, whose second half would fall on the next alert', async () => {
  const { bridge, user } = await renderInApp(AlertItem, { alert: alertOf({}), messages: [] });
  await user.dblClick(screen.getByRole('button', { name: 'Acknowledge' }));
  expect(bridge.argsOf('alerts.act')).toHaveLength(1);
});

it('leads to no other node where its own was removed', async () => {
  await renderInApp(AlertItem, { alert: alertOf({ rule: 'disk', nodeId: 'gone' }), messages: [] });
  expect(screen.queryByRole('button', { name: 'Open node' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Open replay' })).toBeNull();
});

it('leads to the activity of its address, and not to an empty list where that is no longer watched', async () => {
  const changed = { rule: 'address', nodeId: sampleAddresses.treasury } as const;
  const { bridge, navigation, user } = await renderInApp(AlertItem, {
    alert: alertOf(changed),
    messages: [],
  });
  await user.click(screen.getByRole('button', { name: 'Open activity' }));
  expect(navigation.filter.pills).toMatchObject([{ field: 'address', values: [sampleAddresses.treasury] }]);
  bridge.emit('watchlist.changed', []);
  await expect.poll(() => screen.queryByRole('button', { name: 'Open activity' })).toBeNull();
});

it('has lasted at least as long as its node was seen, while our own network is down', async () => {
  const alert = { ...alertOf({ nodeId: 'n1', subject: 'C' }), startedAtMs: testNowMs - 5 * 3_600_000 };
  const { bridge, app } = await renderInApp(AlertItem, { alert, messages: [] });
  expect(screen.getByText(/for 5 h now/)).toBeTruthy();
  const node = app.node('n1');
  if (node === null) throw new Error('it is a sample');
  const reportAtMs = testNowMs - 2 * 3_600_000;
  bridge.emit('node.changed', { ...node, state: 'unknown', reportAtMs });
  expect(await screen.findByText(/at least 3 h/)).toBeTruthy();
});

it('leads to the node that it is about', async () => {
  const { navigation, user } = await renderInApp(AlertItem, {
    alert: alertOf({ rule: 'disk', nodeId: 'n2' }),
    messages: [],
  });
  await user.click(screen.getByRole('button', { name: 'Open node' }));
  expect(navigation.nodeId).toBe('n2');
});

it('leads nobody to its incident who has gone elsewhere meanwhile', async () => {
  const [alert] = sampleAlerts(testNowMs).alerts;
  const [incident] = sampleIncidents(testNowMs);
  if (alert === undefined || incident === undefined) throw new Error('there are samples');
  const { bridge, navigation, user } = await renderInApp(AlertItem, { alert, messages: [] });
  const held = Promise.withResolvers<null>();
  bridge.answer('incidents.find', async () => {
    await held.promise;
    return ok(incident);
  });
  await user.click(screen.getByRole('button', { name: 'Open incident' }));
  navigation.go('settings');
  held.resolve(null);
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(navigation).toMatchObject({ view: 'settings', incident: null });
});
