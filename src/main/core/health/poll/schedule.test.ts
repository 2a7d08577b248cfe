import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Phase } from './phase.ts';
import {
  automaticIntervalMs,
  keepsLine,
  newState,
  nodeIdleLimitMs,
  toldPeriodMs,
  extraLook,
  nextDueMs,
  longestSilenceMs,
  nextSignMs,
  patienceMs,
  wakeMs,
  wasDisturbed,
  type Look,
  type PollEnd,
  type PollTarget,
} from './schedule.ts';
import { target } from '../testing/poller-world.ts';

const calm: PollEnd = {
  dueMs: 1_000,
  endedMs: 1_200,
  intervalMs: 30_000,
  failuresInRow: 0,
  retryAfterMs: null,
  jitter: 0,
  phase: null,
  isAutomatic: false,
  confirms: false,
};

describe('nextDueMs', () => {
  it.each([
    ['one interval after it was due, not after it ended', calm, 31_000],
    ['though it ended at that very moment', { ...calm, endedMs: 31_000 }, 31_000],
    ['skips what has passed', { ...calm, endedMs: 95_000 }, 121_000],
    ['a first failure waits no longer', { ...calm, failuresInRow: 1 }, 31_000],
    ['5 s after a first failure', { ...calm, intervalMs: 1_000, failuresInRow: 1 }, 6_200],
    ['10 s after a second', { ...calm, intervalMs: 1_000, failuresInRow: 2 }, 11_200],
    ['20 s after a third', { ...calm, intervalMs: 1_000, failuresInRow: 3 }, 21_200],
    ['60 s after a fifth', { ...calm, failuresInRow: 5 }, 61_200],
    ['60 s after a thousandth', { ...calm, failuresInRow: 1_000 }, 61_200],
    ['a fifth less by chance', { ...calm, failuresInRow: 5, jitter: 0.5 }, 55_200],
    ['5 s after a failure that is to be confirmed', { ...calm, failuresInRow: 1, confirms: true }, 6_200],
    [
      'what it was asked to wait, also before that',
      { ...calm, failuresInRow: 1, confirms: true, retryAfterMs: 9_000 },
      10_200,
    ],
    ['as ever after a second failure', { ...calm, failuresInRow: 2, confirms: true }, 31_000],
    ['what it was asked to wait', { ...calm, failuresInRow: 1, retryAfterMs: 90_000 }, 91_200],
    [
      'an interval that is longer than that',
      { ...calm, intervalMs: 3_600_000, failuresInRow: 9, retryAfterMs: 5 },
      3_601_000,
    ],
  ])('%s', (_case, poll, dueMs) => {
    expect(nextDueMs(poll)).toBe(dueMs);
  });

  it('is moved by at most what is documented, whatever a node says of its runs', () => {
    const lagMs = fc.double({ min: -1e15, max: 1e15, noNaN: true });
    const phase = fc.record({
      check: fc.constant('C'),
      lastRunMs: fc.integer({ min: 0, max: 8_640_000_000_000_000 }),
      lastSentMs: fc.nat(),
      firstSeenMs: fc.nat(),
      quietMs: fc.nat(),
      gapsMs: fc.constant([]),
      isSure: fc.boolean(),
      periodMs: fc.option(fc.double({ min: 1, max: 1e12, noNaN: true })),
      jitterMs: fc.double({ min: 0, max: 1e6, noNaN: true }),
      minLagMs: lagMs,
      maxLagMs: lagMs,
    });
    fc.assert(
      fc.property(
        phase,
        fc.integer({ min: 1_000, max: 86_400_000 }),
        fc.nat(20_000),
        (known, intervalMs, tookMs) => {
          const poll = { ...calm, endedMs: calm.dueMs + tookMs, intervalMs };
          const slotMs = nextDueMs(poll);
          const next = nextDueMs({ ...poll, phase: known });
          expect(next).toBeGreaterThanOrEqual(Math.max(poll.endedMs, slotMs - intervalMs / 10));
          expect(next).toBeLessThanOrEqual(slotMs + intervalMs);
        },
      ),
    );
  });

  it('is never in the past, never faster than the interval, and at most the longest wait beyond it', () => {
    fc.assert(
      fc.property(
        fc.record({
          dueMs: fc.integer({ min: 0, max: 1_000_000 }),
          tookMs: fc.integer({ min: 0, max: 1_000_000 }),
          intervalMs: fc.integer({ min: 1_000, max: 86_400_000 }),
          failuresInRow: fc.nat(50),
          jitter: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        }),
        ({ dueMs, tookMs, ...rest }) => {
          const endedMs = dueMs + tookMs;
          const next = nextDueMs({ ...calm, ...rest, dueMs, endedMs });
          expect(next).toBeGreaterThanOrEqual(Math.max(endedMs, dueMs + rest.intervalMs));
          expect(next).toBeLessThanOrEqual(endedMs + Math.max(rest.intervalMs, 60_000));
          if (rest.failuresInRow === 0) expect((next - dueMs) % rest.intervalMs).toBe(0);
        },
      ),
    );
  });
});

/** Runs were seen at 0 and every 30 s; they are visible 400 ms later. */
const locked: Phase = {
  check: 'C',
  lastRunMs: 0,
  lastSentMs: 0,
  firstSeenMs: 500,
  quietMs: 29_000,
  gapsMs: [30_000, 30_000, 30_000],
  periodMs: 30_000,
  isSure: true,
  jitterMs: 0,
  minLagMs: 0,
  maxLagMs: 400,
};

describe('a poll falls in with the runs', () => {
  const poll = { ...calm, dueMs: 1_000, endedMs: 1_200, phase: locked };
  it.each<[string, Partial<PollEnd>, number]>([
    ['that are nearest to its slot', {}, 30_600],
    ['every second of them', { intervalMs: 60_000 }, 60_600],
    ['where it is half of the period', { intervalMs: 15_000, dueMs: 16_000, endedMs: 16_200 }, 30_600],
    ['not where it is no multiple of the period', { intervalMs: 40_000 }, 41_000],
    ['not where the period is no multiple of it', { intervalMs: 20_000, dueMs: 5_000 }, 25_000],
    ['nearly a multiple is enough', { intervalMs: 27_500 }, 30_600],
    ['a tenth more is not', { intervalMs: 26_900 }, 27_900],
    ['two minutes still', { intervalMs: 120_000 }, 120_600],
    ['not beyond', { intervalMs: 120_001 }, 121_001],
    ['not while the period is unknown', { phase: { ...locked, periodMs: null } }, 31_000],
    [
      'by a tenth of the interval at most',
      { phase: { ...locked, minLagMs: -9_000, maxLagMs: -8_600 } },
      51_600,
    ],
    [
      'earlier while it is learned how late they are visible',
      { isAutomatic: true, phase: { ...locked, minLagMs: -20_000, maxLagMs: 20_000 } },
      30_000,
    ],
  ])('%s', (_case, end, dueMs) => {
    expect(nextDueMs({ ...poll, ...end })).toBe(dueMs);
  });
});

describe('what is told', () => {
  const automatic = { id: 'a', url: '', intervalMs: null, paused: false, revision: 0 };
  const every30s = { ...automatic, intervalMs: 30_000 };
  it.each<[string, PollTarget, Phase | null, number | null]>([
    ['nothing of a node without runs', automatic, null, null],
    ['a sure period', automatic, locked, 30_000],
    ['no guess', automatic, { ...locked, isSure: false }, null],
    ['at an interval of a person’s, one of three gaps', every30s, { ...locked, isSure: false }, 30_000],
    ['not of two', every30s, { ...locked, gapsMs: [30_000, 30_000] }, null],
  ])('of a period: %s', (_case, to, phase, periodMs) => {
    expect(toldPeriodMs({ target: to, phase })).toBe(periodMs);
  });

  it.each([
    [null, nodeIdleLimitMs, null],
    [true, nodeIdleLimitMs, true],
    [false, nodeIdleLimitMs, false],
    [true, longestSilenceMs, false],
    [true, longestSilenceMs + 1, true],
  ])('of the connection: kept %s, idle for %i ms at most', (isKept, idleLimitMs, keeps) => {
    expect(keepsLine({ ...newState(automatic, 0), isKept, idleLimitMs })).toBe(keeps);
  });
});

describe('automaticIntervalMs', () => {
  it.each([
    [null, 30_000],
    [0, 30_000],
    [-5, 30_000],
    [Number.NaN, 30_000],
    [30_000, 30_000],
    [13_400, 13_400],
    [7_000, 14_000],
    [120_000, 120_000],
    [4_000, 16_000],
    [1, 13_400],
    [121_000, 60_500],
    [600_000, 120_000],
  ])('period %s: every %i ms', (periodMs, intervalMs) => {
    expect(automaticIntervalMs(periodMs)).toBe(intervalMs);
  });

  it('is between 13.4 s and two minutes, and in time with the period', () => {
    fc.assert(
      fc.property(fc.double({ min: 1, max: 1e9, noNaN: true }), (periodMs) => {
        const intervalMs = automaticIntervalMs(periodMs);
        expect(intervalMs).toBeLessThanOrEqual(120_000);
        expect(intervalMs).toBeGreaterThanOrEqual(13_400 - 1e-6);
        const ratio = intervalMs > periodMs ? intervalMs / periodMs : periodMs / intervalMs;
        expect(Math.abs(ratio - Math.round(ratio))).toBeLessThan(1e-6);
      }),
    );
  });
});

describe('nextSignMs', () => {
  it.each([
    ['a poll that is due soon', 0, 15_750, null],
    ['a poll that is overdue', 10_000, 7_500, null],
    ['half of an interval', 0, 30_000, 15_000],
    ['half of one that is a little longer', 0, 31_500, 15_750],
    ['half of one for which a third would be too often', 0, 40_000, 20_000],
    ['a third', 0, 40_200, 13_400],
    ['none of an interval of which the half would be too often', 0, 26_799, null],
    ['half', 0, 26_800, 13_400],
    ['a quarter of a minute', 0, 60_000, 15_000],
  ])('%s', (_what, lastSignMs, dueMs, expected) => {
    expect(nextSignMs(lastSignMs, dueMs, dueMs - lastSignMs)).toBe(expected);
  });

  it.each([
    ['a wait that is shorter than the interval', 26_799, 26_800, 15_750],
    ['none where the interval is so short', 26_799, 26_799, null],
    ['none where the poll is due soon', 15_750, 30_000, null],
  ])('also divides %s', (_what, dueMs, intervalMs, expected) => {
    expect(nextSignMs(0, dueMs, intervalMs)).toBe(expected);
  });

  it.each([
    ['automatically', null, 15_750],
    ['at an interval of a person’s', 30_000, 22_000],
  ])('wakes for a node that is polled %s', (_how, intervalMs, expected) => {
    const state = newState(target('a', intervalMs), 0);
    expect(wakeMs({ ...state, due: { atMs: 22_000, gridMs: 22_000, asking: 'regular' } })).toBe(expected);
  });

  it('asks at most nine times in two minutes, leaves 27 s at most, and comes before the poll', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.nat(120_000), (lastSignMs, waitMs) => {
        const next = nextSignMs(lastSignMs, lastSignMs + waitMs, 0);
        const silenceMs = (next ?? lastSignMs + waitMs) - lastSignMs;
        expect(silenceMs).toBeLessThan(26_800);
        if (next !== null) expect(silenceMs).toBeLessThan(waitMs);
        if (next !== null) expect(silenceMs).toBeGreaterThanOrEqual(13_400);
      }),
    );
  });
});

describe('patienceMs', () => {
  it.each([
    [null, 30_000, 10_000],
    [100, 30_000, 3_500],
    [1_000, 30_000, 8_000],
    [5_000, 30_000, 10_000],
    [100, 2_000, 2_000],
  ])('with a node that usually takes %s ms, every %i ms: %i', (usualMs, intervalMs, limitMs) => {
    expect(patienceMs(usualMs, intervalMs)).toBe(limitMs);
  });

  it('lets the hang of a quick node be known within 20 s, also on a busy computer', () => {
    expect(longestSilenceMs + patienceMs(400, 30_000)).toBeLessThanOrEqual(19_500);
  });
});

describe('wasDisturbed', () => {
  it.each([
    ['an answer', 200, 200, false],
    ['a timeout', 10_001, 10_002, false],
    ['a busy computer', 14_000, 14_000, false],
    ['a clock that is put right by a time server', 4_000, 200, false],
    ['sleep that only the system’s clock counts', 3_600_200, 200, true],
    ['sleep that both clocks count', 3_600_200, 3_600_200, true],
    ['a clock that was set back', -3_600_000, 200, true],
    ['a process that was stopped', 15_001, 15_001, true],
  ])('%s', (_what, wallMs, monotonicMs, disturbed) => {
    expect(wasDisturbed({ wallMs, monotonicMs, patienceMs: 10_000 })).toBe(disturbed);
  });
});

describe('extraLook', () => {
  const phase: Phase = {
    check: 'C',
    lastRunMs: 0,
    lastSentMs: 0,
    firstSeenMs: 100,
    quietMs: 16_000,
    gapsMs: [30_000],
    periodMs: 30_000,
    isSure: true,
    jitterMs: 0,
    minLagMs: 0,
    maxLagMs: 500,
  };
  const look: Look = {
    endedMs: 100_000,
    phase,
    sawNewRun: true,
    explored: { periodMs: 30_000, atMs: 0 },
    learnLooks: 0,
  };
  const unlocked: Phase = { ...phase, maxLagMs: 20_000 };
  const unknown: Phase = { ...phase, periodMs: null, isSure: false };
  const unsure: Phase = { ...phase, isSure: false };
  it.each<[string, Look, ReturnType<typeof extraLook>]>([
    ['none, when the run was there and the period is known for good', look, null],
    ['soon, when the run is late', { ...look, sawNewRun: false }, { atMs: 101_000, why: 'retry' }],
    [
      'a little later with jitter',
      { ...look, sawNewRun: false, phase: { ...phase, jitterMs: 800 } },
      { atMs: 101_600, why: 'retry' },
    ],
    [
      'when the run must be there, where the times of runs are not known well yet',
      { ...look, sawNewRun: false, phase: { ...phase, maxLagMs: 14_000 } },
      { atMs: 104_200, why: 'retry' },
    ],
    [
      'none for a late run that could not be met anyway',
      { ...look, sawNewRun: false, phase: unlocked },
      null,
    ],
    [
      'none for a late run of a node that runs every two seconds',
      { ...look, sawNewRun: false, phase: { ...phase, periodMs: 2_000 } },
      null,
    ],
    ['the middle of a period that is new', { ...look, explored: null }, { atMs: 115_250, why: 'explore' }],
    [
      'the middle of one that is not sure, and is another than before',
      { ...look, phase: unsure, explored: { periodMs: 60_000, atMs: 99_000 } },
      { atMs: 115_250, why: 'explore' },
    ],
    [
      'none yet in one that a look did not make sure',
      { ...look, phase: unsure, explored: { periodMs: 29_000, atMs: 11_000 } },
      null,
    ],
    [
      'the middle again in one that a look did not make sure',
      { ...look, phase: unsure, explored: { periodMs: 29_000, atMs: 10_000 } },
      { atMs: 115_250, why: 'explore' },
    ],
    [
      'just after the next run where no two runs were seen one after the other',
      { ...look, phase: { ...unsure, periodMs: 10_000 }, explored: null },
      { atMs: 110_250, why: 'explore' },
    ],
    ['none in a sure one for ten minutes', { ...look, endedMs: 599_000 }, null],
    ['the middle again after ten minutes', { ...look, endedMs: 600_000 }, { atMs: 615_250, why: 'explore' }],
    [
      'none in a sure one of two minutes for twenty periods',
      { ...look, endedMs: 2_399_000, phase: { ...phase, periodMs: 120_000 } },
      null,
    ],
    [
      'none in the middle of less than a second',
      { ...look, phase: { ...phase, periodMs: 1_400 }, explored: null },
      null,
    ],
    ['soon while no period is known', { ...look, phase: unknown }, { atMs: 115_000, why: 'learn' }],
    ['soon for a twelfth time', { ...look, phase: unknown, learnLooks: 11 }, { atMs: 115_000, why: 'learn' }],
    ['none for a thirteenth time', { ...look, phase: unknown, learnLooks: 12 }, null],
    ['none of a node that tells no times', { ...look, phase: null }, null],
  ])('%s', (_what, given, expected) => {
    expect(extraLook(given)).toEqual(expected);
  });
});
