import { expect, it } from 'vitest';
import { createAlertWorld } from './testing/alert-world.ts';

const minuteMs = 60_000;

it('an alert, and one tried on the past, name a chain as the service does', async () => {
  const world = await createAlertWorld();
  const id = '2ZJqbSUjFZ6oxUaNh4uCZYxTsJ7rqrVKiRP7jTEHRJTUrbFYuS';
  world.channel.chains.set(id, 'Harbor L1');
  const node = await world.addNode('node-1.example', [id]);
  await world.time.advance(2 * minuteMs);
  node.failing.add(id);
  await world.time.advance(3 * minuteMs);
  expect(world.titles()[0]).toMatch(/^Harbor L1 on node-1/);
  const thresholds = { nodeId: null, failAfter: 3, recoverAfter: 2, silentSeconds: 90 };
  expect((await world.alerts.tryPast(thresholds)).newest[0]?.title).toMatch(/^Harbor L1 on node-1/);
});
