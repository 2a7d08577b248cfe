import { describe, expect, it } from 'vitest';
import { isLocked, nextSightingMs, type Phase } from './phase.ts';
import { learnPhase } from '../testing/clocks.ts';
import { nextDueMs } from './schedule.ts';

const at = (ranAtMs: number | null, sentMs: number, answeredMs = sentMs + 100) => ({
  checks: [{ name: 'C', ranAtMs }],
  sentMs,
  answeredMs,
});

function learned(...polls: Parameters<typeof learnPhase>[1][]): Phase | null {
  return polls.reduce<Phase | null>(learnPhase, null);
}

describe('learnPhase', () => {
  const first = {
    check: 'C',
    lastRunMs: 500_000,
    lastSentMs: 1_000,
    firstSeenMs: 1_100,
    quietMs: 0,
    gapsMs: [],
    periodMs: null,
    isSure: false,
    jitterMs: 0,
  };

  it('knows after one run only how late it can be seen at most', () => {
    expect(learned(at(500_000, 1_000))).toEqual({ ...first, minLagMs: -Infinity, maxLagMs: 1_100 - 500_000 });
  });

  it('knows after two runs how long they are apart, and from when on the second could not be seen earlier', () => {
    const phase = learned(at(500_000, 1_000), at(530_000, 31_000));
    expect(phase).toMatchObject({ lastRunMs: 530_000, lastSentMs: 31_000, periodMs: 30_000 });
    expect(phase?.minLagMs).toBeCloseTo(1_000 - 530_000, -1);
    expect(phase?.maxLagMs).toBeCloseTo(1_100 - 500_000, -1);
  });

  it('learns from a poll in which nothing is new that the next run could not be seen yet', () => {
    const phase = learned(at(500_000, 1_000), at(500_000, 20_000), at(530_000, 31_000));
    expect(phase?.minLagMs).toBeCloseTo(20_000 - 530_000, -1);
  });

  it('takes a longer gap for several periods, and a shorter one for the period', () => {
    expect(learned(at(0, 0), at(30_000, 30_000), at(120_000, 120_000))?.periodMs).toBe(30_000);
    expect(learned(at(0, 0), at(60_000, 60_000), at(90_000, 90_000))?.periodMs).toBe(30_000);
    const late = learned(at(0, 0), at(30_000, 30_000), at(60_400, 60_400));
    expect(late).toMatchObject({ periodMs: 30_200, jitterMs: 200 });
  });

  it('follows one check, the one that ended last, and another when that is gone', () => {
    const checks = [
      { name: 'quick', ranAtMs: 10_000 },
      { name: 'slow', ranAtMs: 12_000 },
      { name: 'pending', ranAtMs: null },
    ];
    const phase = learnPhase(null, { ...at(0, 0), checks });
    expect(phase).toMatchObject({ check: 'slow', lastRunMs: 12_000 });
    const partly = [{ name: 'quick', ranAtMs: 40_000 }, ...checks.slice(1)];
    expect(learnPhase(phase, { ...at(0, 30_000), checks: partly })).toMatchObject({ lastRunMs: 12_000 });
    expect(learnPhase(phase, { ...at(0, 30_000), checks: partly.slice(0, 1) })).toMatchObject({
      check: 'quick',
      periodMs: null,
    });
  });

  it('follows the first of checks that ended at the same time, and not one that ended before', () => {
    const checks = [12_000, 12_000, 10_000].map((ranAtMs, index) => ({ name: `check ${index}`, ranAtMs }));
    expect(learnPhase(null, { ...at(0, 0), checks })).toMatchObject({ check: 'check 0', lastRunMs: 12_000 });
  });

  it('knows nothing of a node that tells no times', () => {
    expect(learned(at(null, 1_000))).toBeNull();
    expect(learnPhase(null, { checks: [], sentMs: 0, answeredMs: 1 })).toBeNull();
    expect(learned(at(0, 0), at(null, 30_000))).toBeNull();
  });

  it('finds no period in gaps that have nothing in common', () => {
    const phase = learned(at(0, 0), at(30_000, 30_000), at(65_000, 65_000), at(106_000, 106_000));
    expect(phase).toMatchObject({ gapsMs: [30_000, 35_000, 41_000], periodMs: null });
  });

  it('remembers the last eight gaps', () => {
    const polls = Array.from({ length: 12 }, (_, run) => at(run * 30_000, run * 30_000));
    expect(learned(at(-45_000, -45_000), ...polls)).toMatchObject({
      gapsMs: Array(8).fill(30_000),
      periodMs: 30_000,
    });
  });

  // 1 s after the run, 1 s before the next, 100 ms after it.
  const before = [at(500_000, 1_000), at(500_000, 29_000), at(530_000, 30_100)] as const;
  it.each([
    ['back', 460_000],
    ['forward', 3_660_000],
  ])('begins anew when the clock of the node was set %s', (_way, ranAtMs) => {
    expect(learned(...before)?.periodMs).toBe(30_000);
    const after = learned(...before, at(ranAtMs, 60_100));
    expect(after).toMatchObject({ lastRunMs: ranAtMs, gapsMs: [], periodMs: null, minLagMs: -Infinity });
  });

  it('knows from a run that is not there yet that the lag is larger', () => {
    // Due at 30 s plus the lag, and not seen at 59.9 s.
    const phase = learned(...before, at(530_000, 59_900));
    expect(phase?.minLagMs).toBeCloseTo(59_900 - 560_000 - 200, -1);
  });

  it('knows less of the lag as time goes on, because clocks run apart', () => {
    const phase = learned(...before, at(530_000, 31_100));
    expect(phase?.minLagMs).toBeCloseTo(29_000 - 530_000 - 0.02, 5);
    expect(phase?.maxLagMs).toBeCloseTo(30_200 - 530_000 + 0.02, 5);
  });

  it('knows nothing of the lag from a run that is not there yet while no period is known', () => {
    expect(learned(at(500_000, 1_000), at(500_000, 1_150))?.minLagMs).toBe(-Infinity);
  });

  it('takes the lag for larger when a run is overdue, and for what it was when the node was only late', () => {
    const known = learned(...before);
    const overdue = learned(...before, at(530_000, 62_000));
    expect(overdue?.maxLagMs).toBe(62_000 - 560_000);
    expect(overdue?.maxLagMs).toBeGreaterThan(known?.maxLagMs ?? 0);
    const seen = learned(...before, at(530_000, 62_000), at(563_000, 63_000), at(590_000, 90_100));
    expect(seen?.maxLagMs).toBeLessThanOrEqual((known?.maxLagMs ?? 0) + 100);
    // After a whole period it is not the clocks.
    const hung = learned(...before, at(530_000, 120_000));
    expect(hung?.maxLagMs).toBeCloseTo(known?.maxLagMs ?? 0, -1);
  });
});

describe('a period', () => {
  // Runs of every 30 s, each seen 1 s later.
  const runs = (from: number, count: number) =>
    Array.from({ length: count }, (_, run) => at((from + run) * 30_000, (from + run) * 30_000 + 1_000));
  /** Nothing new, half a period after the run before. */
  const look = (run: number) => at(run * 30_000, run * 30_000 + 16_500);
  const sure = [...runs(0, 3), look(2), ...runs(3, 1)] as const;

  it('is not sure while nobody has looked whether the node runs twice as often', () => {
    expect(learned(...runs(0, 10))).toMatchObject({ periodMs: 30_000, isSure: false });
  });

  it('is sure when somebody has looked at its middle and then saw the next run', () => {
    expect(learned(...runs(0, 3), look(2))).toMatchObject({ periodMs: 30_000, isSure: false });
    expect(learned(...sure, ...runs(4, 20))).toMatchObject({ periodMs: 30_000, isSure: true });
  });

  it('is not sure after one gap, and is so after two', () => {
    const looked = [at(0, 1_000), at(0, 17_500), at(30_000, 31_000)];
    expect(learned(...looked)).toMatchObject({ periodMs: 30_000, quietMs: 16_400, isSure: false });
    expect(learned(...looked, at(60_000, 61_000))).toMatchObject({ periodMs: 30_000, isSure: true });
  });

  it('is not sure while no two runs were seen one after the other', () => {
    const seldom = [at(0, 1_000), at(60_000, 61_000), at(150_000, 151_000)];
    const looked = learned(...seldom, at(150_000, 167_500), at(210_000, 211_000));
    expect(looked).toMatchObject({ periodMs: 30_000, quietMs: 16_400, isSure: false });
  });

  it.each([
    ['at a twenty-fifth of the period', 30_000, 31_100, true],
    ['beyond that', 30_000, 31_300, false],
    ['at 0.4 s of a short one', 6_000, 6_300, true],
    ['beyond that', 6_000, 6_500, false],
  ])('is contradicted by a gap that misses it: %s', (_what, periodMs, gapMs, isSure) => {
    const run = (count: number, lateMs = 0) => at(count * periodMs + lateMs, count * periodMs + lateMs + 100);
    const known = [run(0), run(1), at(periodMs, 1.7 * periodMs), run(2), run(3)];
    expect(learned(...known)).toMatchObject({ periodMs, isSure: true });
    expect(learned(...known, run(4, gapMs - periodMs))?.isSure).toBe(isSure);
  });

  it('is given up when nothing new was seen for longer, and then a run', () => {
    const known = [at(0, 100), at(2_000, 2_100), at(2_000, 3_500), at(4_000, 4_100)];
    expect(learned(...known)).toMatchObject({ periodMs: 2_000, isSure: true });
    const waited = learned(...known, at(4_000, 9_200), at(10_000, 10_100));
    expect(waited).toMatchObject({ periodMs: 6_000, quietMs: 5_000 });
  });

  it('is that of the newest three gaps where one before them was odd', () => {
    const seen = [0, 30_000, 71_300, 101_700, 131_900].map((ms) => at(ms, ms + 1_000));
    const phase = learned(...seen, at(131_900, 149_400), at(161_900, 162_900));
    expect(phase?.periodMs).toBe(30_200);
  });

  it('is looked for from the shortest gap on', () => {
    expect(learned(at(0, 0), at(60_000, 60_000), at(63_000, 63_000))?.periodMs).toBe(3_000);
  });

  it('is not sure after a run that does not fit it, until somebody has looked again', () => {
    const odd = at(110_000, 111_000);
    const after = [140, 170, 200].map((second) => at(second * 1_000, second * 1_000 + 1_000));
    expect(learned(...sure, odd)).toMatchObject({ isSure: false, quietMs: 0 });
    expect(learned(...sure, odd, ...after)).toMatchObject({ isSure: false });
    const looked = [at(200_000, 216_500), at(230_000, 231_000)];
    expect(learned(...sure, odd, ...after, ...looked)).toMatchObject({ isSure: true });
    expect(learned(...sure, odd, ...after, ...looked)?.periodMs).toBeCloseTo(30_000, -3);
  });

  it('is never shorter than a time in which nothing new was seen', () => {
    // Gaps of 30 and 45 s fit 15 s.
    const polls = [at(0, 1_000), at(30_000, 31_000), at(75_000, 76_000)];
    expect(learned(...polls, at(105_000, 106_000))).toMatchObject({ periodMs: 15_000 });
    expect(learned(...polls, at(75_000, 101_000), at(105_000, 106_000))).toMatchObject({ periodMs: 30_000 });
  });

  it('of which only every third run is seen stays what it was', () => {
    // Runs of every 2 s; once they were seen one after the other, with a look in between.
    const close = [at(0, 100), at(2_000, 2_100), at(2_000, 3_500), at(4_000, 4_100)];
    const rare = Array.from({ length: 20 }, (_, n) => at(10_000 + n * 6_000, 10_100 + n * 6_000));
    expect(learned(...close, ...rare)).toMatchObject({ periodMs: 2_000, isSure: true });
  });
});

describe('nextSightingMs', () => {
  const phase: Phase = {
    check: 'C',
    lastRunMs: 500_000,
    lastSentMs: 0,
    firstSeenMs: 100,
    quietMs: 16_000,
    gapsMs: [30_000],
    periodMs: 30_000,
    isSure: true,
    jitterMs: 20,
    minLagMs: -490_000,
    maxLagMs: -489_500,
  };

  it.each([
    ['just after the next run', phase, 20_000, 40_730],
    ['after a later one', phase, 40_731, 70_730],
    ['never the run that was seen', phase, 0, 40_730],
    ['also where the lag is known to 0.9 s', { ...phase, minLagMs: -490_400 }, 20_000, 40_730],
    ['in the middle of what is not known', { ...phase, minLagMs: -500_000 }, 20_000, 35_250],
  ])('%s', (_case, known, notBeforeMs, expected) => {
    expect(nextSightingMs(known, notBeforeMs)).toBe(expected);
  });

  it('can be met to a second when period and lag are known', () => {
    expect(isLocked({ ...phase, minLagMs: -490_400 })).toBe(true);
    expect(isLocked({ ...phase, minLagMs: -490_401 })).toBe(false);
    expect(isLocked({ ...phase, periodMs: null })).toBe(false);
  });

  it('is not known without a period', () => {
    expect(nextSightingMs({ ...phase, periodMs: null }, 0)).toBeNull();
  });
});

/**
 * Polls a node in made-up time until it has run `runs` times, and tells for each run that was seen how long after its end
 * the answer came, and when each poll was sent. The node's clock is another one and goes a little wrong.
 */
function simulate(periodMs: number, intervalMs: number, runs: number, seed: number): Simulated {
  const random = seeded(seed);
  const [offsetMs, firstMs] = [(random() - 0.5) * 1e9, random() * 60_000];
  const pace = 1 + (random() - 0.5) * 4e-5;
  const endsMs = Array.from({ length: runs }, (_, run) => firstMs + run * periodMs + random() * 200);
  const delaysMs: number[] = [];
  const sentMs: number[] = [];
  let phase: Phase | null = null;
  let newest = -1;
  let dueMs = 0;
  while (newest < runs - 1) {
    const latencyMs = 10 + random() * 100;
    const before = newest;
    while ((endsMs[newest + 1] ?? Infinity) <= dueMs + latencyMs / 2) newest += 1;
    const endMs = endsMs[newest];
    if (endMs !== undefined && newest > before) delaysMs.push(dueMs + latencyMs - endMs);
    const ranAtMs = endMs === undefined ? null : Math.trunc(endMs * pace + offsetMs);
    sentMs.push(dueMs);
    phase = learnPhase(phase, at(ranAtMs, dueMs, dueMs + latencyMs));
    const calm = {
      failuresInRow: 0,
      retryAfterMs: null,
      jitter: 0,
      isAutomatic: false,
      confirms: false,
    };
    dueMs = nextDueMs({ ...calm, dueMs, endedMs: dueMs + latencyMs, intervalMs, phase });
  }
  return { delaysMs, sentMs };
}

interface Simulated {
  delaysMs: number[];
  sentMs: number[];
}

/** Simulations of a hundred polls with ten seeds; `polls` is how many there were of a hundred asked for. */
function simulateMany(period: number, interval: number): { p95Ms: number; polls: number; gapsMs: number[] } {
  const runs = Math.ceil(100 * Math.max(1, interval / period));
  const all = Array.from({ length: 10 }, (_, seed) => simulate(period * 1_000, interval * 1_000, runs, seed));
  const delaysMs = all.flatMap(({ delaysMs: each }) => each.slice(15)).sort((a, b) => a - b);
  const spansMs = all.map(({ sentMs }) => (sentMs.at(-1) ?? 0) / (sentMs.length - 1));
  const gapsMs = all.flatMap(({ sentMs }) => sentMs.slice(1).map((ms, i) => ms - (sentMs[i] ?? 0)));
  return {
    p95Ms: delaysMs[Math.floor(delaysMs.length * 0.95)] ?? NaN,
    polls: (100 * interval * 1_000) / (spansMs.reduce((sum, ms) => sum + ms, 0) / spansMs.length),
    gapsMs,
  };
}

describe('polls and the runs of a node', () => {
  it.each([
    [7, 30],
    [30, 5],
    [30, 7],
    [30, 10],
    [29, 30],
    [30, 30],
    [31, 30],
    [30, 60],
    [60, 30],
    [60, 60],
  ])(
    'every %i s, polled every %i s: seen within 2 s, without more polls than asked for',
    (period, interval) => {
      const { p95Ms, polls, gapsMs } = simulateMany(period, interval);
      expect(p95Ms).toBeLessThan(2_000);
      expect(polls).toBeGreaterThan(90);
      expect(polls).toBeLessThan(110);
      expect(Math.max(...gapsMs)).toBeLessThanOrEqual(2 * interval * 1_000);
    },
  );

  it.each([
    [7, 10],
    [20, 30],
    [45, 30],
    [30, 3_600],
  ])(
    'every %i s, polled every %i s: out of time with each other, so the interval is kept',
    (period, interval) => {
      const { gapsMs } = simulateMany(period, interval);
      expect(new Set(gapsMs)).toEqual(new Set([interval * 1_000]));
    },
  );
});

/** Numbers in [0, 1) that look random and can be had again. */
function seeded(seed: number): () => number {
  let state = (seed * 7_919 + 1) >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
