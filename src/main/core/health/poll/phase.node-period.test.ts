import { describe, expect, it } from 'vitest';
import { createMemoryStores } from '../../../adapters/storage/testing/memory-stores.ts';
import { jsonAnswer } from '../testing/fake-ports.ts';
import { createServiceWorld, type ServiceWorld } from '../testing/service-world.ts';

const url = 'http://127.0.0.1:9650';
const minuteMs = 60_000;
const periodMs = 5 * minuteMs;

/** A node that runs its checks every five minutes, until `world.hangsFromMs`. */
async function createWorld(): Promise<ServiceWorld & { hangsFromMs: number }> {
  const world = Object.assign(await createServiceWorld(createMemoryStores().health), {
    hangsFromMs: Infinity,
  });
  world.http.serve(url, () => {
    const ranAtMs = Math.floor(Math.min(world.time.clock.nowMs(), world.hangsFromMs) / periodMs) * periodMs;
    const check = { timestamp: new Date(ranAtMs).toISOString(), duration: 1 + (ranAtMs % 1_009) };
    return jsonAnswer(200, { healthy: true, checks: { C: check } });
  });
  return world;
}

/** The states that are seen in a time, in order. */
async function statesIn(world: ServiceWorld, forMs: number): Promise<Set<string>> {
  const before = world.store.recorded.length;
  await world.time.advance(forMs);
  return new Set(world.store.recorded.slice(before).map(({ state }) => state));
}

describe.each([
  ['at an interval of ours', null],
  ['at an interval of the user’s', 30_000],
] as const)('a node that runs its checks every five minutes, polled %s', (_how, intervalMs) => {
  it('is not said not to run them after a start, nor after sleep', async () => {
    const world = await createWorld();
    await world.add(url, intervalMs);
    await world.time.advance(60 * minuteMs);
    expect(await statesIn(world, 30 * minuteMs)).toEqual(new Set(['healthy']));
    await world.restart();
    expect(await statesIn(world, 30 * minuteMs)).toEqual(new Set(['healthy']));
    world.service.suspend();
    await world.time.advance(60 * minuteMs);
    world.service.resume();
    expect(await statesIn(world, 30 * minuteMs)).toEqual(new Set(['healthy']));
  });

  it('is said so when it does not, three periods after a start', async () => {
    const world = await createWorld();
    await world.add(url, intervalMs);
    await world.time.advance(60 * minuteMs);
    await world.restart();
    world.hangsFromMs = world.time.clock.nowMs();
    expect(await statesIn(world, 3 * periodMs - minuteMs)).toEqual(new Set(['healthy']));
    expect(await statesIn(world, periodMs)).toContain('stalled');
  });
});
