import { describe, expect, it } from 'vitest';
import { runOf, type CheckRun } from '../../../../shared/health/check-run.ts';
import type { CheckReport, CheckState, HealthReport } from '../../../../shared/health/types.ts';
import { isStalled, markStalled, usualPeriodMs, watchStanding, type StandingChecks } from './stall.ts';

const check = (name: string, state: CheckState, ranAtMs: number | null = 1_000): CheckReport => ({
  name,
  state,
  error: null,
  message: null,
  ranAtMs,
  durationNs: null,
  contiguousFailures: null,
  firstFailureAtMs: null,
});

describe('isStalled', () => {
  const truth: [CheckState, number | null, number | null, boolean][] = [
    // Only a check that passes can be a stale green.
    ['pass', 90_001, 30_000, true],
    ['fail', 90_001, 30_000, false],
    ['pending', 90_001, 30_000, false],
    ['unknown', 90_001, 30_000, false],
    ['stalled', 90_001, 30_000, false],
    // Three periods are not more than three.
    ['pass', 90_000, 30_000, false],
    ['pass', 0, 30_000, false],
    // The node's own period counts.
    ['pass', 90_001, 60_000, false],
    ['pass', 180_001, 60_000, true],
    ['pass', 21_001, 7_000, true],
    // Not learned: it may be an hour.
    ['pass', 3_900_000, null, false],
    ['pass', 3_900_001, null, true],
    // Without a time of its own nothing can stand still.
    ['pass', null, 30_000, false],
    ['pass', null, null, false],
  ];
  it.each(truth)('%s, still for %s ms, period %s: %s', (state, stoodMs, periodMs, stalled) => {
    expect(isStalled(state, stoodMs, periodMs)).toBe(stalled);
  });
});

describe('watchStanding', () => {
  const stoodMs = (standing: StandingChecks | null, name = 'C'): number | undefined =>
    standing?.byCheck.get(name)?.stoodMs;

  /** Sees the check's times at the given moments. */
  function seen(...polls: [seenMs: number, ranAtMs: number | null][]): StandingChecks | null {
    return polls.reduce<StandingChecks | null>(
      (before, [seenMs, ranAtMs]) => watchStanding(before, [check('C', 'pass', ranAtMs)], seenMs, 90_000),
      null,
    );
  }

  it('adds up from poll to poll while the time is the same', () => {
    expect(stoodMs(seen([0, 1]))).toBe(0);
    expect(stoodMs(seen([0, 1], [30_000, 1], [61_000, 1]))).toBe(61_000);
  });

  it('begins anew with another time, earlier or later', () => {
    expect(stoodMs(seen([0, 5], [30_000, 6]))).toBe(0);
    expect(stoodMs(seen([0, 5], [30_000, 5], [60_000, 4]))).toBe(0);
  });

  it('does not count a time in which nobody looked', () => {
    expect(stoodMs(seen([0, 1], [30_000, 1], [120_001, 1]))).toBe(0);
    expect(stoodMs(seen([0, 1], [30_000, 1], [120_000, 1]))).toBe(120_000);
    expect(stoodMs(seen([0, 1], [45_000, 1], [90_000, 1]))).toBe(90_000);
  });

  it('knows nothing of a check without a time, or one that is gone', () => {
    expect(stoodMs(seen([0, 1], [30_000, null]))).toBeUndefined();
    expect(stoodMs(seen([0, null], [30_000, 1]))).toBe(0);
    const gone = watchStanding(seen([0, 1]), [], 30_000, 60_000);
    expect(gone).toEqual({ seenMs: 30_000, byCheck: new Map() });
  });
});

const report = (...checks: CheckReport[]): HealthReport => ({ healthy: true, checks, notes: ['odd'] });

describe('markStalled', () => {
  const standing = (ms: number): StandingChecks => ({
    seenMs: 0,
    byCheck: new Map(['C', 'P', 'X'].map((name) => [name, { ranAtMs: 1_000, stoodMs: ms }])),
  });

  it('leaves a report alone in which nothing stands still', () => {
    const before = report(check('C', 'pass'));
    expect(markStalled(before, standing(90_000), 30_000)).toBe(before);
    expect(markStalled(report(), standing(1e9), null)).toEqual(report());
  });

  it('marks what passes, keeps what fails, and says how it was judged', () => {
    const marked = markStalled(report(check('C', 'pass'), check('P', 'fail')), standing(95_500), 30_000);
    expect(marked.checks.map(({ state }) => state)).toEqual(['stalled', 'fail']);
    expect(marked.notes).toEqual([
      'odd',
      'Checks haven’t run for at least 95 s; the node usually runs them every 30 s.',
    ]);
    const still = standing(95_500);
    expect(markStalled(report(check('C', 'pass')), still, null).notes).toEqual(['odd']);
    // Another one has run meanwhile.
    const byCheck = new Map(still.byCheck).set('P', { ranAtMs: 1_000, stoodMs: 90_000 });
    expect(markStalled(report(check('C', 'pass')), { ...still, byCheck }, null).notes[1]).toContain(
      'their usual interval is unknown (assumed: every 30 s)',
    );
    expect(markStalled(report(check('C', 'pass')), standing(3_900_001), null).notes[1]).toContain(
      '(assumed: every hour)',
    );
  });
});

describe('the period that stored polls tell', () => {
  const run = (ranAtMs: number, name = 'C', state: CheckState = 'pass') => runOf(check(name, state), ranAtMs);

  it.each<[string, CheckRun[][], number | null]>([
    ['none without runs', [[], []], null],
    ['none of a single run', [[run(0)], []], null],
    ['none of two, which may be one whose time was corrected', [[run(5)], [run(12)]], null],
    ['the time between three', [[run(5)], [run(35, 'C', 'fail')], [run(65)]], 30],
    ['the longer one, where one was corrected', [[run(5)], [run(12)], [run(132)]], 120],
    ['the usual one, in whatever order', [[run(0)], [run(90)], [run(100)], [run(130)]], 30],
    ['of the check that ran most often', [[run(0, 'P'), run(0)], [run(10, 'P'), run(30)], [run(60)]], 30],
    ['of it wherever it stands', [[run(0), run(0, 'P')], [run(30), run(10, 'P')], [run(60)]], 30],
    [
      'of the first of two that ran as often',
      [
        [run(0), run(0, 'P')],
        [run(30), run(10, 'P')],
        [run(60), run(20, 'P')],
      ],
      30,
    ],
    [
      'by runs alone',
      [[run(0)], [run(5, 'C', 'stalled')], [run(6, 'C', 'pending')], [run(30)], [run(60)]],
      30,
    ],
  ])('%s', (_what, polls, periodMs) => {
    const stored = polls.map((runs) => ({ runs, reportJson: null, reportedNodeId: null }));
    expect(usualPeriodMs(stored, null)).toBe(periodMs);
  });

  it('of this node, and not of others that were at its URL', () => {
    const at = (reportedNodeId: string, ranAtMs: number) => ({
      ...{ reportedNodeId, runs: [run(ranAtMs)], reportJson: null },
    });
    const polls = [at('a', 0), at('b', 5), at('b', 12), at('b', 20), at('a', 300), at('a', 600)];
    expect(usualPeriodMs(polls, 'a')).toBe(300);
  });

  it('of runs that took equally long only one, whose time was corrected', () => {
    const polls = (...runs: [ranAtMs: number, durationNs: string][]) =>
      runs.map(([ranAtMs, durationNs]) => ({
        runs: [run(ranAtMs)],
        reportJson: JSON.stringify(report({ ...check('C', 'pass'), durationNs })),
        reportedNodeId: null,
      }));
    expect(usualPeriodMs(polls([5, '71'], [7, '71'], [10, '71']), null)).toBeNull();
    expect(usualPeriodMs(polls([5, '71'], [7, '71'], [10, '71'], [310, '64'], [610, '90']), null)).toBe(300);
    // Some nodes give no durations.
    expect(usualPeriodMs(polls([5, '0'], [35, '0'], [65, '0']), null)).toBe(30);
  });
});
