import { describe, expect, it } from 'vitest';
import { createMemoryStores } from '../../../adapters/storage/testing/memory-stores.ts';
import { unwrap } from '../../../../shared/errors.ts';
import { jsonAnswer } from '../testing/fake-ports.ts';
import { createServiceWorld } from '../testing/service-world.ts';

const url = 'http://node.example:9650';
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const periodMs = 30_000;

/** A node with a clock of its own: it stays behind or ahead of the right time, whatever ours does. */
async function createWorld(aheadMs: number) {
  const world = await createServiceWorld(createMemoryStores().health);
  const { time } = world;
  const startMs = time.clock.nowMs();
  const rightMs = (): number => startMs + time.clock.monotonicMs();
  let failingSinceMs: number | null = null;
  let hasRun = true;
  world.http.serve(url, () => {
    const pending = { error: 'not yet run', timestamp: '0001-01-01T00:00:00Z', duration: 0 };
    if (!hasRun) return jsonAnswer(503, { healthy: false, checks: { C: pending } });
    const ranMs = Math.floor(rightMs() / periodMs) * periodMs;
    const at = (ms: number): string => new Date(ms + aheadMs).toISOString();
    const failure =
      failingSinceMs === null || failingSinceMs > ranMs
        ? {}
        : {
            error: 'C is down',
            contiguousFailures: 1 + Math.floor((ranMs - failingSinceMs) / periodMs),
            timeOfFirstFailure: at(Math.ceil(failingSinceMs / periodMs) * periodMs),
          };
    const C = { timestamp: at(ranMs), duration: 1_000, ...failure };
    const healthy = failure.error === undefined;
    return jsonAnswer(healthy ? 200 : 503, { healthy, checks: { C } });
  });
  return {
    ...world,
    rightMs,
    setRun: (to: boolean) => {
      hasRun = to;
    },
    begin: () => {
      failingSinceMs = rightMs();
    },
    failFor: async (ms: number) => {
      failingSinceMs = rightMs();
      await time.advance(ms);
      failingSinceMs = null;
      await time.advance(2 * minuteMs);
    },
    uptimeOf: async (id: string, fromMs: number) => {
      const uptime = unwrap(await world.past.uptime({ id, fromMs, toMs: time.clock.nowMs() }));
      return uptime.find(({ name }) => name === 'C');
    },
    failures: async (id: string) => unwrap(await world.past.episodes({ id, check: 'C', limit: 50 })),
  };
}

describe('a node whose clock is not ours', () => {
  it.each([
    ['2 h slow', -2 * hourMs],
    ['2 h fast', 2 * hourMs],
    ['a year slow', -365 * 24 * hourMs],
    ['5 min slow', -5 * minuteMs],
    ['5 min fast', 5 * minuteMs],
    ['right', 0],
  ])('but %s: a failure of 10 min counts 10 min, and began when it did', async (_how, aheadMs) => {
    const world = await createWorld(aheadMs);
    const fromMs = world.time.clock.nowMs();
    const { id } = await world.add(url, null);
    await world.time.advance(hourMs);
    const beganMs = world.rightMs();
    await world.failFor(10 * minuteMs);
    const [failure, ...others] = await world.failures(id);
    expect(others).toEqual([]);
    expect(Math.abs((failure?.startedAtMs ?? 0) - beganMs)).toBeLessThan(minuteMs);
    expect(Math.abs((failure?.endedAtMs ?? 0) - beganMs - 10 * minuteMs)).toBeLessThan(minuteMs);
    const { downMs = 0, unknownMs = 0 } = (await world.uptimeOf(id, fromMs)) ?? {};
    expect(Math.abs(downMs - 10 * minuteMs)).toBeLessThan(minuteMs);
    expect(unknownMs).toBeLessThan(2 * minuteMs);
    // What is shown is by our clock too.
    const ranAtMs = world.status(id).report?.checks[0]?.ranAtMs ?? 0;
    expect(Math.abs(ranAtMs - world.rightMs())).toBeLessThan(minuteMs);
  });

  it('and which fails when it is first seen began as long ago as it says', async () => {
    const world = await createWorld(-2 * hourMs);
    const beganMs = world.rightMs();
    world.begin();
    await world.time.advance(20 * minuteMs);
    const { id } = await world.add(url, null);
    await world.time.advance(5 * minuteMs);
    const [failure] = await world.failures(id);
    expect(Math.abs((failure?.startedAtMs ?? 0) - beganMs)).toBeLessThan(minuteMs);
  });

  it('and which has run nothing when it is first seen has its times reckoned over all the same', async () => {
    const world = await createWorld(-2 * hourMs);
    world.setRun(false);
    const { id } = await world.add(url, 10 * minuteMs);
    await world.time.advance(minuteMs);
    world.setRun(true);
    await world.time.advance(20 * minuteMs);
    const { upMs = 0 } = (await world.uptimeOf(id, world.rightMs() - 4 * hourMs)) ?? {};
    expect(upMs).toBeGreaterThan(minuteMs);
    expect(upMs).toBeLessThan(21 * minuteMs);
  });

  it.each([3, 11, 19, 27])(
    'and which is polled every 670 s, first %i s after a run, began to fail no earlier than it did',
    async (afterS) => {
      const world = await createWorld(-2 * hourMs);
      await world.time.advance(periodMs - (world.rightMs() % periodMs) + afterS * 1_000);
      const { id } = await world.add(url, 670_000);
      await world.time.advance(42.2 * minuteMs);
      const beganMs = Math.ceil(world.rightMs() / periodMs) * periodMs;
      world.begin();
      await world.time.advance(20 * minuteMs);
      const [failure] = await world.failures(id);
      const lateMs = (failure?.startedAtMs ?? 0) - beganMs;
      expect(lateMs).toBeGreaterThan(-10_000);
      expect(lateMs).toBeLessThan(periodMs + 10_000);
    },
  );

  it('goes on with one failure over a restart of the app', async () => {
    const world = await createWorld(-2 * hourMs);
    const { id } = await world.add(url, null);
    await world.time.advance(10 * minuteMs);
    world.begin();
    await world.time.advance(10 * minuteMs);
    await world.restart();
    await world.time.advance(10 * minuteMs);
    expect(await world.failures(id)).toHaveLength(1);
  });
});

describe('a clock of ours that was two days ahead for five minutes', () => {
  it.each([
    ['before', 0],
    ['meanwhile', 1],
    ['after it', 2],
  ])('leaves known what failed for an hour since %s', async (_when, begins) => {
    const world = await createWorld(0);
    const { time } = world;
    const { id } = await world.add(url, null);
    await time.advance(hourMs);
    for (const [at, stepMs] of [48 * hourMs, -48 * hourMs, 0].entries()) {
      if (at === begins) world.begin();
      await time.advance(minuteMs);
      time.stepClock(stepMs);
      await time.advance(4 * minuteMs);
    }
    const fromMs = time.clock.nowMs();
    await time.advance(hourMs);
    const { downMs = 0, unknownMs = Infinity } = (await world.uptimeOf(id, fromMs)) ?? {};
    expect([downMs, unknownMs]).toEqual([hourMs, 0]);
  });

  it('leaves known an hour that nobody saw, and of which the node tells afterwards', async () => {
    const world = await createWorld(0);
    const { time } = world;
    const { id } = await world.add(url, null);
    await time.advance(hourMs);
    time.stepClock(48 * hourMs);
    await time.advance(5 * minuteMs);
    time.stepClock(-48 * hourMs);
    await time.advance(minuteMs);
    world.service.suspend();
    const fromMs = time.clock.nowMs();
    world.begin();
    await time.advance(hourMs);
    world.service.resume();
    await time.advance(minuteMs);
    const { downMs = 0, unknownMs = Infinity } = (await world.uptimeOf(id, fromMs)) ?? {};
    expect(downMs).toBeGreaterThan(hourMs - minuteMs);
    expect(unknownMs).toBeLessThan(minuteMs);
    const [failure] = await world.failures(id);
    expect(Math.abs((failure?.startedAtMs ?? 0) - fromMs)).toBeLessThan(minuteMs);
  });
});
