import { expect, it } from 'vitest';
import { hourMs } from '../../../shared/time.ts';
import { createAlertWorld } from './testing/alert-world.ts';

const minuteMs = 60_000;
const rounds = 1_000;

/** The same numbers each time, from 0 to below 1. */
function createChance(): () => number {
  let state = 7;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

it('a thousand random sleeps, lost networks and steps of the clock, also together, are no trouble of a node', async () => {
  const world = await createAlertWorld();
  const hosts = ['a.example', 'b.example'];
  const nodes = await Promise.all(hosts.map((host) => world.addNode(host)));
  const chance = createChance();
  const upTo = (ms: number): number => Math.floor(chance() * ms);
  const step = (): void => world.time.stepClock(upTo(2 * hourMs) - hourMs);
  for (let round = 0; round < rounds; round += 1) {
    const [isLost, sleeps, steps] = [chance() < 0.5, chance() < 0.5, chance() < 0.5];
    if (isLost) {
      world.online.isOnline = false;
      for (const host of hosts)
        world.http.serve(`http://${host}`, () => ({ kind: 'failure', reason: 'network', detail: '' }));
      await world.time.advance(upTo(3 * minuteMs));
    }
    if (sleeps) await world.sleep(upTo(10 * hourMs));
    if (steps) step();
    if (isLost) {
      await world.time.advance(upTo(minuteMs));
      for (const [index, host] of hosts.entries())
        world.http.serve(`http://${host}`, nodes[index]?.server ?? (() => 'hang'));
      world.online.isOnline = true;
    }
    await world.time.advance(upTo(minuteMs));
  }
  const told = new Set(world.titles());
  told.delete('This computer couldn’t watch your nodes');
  expect([...told]).toEqual([]);
});
