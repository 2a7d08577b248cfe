import { describe, expect, it } from 'vitest';
import { createMemoryStores } from '../../../adapters/storage/testing/memory-stores.ts';
import { unwrap } from '../../../../shared/errors.ts';
import { jsonAnswer, type FakeServer } from '../testing/fake-ports.ts';
import { createFakeNode, createServiceWorld, type ServiceWorld } from '../testing/service-world.ts';

const url = 'http://127.0.0.1:9650';
const createWorld = (): Promise<ServiceWorld> => createServiceWorld(createMemoryStores().health);

describe('a node that runs its checks rarely', () => {
  const runningEvery =
    (world: ServiceWorld, periodMs: number): FakeServer =>
    () => {
      const ranAtMs = Math.floor(world.time.clock.nowMs() / periodMs) * periodMs;
      const C = { timestamp: new Date(ranAtMs).toISOString(), duration: 1 + (ranAtMs % 1_009) };
      return jsonAnswer(200, { healthy: true, checks: { C, P: C } }, { 'node-id': 'NodeID-1' });
    };

  it.each([
    [300_000, false],
    [3_600_000, true],
  ])(
    'every %i ms is not taken for one that does not run them; after a restart: %s',
    async (periodMs, restarts) => {
      const world = await createWorld();
      const states = new Set<string>();
      world.http.serve(url, runningEvery(world, periodMs));
      const { id } = await world.add(url, null);
      world.events.on('node.changed', ({ state }) => states.add(state));
      await world.time.advance(4 * periodMs);
      if (restarts) {
        await world.restart();
        world.events.on('node.changed', ({ state }) => states.add(state));
        await world.time.advance(2 * periodMs);
      }
      expect(states).toEqual(new Set(['healthy']));
      // And then stops to.
      world.http.serve(url, runningEvery(world, 1e13));
      await world.time.advance(5 * periodMs);
      expect(world.status(id).state).toBe('stalled');
    },
  );

  it('has the times of its runs after a restart, long after the last of them', async () => {
    const world = await createWorld();
    const hourMs = 3_600_000;
    world.http.serve(url, runningEvery(world, hourMs));
    const { id } = await world.add(url, null);
    await world.time.advance(2 * hourMs);
    const lastMs = Math.floor(world.time.clock.nowMs() / hourMs) * hourMs;
    await world.time.advance(lastMs + hourMs * 1.7 - world.time.clock.nowMs());
    await world.restart();
    await world.time.advance(60_000);
    expect(world.status(id).report?.checks[0]?.ranAtMs).toBe(lastMs + hourMs);
  });

  it.each([
    [4, 300_000],
    [50, 60_000],
  ])(
    'every three hours is known although the app was open %i days ago at last, but for a moment; polled every %i ms',
    async (days, intervalMs) => {
      const world = await createWorld();
      const hourMs = 3_600_000;
      world.http.serve(url, runningEvery(world, 3 * hourMs));
      const { id } = await world.add(url, intervalMs);
      await world.time.advance(10 * hourMs);
      for (const openMs of [5 * 60_000, 0]) {
        await world.service.stop();
        await world.time.advance(days * 24 * hourMs);
        await world.restart();
        await world.time.advance(openMs);
      }
      const states = new Set<string>();
      world.events.on('node.changed', ({ state }) => states.add(state));
      await world.time.advance(2.9 * hourMs);
      expect(states).toEqual(new Set(['healthy']));
      // The time for which the app was closed is no period.
      world.http.serve(url, runningEvery(world, 1e13));
      await world.time.advance(15 * hourMs);
      expect(world.status(id).state).toBe('stalled');
    },
  );

  it('late by up to 6 s of 20 s is not taken for one with a shorter period that stands still', async () => {
    const world = await createWorld();
    const states = new Set<string>();
    world.http.serve(url, () => {
      const round = Math.floor(world.time.clock.nowMs() / 20_000) - 1;
      const ranAtMs = round * 20_000 + ((round * round * 1_663) % 6_000);
      const C = { timestamp: new Date(ranAtMs).toISOString(), duration: 1 + (ranAtMs % 1_009) };
      return jsonAnswer(200, { healthy: true, checks: { C } }, { 'node-id': 'NodeID-1' });
    });
    world.events.on('node.changed', ({ state }) => states.add(state));
    await world.add(url, 20_000);
    await world.time.advance(3_600_000);
    expect(states).toEqual(new Set(['healthy']));
  });
});

it('a poll that somebody wants leaves nothing unknown, although the next one is ten minutes away', async () => {
  const world = await createWorld();
  const { time } = world;
  world.http.serve(url, createFakeNode(time, ['C']).server);
  const { id } = await world.add(url, 600_000);
  await time.advance(3_600_000);
  const fromMs = time.clock.nowMs();
  await time.advance(180_000);
  const polled = world.service.poll(id);
  await time.advance(3_600_000);
  unwrap(await polled);
  const uptime = unwrap(await world.past.uptime({ id, fromMs, toMs: time.clock.nowMs() }));
  expect(uptime.map(({ name, unknownMs }) => [name, unknownMs])).toEqual([
    ['', 0],
    ['C', 0],
  ]);
});
