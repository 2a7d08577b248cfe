import { describe, expect, it } from 'vitest';
import { createMemoryStores } from '../../../adapters/storage/testing/memory-stores.ts';
import { unwrap } from '../../../../shared/errors.ts';
import { jsonAnswer } from '../testing/fake-ports.ts';
import {
  createFakeNode,
  createServiceWorld,
  flippingChecks,
  nodeFields,
  type ServiceWorld,
} from '../testing/service-world.ts';

const url = 'http://node.example:9650';
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

async function createWorld(): Promise<ServiceWorld> {
  const world = await createServiceWorld(createMemoryStores().health);
  world.http.serve(url, createFakeNode(world.time, ['C']).server);
  return world;
}

async function countOf(world: ServiceWorld): Promise<number> {
  const [use] = unwrap(await world.service.historyUse());
  return use?.pollCount ?? 0;
}

describe('the history of a node', () => {
  it.each([[true], [false]])(
    'is kept over a start with a clock two years ahead; paused: %s',
    async (paused) => {
      const world = await createWorld();
      const { id } = await world.add(url, 60_000);
      await world.time.advance(2 * hourMs);
      unwrap(await world.service.update({ ...nodeFields(url, 60_000), id, paused }));
      await world.time.advance(1_000);
      const before = await countOf(world);
      expect(before).toBeGreaterThan(100);
      world.time.stepClock(730 * dayMs);
      await world.restart();
      await world.time.advance(5 * 60_000);
      expect(await countOf(world)).toBeGreaterThanOrEqual(before);
    },
  );

  it('is kept over two such starts in a row', async () => {
    const world = await createWorld();
    await world.add(url, 60_000);
    await world.time.advance(2 * hourMs);
    const before = await countOf(world);
    world.time.stepClock(730 * dayMs);
    for (let starts = 0; starts < 2; starts += 1) {
      await world.restart();
      await world.time.advance(5 * 60_000);
    }
    expect(await countOf(world)).toBeGreaterThanOrEqual(before);
  });

  it('is kept where the last poll could not be read at such a start', async () => {
    const world = await createWorld();
    await world.add(url, 60_000);
    await world.time.advance(2 * hourMs);
    const before = await countOf(world);
    world.time.stepClock(730 * dayMs);
    world.store.replace({ latest: () => Promise.reject(new Error('busy')) });
    await world.restart();
    await world.time.advance(5 * 60_000);
    world.store.replace({});
    expect(await countOf(world)).toBeGreaterThanOrEqual(before);
  });

  it('is forgotten when its days are over, without a restart and after one', async () => {
    const world = await createWorld();
    world.limits.keepDays = 1;
    await world.add(url, 600_000);
    const oldestMs = async () => unwrap(await world.service.historyUse())[0]?.fromMs ?? 0;
    for (const [days, restarts] of [
      [2.2, false],
      [0.8, true],
    ] as const) {
      await world.time.advance(days * dayMs);
      if (restarts) await world.restart();
      await world.time.advance(10 * 60_000);
      expect(world.time.clock.nowMs() - (await oldestMs())).toBeLessThan(2 * dayMs + hourMs);
    }
  });

  it('stays within its size although reports are large, before the hour is over', async () => {
    const world = await createWorld();
    world.limits.keepMegabytesPerNode = 1;
    world.http.serve(url, () => {
      const at = new Date(world.time.clock.nowMs()).toISOString();
      // Does not compress.
      const noise = Array.from({ length: 4_000 }, (_, index) =>
        Math.sin(index * world.time.clock.nowMs()),
      ).join();
      return jsonAnswer(200, {
        healthy: true,
        checks: { C: { timestamp: at, duration: 1, message: noise } },
      });
    });
    await world.add(url, 30_000);
    await world.time.advance(0.4 * hourMs);
    const [use] = unwrap(await world.service.historyUse());
    expect(use?.bytes).toBeLessThan(1_200_000);
  });

  it('stays within its size where 500 checks fail and pass in turn for 60 polls, with their failures', async () => {
    const world = await createWorld();
    world.limits.keepMegabytesPerNode = 0.7;
    world.http.serve(url, flippingChecks(world.time, 500));
    const { id } = await world.add(url, 30_000);
    let mostBytes = 0;
    for (let minutes = 0; minutes < 30; minutes += 1) {
      await world.time.advance(60_000);
      mostBytes = Math.max(mostBytes, unwrap(await world.service.historyUse())[0]?.bytes ?? 0);
    }
    expect(world.store.recorded.length).toBeGreaterThan(50);
    expect(mostBytes).toBeLessThan(770_000);
    // The newest stay: those that fail now are listed, whatever has gone.
    const episodes = await world.store.port.readEpisodes(id, null, 1_000);
    expect(episodes[0]?.startedAtMs).toBeGreaterThan(world.time.clock.nowMs() - 3 * 60_000);
  });

  it('has a bound of names, whatever a node makes up', async () => {
    const world = await createWorld();
    world.http.serve(url, () => {
      const atMs = world.time.clock.nowMs();
      const made = Array.from({ length: 900 }, (_, index) => [`made up ${atMs} ${index}`, { duration: 1 }]);
      return jsonAnswer(200, { healthy: true, checks: Object.fromEntries(made) });
    });
    const { id } = await world.add(url, 30_000);
    await world.time.advance(15 * 30_000);
    expect(world.status(id).report?.notes).toContainEqual(
      expect.stringContaining('10,000 different check names'),
    );
  });
});
