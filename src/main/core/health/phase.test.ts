import { describe, expect, it } from 'vitest';
import { learnPhase, nextSightingMs, type Phase } from './phase.ts';
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
    gapsMs: [],
    periodMs: null,
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

  it('knows nothing of a node that tells no times', () => {
    expect(learned(at(null, 1_000))).toBeNull();
    expect(learnPhase(null, { checks: [], sentMs: 0, answeredMs: 1 })).toBeNull();
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

describe('nextSightingMs', () => {
  const phase: Phase = {
    check: 'C',
    lastRunMs: 500_000,
    lastSentMs: 0,
    gapsMs: [30_000],
    periodMs: 30_000,
    jitterMs: 20,
    minLagMs: -490_000,
    maxLagMs: -489_500,
  };

  it.each([
    ['just after the next run', phase, 20_000, 40_730],
    ['after a later one', phase, 40_731, 70_730],
    ['never the run that was seen', phase, 0, 40_730],
    ['in the middle of what is not known', { ...phase, minLagMs: -500_000 }, 20_000, 35_250],
  ])('%s', (_case, known, notBeforeMs, expected) => {
    expect(nextSightingMs(known, notBeforeMs)).toBe(expected);
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
