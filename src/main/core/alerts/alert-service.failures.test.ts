import { expect, it } from 'vitest';
import { createAlertWorld } from './testing/alert-world.ts';

const minuteMs = 60_000;

it('failures of a node are read once and after each upkeep, however many polls follow, and a failure of before the start ends', async () => {
  const world = await createAlertWorld();
  const node = await world.addNode('node-1.example');
  await world.time.advance(2 * minuteMs);
  node.failing.add('C');
  await world.time.advance(3 * minuteMs);
  await world.crash();
  let [reads, upkeeps] = [0, 0];
  world.service.onUpkeep(() => (upkeeps += 1));
  const { health } = world.stores;
  world.store.replace({
    readEpisodes: async (...args) => {
      reads += 1;
      return await health.readEpisodes(...args);
    },
  });
  for (let round = 0; round < 10; round += 1) {
    node.failing.clear();
    await world.time.advance(5 * minuteMs);
    node.failing.add('C');
    await world.time.advance(5 * minuteMs);
  }
  expect(world.titles()).toContainEqual(expect.stringMatching(/^node-1: alert ended after \d+ min$/));
  expect(world.alerts.openCount()).toBe(1);
  expect([reads, upkeeps < 5]).toEqual([1 + upkeeps, true]);
});
