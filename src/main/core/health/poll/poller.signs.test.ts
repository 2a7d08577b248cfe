import { describe, expect, it } from 'vitest';
import { jsonAnswer, type FakeServer, type FakeTime } from '../testing/fake-ports.ts';
import { createPollerWorld, healthy, refused, target, type PollerWorld } from '../testing/poller-world.ts';

const minuteMs = 60_000;

/** Runs every 30 s; answers as a node does. */
const running =
  (time: FakeTime, isHealthy = true): FakeServer =>
  () => {
    const ranAtMs = 1_700_000_000_000 + Math.floor((time.clock.monotonicMs() - 11_000) / 30_000) * 30_000;
    const check = { timestamp: new Date(ranAtMs).toISOString(), duration: 1 };
    const failing = { ...check, error: 'down', contiguousFailures: 1 };
    return jsonAnswer(isHealthy ? 200 : 503, {
      healthy: isHealthy,
      checks: { C: isHealthy ? check : failing },
    });
  };

async function watched(intervalMs: number | null, forMs: number): Promise<PollerWorld> {
  const world = createPollerWorld({ latencyMs: 50, fraction: 0.5 });
  world.http.serve('http://a/', running(world.time));
  world.poller.put(target('a', intervalMs));
  await world.time.advance(forMs);
  return world;
}

/** How long until a poll is told in whose state the node is reachable, or not. */
async function timeUntil(world: PollerWorld, isThere: boolean, withinMs: number): Promise<number> {
  const { time, answers } = world;
  const fromMs = time.clock.monotonicMs();
  await time.advance(withinMs);
  const told = answers.find(({ atMs, reading }) => atMs >= fromMs && (reading.kind === 'report') === isThere);
  return (told?.atMs ?? Infinity) - fromMs;
}

/** Whatever the moment between two polls. */
const moments = Array.from({ length: 13 }, (_, index) => 20 * minuteMs + index * 2_503);

it('a poll that a lost connection begins before it was due is told of at once, and at its end', async () => {
  const { time, http, changes } = await watched(600_000, 20 * minuteMs + 5_000);
  changes.length = 0;
  http.bar('http://a', 'refused');
  await time.advance(1_000);
  expect(changes).toEqual(['a polls', 'a rests']);
});

describe.each<[string, number | null]>([
  ['automatically', null],
  ['every 30 s', 30_000],
  ['every ten minutes', 600_000],
])('a node that is polled %s', (_how, intervalMs) => {
  it('and dies is noticed within 2 s, without another request to it', async () => {
    for (const forMs of moments) {
      const world = await watched(intervalMs, forMs);
      world.http.bar('http://a', 'refused');
      expect(await timeUntil(world, false, minuteMs)).toBeLessThanOrEqual(2_000);
    }
  });

  it('and hangs is noticed within 20 s', async () => {
    for (const forMs of moments) {
      const world = await watched(intervalMs, forMs);
      world.http.bar('http://a', 'hang');
      expect(await timeUntil(world, false, minuteMs)).toBeLessThanOrEqual(20_000);
    }
  });

  it('and comes back after it refused is seen within 5 s', async () => {
    for (const awayMs of [20_000, 61_000, 600_000, 3_601_000]) {
      const world = await watched(intervalMs, 20 * minuteMs);
      world.http.bar('http://a', 'refused');
      await world.time.advance(awayMs);
      world.http.bar('http://a', null);
      expect(await timeUntil(world, true, minuteMs)).toBeLessThanOrEqual(5_000);
    }
  });

  it('and goes on after a hang is seen when the answer comes that was asked for', async () => {
    for (const awayMs of [25_000, 61_000, 600_000, 3_601_000]) {
      const world = await watched(intervalMs, 20 * minuteMs);
      world.http.bar('http://a', 'hang');
      await world.time.advance(awayMs);
      world.http.bar('http://a', null);
      world.http.wake('http://a');
      expect(await timeUntil(world, true, minuteMs)).toBeLessThanOrEqual(5_000);
    }
  });
});

it.each([300_000, 315_000])(
  'a node that was back after %i ms and dies while it is asked, whatever for, is seen to be back within 5 s',
  async (forMs) => {
    for (let requests = 2; requests <= 6; requests += 1) {
      const world = await watched(null, forMs);
      const { time, http } = world;
      http.bar('http://a', 'refused');
      await time.advance(13_000);
      http.bar('http://a', null);
      const asked = http.requests.length + requests;
      while (http.requests.length < asked) await time.advance(25);
      http.bar('http://a', 'refused');
      await time.advance(10_000);
      http.bar('http://a', null);
      expect(await timeUntil(world, true, minuteMs), `request ${requests}`).toBeLessThanOrEqual(5_000);
    }
  },
);

describe('requests to a node', () => {
  const requestsIn = async (world: PollerWorld, forMs: number): Promise<number> => {
    const before = world.http.requests.length;
    await world.time.advance(forMs);
    return (world.http.requests.length - before) / (forMs / minuteMs);
  };

  it.each([null, 30_000, 60_000, 600_000])('are at most 5 a minute (interval %s)', async (intervalMs) => {
    const world = await watched(intervalMs, 0);
    // While its rhythm is learned as well.
    expect(await requestsIn(world, minuteMs)).toBeLessThanOrEqual(5);
    for (let at = 0; at < 60; at += 1) expect(await requestsIn(world, minuteMs)).toBeLessThanOrEqual(5);
  });

  it('are no more when it fails, and few when it hangs', async () => {
    const world = await watched(null, 20 * minuteMs);
    world.http.serve('http://a/', running(world.time, false));
    expect(await requestsIn(world, 10 * minuteMs)).toBeLessThanOrEqual(5);
    world.http.bar('http://a', 'hang');
    expect(await requestsIn(world, minuteMs)).toBeLessThanOrEqual(5);
    expect(await requestsIn(world, 10 * minuteMs)).toBeLessThanOrEqual(2);
  });

  it('are only polls, ever rarer, while nobody is there: who is back shows by a bare connection', async () => {
    const world = await watched(30_000, minuteMs);
    const { time, http, sentAt, livenessAt } = world;
    http.bar('http://a', 'refused');
    await time.advance(10 * minuteMs);
    const diedMs = minuteMs;
    const since = (all: number[]) => all.filter((ms) => ms >= diedMs).map((ms) => (ms - diedMs) / 1_000);
    expect(since(livenessAt('a'))).toEqual([]);
    expect(since(sentAt('a')).slice(0, 5).map(Math.round)).toEqual([0, 5, 35, 65, 101]);
    const tries = [...http.connects.map(({ atMs }) => atMs), ...sentAt('a').filter((ms) => ms >= diedMs)];
    tries.sort((a, b) => a - b);
    const waits = tries.map((ms, index) => ms - (tries[index - 1] ?? ms));
    expect(Math.max(...waits)).toBeLessThanOrEqual(2_300);
    expect(http.connects.length).toBeGreaterThan(250);
  });

  it('between two polls ask for liveness, also over TLS and behind a path', async () => {
    const { time, http, poller } = createPollerWorld();
    http.serve('https://a/', healthy);
    poller.put({ ...target('a'), url: 'https://a/nodes/7' });
    await time.advance(29_000);
    expect(http.requests.map(({ url }) => url)).toEqual([
      'https://a/nodes/7/ext/health',
      'https://a/nodes/7/ext/health/liveness',
    ]);
  });
});

describe('the end of a kept connection', () => {
  it.each([1_000, 5_000, 12_000])(
    'after %i ms by habit, with the node there, costs two polls and is then no news',
    async (afterMs) => {
      const { time, http, poller, sentAt, answers } = createPollerWorld();
      http.serve('http://a/', healthy);
      http.endIdle('http://a', afterMs);
      poller.put(target('a'));
      await time.advance(10 * minuteMs);
      expect(answers.every(({ reading }) => reading.kind === 'report')).toBe(true);
      expect(sentAt('a').length).toBeLessThanOrEqual(20 + 3);
      expect(poller.statusOf('a').keepsConnection).toBe(false);
      http.serve('http://a/', refused);
      await time.advance(20_000);
      expect(answers.at(-1)?.reading).toMatchObject({ state: 'unreachable' });
    },
  );

  it('is not waited for where each answer ends it: then its end shows by the next request', async () => {
    const { time, http, poller, answers } = createPollerWorld();
    const closing: FakeServer = () => jsonAnswer(200, { checks: {}, healthy: true }, { connection: 'close' });
    http.serve('http://a/', closing);
    poller.put(target('a'));
    expect(poller.statusOf('a').keepsConnection).toBeNull();
    await time.advance(61_000);
    expect(poller.statusOf('a').keepsConnection).toBe(false);
    http.serve('http://a/', refused);
    await time.advance(20_000);
    expect(answers.at(-1)?.reading).toMatchObject({ state: 'unreachable' });
    http.serve('http://a/', healthy);
    await time.advance(5_000);
    expect(answers.at(-1)?.reading.state).toBe('healthy');
    expect(poller.statusOf('a').keepsConnection).toBe(true);
  });

  it('during a restart shows the node as away and back', async () => {
    const world = await watched(30_000, 20 * minuteMs);
    const { time, http, answers } = world;
    const before = answers.length;
    http.bar('http://a', 'refused');
    await time.advance(8_000);
    http.bar('http://a', null);
    await time.advance(5_000);
    expect(answers.slice(before).map(({ reading }) => reading.state)).toEqual([
      'unreachable',
      'unreachable',
      'healthy',
    ]);
  });
});

describe('a proxy whose node is away', () => {
  it('is told of at the next request, and again when the node is back', async () => {
    const world = await watched(30_000, 10 * minuteMs);
    world.http.serve('http://a/', () => jsonAnswer(502, '<html>'));
    expect(await timeUntil(world, false, minuteMs)).toBeLessThanOrEqual(20_000);
    world.http.serve('http://a/', running(world.time));
    expect(await timeUntil(world, true, 2 * minuteMs)).toBeLessThanOrEqual(61_000);
  });
});
