import { expect, it } from 'vitest';
import type { Alert, AlertMessage } from '../../../shared/alerts/types.ts';
import { createAlertWorld } from './testing/alert-world.ts';

const minuteMs = 60_000;

it('an alert and a message that cannot be read, as of a later version, silence no others', async () => {
  const world = await createAlertWorld();
  const node = await world.addNode('node-1.example');
  await world.time.advance(2 * minuteMs);
  const sent: AlertMessage['sent'] = [{ channel: 'system', state: 'waiting', atMs: 0, error: null }];
  const later = {
    key: 'of a later version',
    startedAtMs: 0,
    endedAtMs: null,
    id: 'of a later version',
    sent,
  };
  await world.stores.alerts.put({
    // The store writes what it is given.
    alerts: [later as unknown as Alert],
    messages: [later as unknown as AlertMessage],
  });
  await world.crash();
  node.failing.add('C');
  await world.time.advance(3 * minuteMs);
  expect(world.titles()).toEqual(['C-Chain on node-1: C is down']);
  const { alerts, messages } = await world.alerts.list();
  expect([alerts.length, messages.length]).toEqual([1, 1]);
});
