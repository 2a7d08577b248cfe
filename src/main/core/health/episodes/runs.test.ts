import { describe, expect, it } from 'vitest';
import type { CheckReport, HealthReport } from '../../../../shared/health/types.ts';
import { runTimeMs } from '../../../../shared/health/uptime.ts';
import { newRuns, timeOf, toSeenRun, type SeenRun } from './runs.ts';

const polledAtMs = 1_000_000;

const passing: CheckReport = {
  name: 'C',
  state: 'pass',
  error: null,
  message: null,
  ranAtMs: 990_000,
  durationNs: null,
  contiguousFailures: null,
  firstFailureAtMs: null,
};
const failing: CheckReport = {
  ...passing,
  state: 'fail',
  error: 'down',
  message: { a: ['1'] },
  durationNs: '12',
  contiguousFailures: 2,
  firstFailureAtMs: 960_000,
};

const reportOf = (...checks: CheckReport[]): HealthReport => ({ healthy: true, checks, notes: [] });

function seenAfter(check: CheckReport, ranAtMs: number): ReadonlyMap<string, SeenRun> {
  const run = toSeenRun(check, ranAtMs);
  return new Map(run === null ? [] : [[check.name, run]]);
}

it('the time of a run is the one that uptime counts it for, also of one that is said to be days old', () => {
  const dayMs = 86_400_000;
  const nowMs = 10 * dayMs;
  for (const ranAtMs of [null, 0, nowMs - dayMs, nowMs - dayMs + 1, nowMs - 1, nowMs, nowMs + 1]) {
    const [run] = newRuns(reportOf({ ...passing, ranAtMs }), null, new Map(), nowMs);
    const isBelieved = ranAtMs !== null && ranAtMs > nowMs - dayMs && ranAtMs <= nowMs;
    expect(run?.ranAtMs).toBe(isBelieved ? ranAtMs : nowMs);
    expect(run?.ranAtMs).toBe(runTimeMs(run?.ranAtMs ?? 0, nowMs));
  }
});

describe('newRuns', () => {
  it('takes over all that the node says of a run', () => {
    expect(newRuns(reportOf(failing), null, new Map(), polledAtMs)).toEqual([
      {
        check: 'C',
        state: 'fail',
        ranAtMs: 990_000,
        contiguousFailures: 2,
        firstFailureAtMs: 960_000,
        error: 'down',
      },
    ]);
  });

  const seen = seenAfter(failing, 990_000);
  it.each<[string, CheckReport, number | null]>([
    ['the same run again', failing, null],
    ['the same run with another text', { ...failing, error: 'still down' }, null],
    ['a later run', { ...failing, ranAtMs: 995_000 }, 995_000],
    ['an earlier time: the node’s clock was set back', { ...failing, ranAtMs: 900_000 }, 900_000],
    ['the same time with another state', { ...passing, ranAtMs: 990_000 }, polledAtMs],
    ['the same time with another count', { ...failing, contiguousFailures: 3 }, polledAtMs],
    ['no time', { ...failing, ranAtMs: null }, polledAtMs],
    ['a time in the future', { ...failing, ranAtMs: 4_000_000 }, polledAtMs],
    ['the moment of the poll', { ...failing, ranAtMs: polledAtMs }, polledAtMs],
    ['not run yet', { ...failing, state: 'pending', ranAtMs: null }, polledAtMs],
    ['unreadable', { ...failing, state: 'unknown', ranAtMs: null }, polledAtMs],
  ])('%s', (_case, check, ranAtMs) => {
    const runs = newRuns(reportOf(check), reportOf(failing), seen, polledAtMs);
    expect(runs.map((run) => [run.state, run.ranAtMs])).toEqual(
      ranAtMs === null ? [] : [[check.state, ranAtMs]],
    );
  });

  it('knows a run with a time in the future again', () => {
    const ahead = { ...failing, ranAtMs: 4_000_000 };
    const after = seenAfter(ahead, polledAtMs);
    expect(newRuns(reportOf(ahead), null, after, polledAtMs + 5_000)).toEqual([]);
    expect(
      newRuns(reportOf({ ...ahead, ranAtMs: 4_030_000 }), null, after, polledAtMs + 30_000),
    ).toMatchObject([{ ranAtMs: polledAtMs + 30_000 }]);
  });

  it('says once that a check is no longer reported', () => {
    const network = { ...passing, name: 'network' };
    const both = reportOf(passing, network);
    expect(newRuns(reportOf(passing), both, seenAfter(passing, 990_000), polledAtMs)).toEqual([
      expect.objectContaining({ check: 'network', state: 'unknown', ranAtMs: polledAtMs, error: null }),
    ]);
    expect(newRuns(reportOf(passing), reportOf(passing), seenAfter(passing, 990_000), polledAtMs)).toEqual(
      [],
    );
  });
});

describe('a check that does not run any more', () => {
  const stalled: CheckReport = { ...passing, state: 'stalled' };
  it('is one event, at the moment of the poll that noticed it, and ends with the next run', () => {
    const before = seenAfter(passing, 990_000);
    expect(newRuns(reportOf(stalled), reportOf(passing), before, polledAtMs)).toEqual([
      expect.objectContaining({ state: 'stalled', ranAtMs: polledAtMs }),
    ]);
    expect(newRuns(reportOf(stalled), reportOf(stalled), before, polledAtMs)).toEqual([]);
    const again = { ...passing, ranAtMs: 999_000 };
    expect(newRuns(reportOf(again), reportOf(stalled), before, polledAtMs)).toEqual([
      expect.objectContaining({ state: 'pass', ranAtMs: 999_000 }),
    ]);
    // The same run, once it is clear that the node only runs it rarely.
    expect(newRuns(reportOf(passing), reportOf(stalled), before, polledAtMs)).toEqual([]);
  });
});

describe('what is remembered of a run', () => {
  it('is nothing of a check that neither passed nor failed', () => {
    expect(toSeenRun({ ...passing, state: 'pending' }, 1)).toBeNull();
    expect(toSeenRun({ ...passing, state: 'unknown' }, 1)).toBeNull();
    expect(toSeenRun(failing, 1)).toEqual({
      state: 'fail',
      reportedAtMs: 990_000,
      ranAtMs: 1,
      contiguousFailures: 2,
      firstFailureAtMs: 960_000,
      countsAnew: false,
    });
  });

  it('is a time that is not later than the poll', () => {
    expect(timeOf(passing, polledAtMs)).toBe(990_000);
    expect(timeOf({ ...passing, ranAtMs: null }, polledAtMs)).toBe(polledAtMs);
    expect(timeOf({ ...passing, ranAtMs: 4_000_000 }, polledAtMs)).toBe(polledAtMs);
  });
});
