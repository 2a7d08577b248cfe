import { describe, expect, it } from 'vitest';
import { jsonAnswer, type FakeServer, type FakeTime } from '../testing/fake-ports.ts';
import { createPollerWorld, healthy, target as targetOf } from '../testing/poller-world.ts';

const minuteMs = 60_000;
const hourMs = 3_600_000;

const target = targetOf('a', null);
const createWorld = (latencyMs = 100) => createPollerWorld({ latencyMs, fraction: 0.5 });

/** The same numbers in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

/** A node that runs at its own pace, by a clock of its own, whatever is asked; `runsMs` are its runs by our clock. */
function runningNode(time: FakeTime, periodMs: number, jitterMs: number, forMs: number) {
  const random = seeded(periodMs + jitterMs);
  const clockOffsetMs = 1_700_000_000_000 - 4_000_000;
  const runsMs: number[] = [];
  for (let atMs = random() * periodMs; atMs < forMs; atMs += periodMs)
    runsMs.push(atMs + random() * jitterMs);
  let newest = -1;
  const server: FakeServer = () => {
    const nowMs = time.clock.monotonicMs();
    while ((runsMs[newest + 1] ?? Infinity) <= nowMs) newest += 1;
    const ranMs = runsMs[newest];
    const check =
      ranMs === undefined
        ? { error: 'not yet run', timestamp: '0001-01-01T00:00:00Z' }
        : { timestamp: new Date(clockOffsetMs + ranMs).toISOString(), duration: 1 };
    return jsonAnswer(200, { checks: { C: check }, healthy: true });
  };
  return { runsMs, server };
}

/** How long after each run of the second half of the time it was seen, sorted. */
function delaysOf(
  runsMs: readonly number[],
  answers: readonly { atMs: number }[],
  fromMs: number,
  toMs: number,
) {
  return runsMs
    .filter((ms) => ms >= fromMs && ms < toMs)
    .map((ms) => (answers.find(({ atMs }) => atMs >= ms)?.atMs ?? Infinity) - ms)
    .sort((a, b) => a - b);
}

describe('a node that is polled automatically', () => {
  it.each([
    [15_000, 500],
    [30_000, 0],
    [30_000, 500],
    [47_000, 500],
    [60_000, 0],
    [60_000, 800],
    [100_000, 500],
  ])(
    'every %i ms with %i ms of jitter is seen within 2 s of its runs, by one poll a run',
    async (periodMs, jitterMs) => {
      const { time, http, poller, answers } = createWorld();
      const node = runningNode(time, periodMs, jitterMs, 7 * hourMs);
      http.serve('http://a/', node.server);
      poller.put(target);
      await time.advance(6 * hourMs);
      const delays = delaysOf(node.runsMs, answers, 2 * hourMs, 5 * hourMs);
      const p95 = delays[Math.floor(delays.length * 0.95)] ?? Infinity;
      expect(p95).toBeLessThan(2_000);
      expect(answers.length / ((6 * hourMs) / periodMs)).toBeLessThan(1.1);
    },
  );

  it('is found to run twice as often as it is asked', async () => {
    const { time, http, poller } = createWorld();
    http.serve('http://a/', runningNode(time, 15_000, 0, 2 * hourMs).server);
    poller.put(target);
    await time.advance(10 * minuteMs);
    expect(poller.statusOf('a').periodMs).toBeCloseTo(15_000, -1);
  });

  it.each([
    [30_000, 20_000],
    [30_000, 10_000],
    [30_000, 47_000],
    [60_000, 7_000],
    [15_000, 30_000],
    [10_000, 10_000],
  ])(
    'every %i ms and then, after a restart, every %i ms: nothing is told but the one and then the other',
    async (beforeMs, afterMs) => {
      const { time, http, poller } = createWorld();
      const told = new Set<number | null>();
      const watch = async (forMs: number): Promise<void> => {
        for (let second = 0; second < forMs / 1_000; second += 1) {
          await time.advance(1_000);
          const { periodMs } = poller.statusOf('a');
          // To a tenth: the jitter of one run is in it.
          const near = [beforeMs, afterMs].find(
            (ms) => periodMs !== null && Math.abs(periodMs / ms - 1) < 0.1,
          );
          told.add(periodMs === null ? null : (near ?? periodMs));
        }
      };
      const start = (periodMs: number): void =>
        http.serve('http://a/', runningNode(time, periodMs, 200, 2 * hourMs).server);
      start(beforeMs);
      poller.put(target);
      await watch(10 * minuteMs);
      expect(told).toEqual(new Set([null, beforeMs]));
      http.bar('http://a', 'refused');
      http.serve('http://a/', () => ({ kind: 'failure', reason: 'refused', detail: '' }));
      await time.advance(15_000);
      http.bar('http://a', null);
      start(afterMs);
      await watch(10 * minuteMs);
      expect(told).toEqual(new Set([null, beforeMs, afterMs]));
      expect(poller.statusOf('a').periodMs).toBeCloseTo(afterMs, -3);
    },
  );

  it('is asked every 30 s while it tells nothing of its period', async () => {
    const { time, http, poller, sentAt } = createWorld();
    http.serve('http://a/', healthy);
    poller.put(target);
    await time.advance(95_000);
    expect(sentAt('a')).toEqual([0, 30_000, 60_000, 90_000]);
  });
});

describe('a computer that was not itself while a node was asked', () => {
  it('asks again instead of telling a failure', async () => {
    const { time, http, log, poller, answers } = createWorld();
    http.serve('http://a/', () => 'hang');
    poller.put(target);
    await time.advance(5_000);
    // Asleep for eight hours, which only the clock of the system knows.
    time.stepClock(8 * hourMs);
    http.serve('http://a/', () => jsonAnswer(200, { checks: {}, healthy: true }));
    await time.advance(6_000);
    expect(answers.map(({ reading }) => reading.kind)).toEqual(['report']);
    expect(log.entries).toEqual([{ level: 'info', event: 'node.poll-disturbed' }]);
  });

  it('tells the failure in the end, however often its clock is set', async () => {
    const { time, http, poller, answers } = createWorld();
    http.serve('http://a/', () => 'hang');
    poller.put(target);
    for (let step = 0; step < 20; step += 1) {
      time.stepClock(-60_000);
      await time.advance(4_000);
    }
    expect(answers.length).toBeGreaterThanOrEqual(1);
    expect(answers[0]?.reading).toMatchObject({ kind: 'no-report' });
  });

  it('believes an answer that came all the same', async () => {
    const { time, http, poller, answers } = createWorld(2_000);
    http.serve('http://a/', () => jsonAnswer(200, { checks: {}, healthy: true }));
    poller.put(target);
    await time.advance(1_000);
    time.stepClock(hourMs);
    await time.advance(2_000);
    expect(answers.map(({ reading }) => reading.kind)).toEqual(['report']);
  });
});

describe('a node that is paused', () => {
  it('is asked only when somebody wants it, and at once when it goes on', async () => {
    const { time, http, poller, sentAt } = createWorld();
    http.serve('http://a/', () => jsonAnswer(200, { checks: {}, healthy: true }));
    poller.put({ ...target, paused: true });
    await time.advance(minuteMs);
    expect(sentAt('a')).toEqual([]);
    void poller.pollNow('a');
    await time.advance(minuteMs);
    expect(sentAt('a')).toEqual([minuteMs]);
    expect(poller.statusOf('a')).toMatchObject({ polling: false, nextPollAtMs: null });
    poller.put(target);
    await time.advance(1_000);
    expect(sentAt('a')).toEqual([minuteMs, 2 * minuteMs]);
    poller.put({ ...target, paused: true });
    poller.suspend();
    poller.resume();
    await time.advance(hourMs);
    expect(sentAt('a')).toHaveLength(2);
  });
});

it('a period that is not sure yet is a guess', async () => {
  const { time, http, poller, rhythms } = createWorld();
  http.serve('http://a/', runningNode(time, 300_000, 0, 2 * hourMs).server);
  poller.put({ ...target, intervalMs: minuteMs });
  await time.advance(11 * minuteMs);
  expect(poller.statusOf('a').periodMs).toBeNull();
  expect(rhythms.at(-1)).toMatchObject({ periodMs: null, guessMs: expect.any(Number) });
});
