import type { CheckReport, HealthReport } from '../../../../shared/health/types.ts';
import { runTimeMs } from '../../../../shared/health/uptime.ts';
import { runOf, type CheckRun } from '../../../../shared/health/check-run.ts';

/** The last passing or failing run of a check, as needed to recognise it when it is reported again. */
export interface SeenRun {
  state: 'pass' | 'fail';
  /** The run's time as the node reported it, even if implausible. */
  reportedAtMs: number | null;
  /** The time at which the run is stored. */
  ranAtMs: number;
  contiguousFailures: number | null;
  firstFailureAtMs: number | null;
  /** The node has restarted since, so its counts and times of first failure cannot be compared with these. */
  countsAnew: boolean;
}

/**
 * The runs in a report that were not seen before. A run is recognised by the node's time for it, its state and its
 * failure count; without a time, each poll counts as a new run. A time that is in the future, more than a day old, or
 * unchanged although the result changed is replaced by the time of the poll. A check missing from this report but not
 * the last one is stored as `unknown` once, a check that has stopped running as `stalled` once.
 */
export function newRuns(
  report: HealthReport,
  before: HealthReport | null,
  seen: ReadonlyMap<string, SeenRun>,
  polledAtMs: number,
): CheckRun[] {
  const runs: CheckRun[] = [];
  const stalledBefore = new Set(
    (before?.checks ?? []).filter(({ state }) => state === 'stalled').map(({ name }) => name),
  );
  for (const check of report.checks) {
    if (check.state === 'stalled') {
      // A stall is stored once, at the poll that noticed it.
      if (!stalledBefore.has(check.name)) runs.push(runOf(check, polledAtMs));
      continue;
    }
    const known = seen.get(check.name);
    if (known !== undefined && isSameRun(known, check)) continue;
    const isTimeUsable = check.ranAtMs !== null && check.ranAtMs !== known?.reportedAtMs;
    runs.push(runOf(check, isTimeUsable ? timeOf(check, polledAtMs) : polledAtMs));
  }
  const present = new Set(report.checks.map((check) => check.name));
  for (const check of before?.checks ?? [])
    if (!present.has(check.name)) runs.push(runOf({ ...check, ...vanished }, polledAtMs));
  return runs;
}

/** What to remember of a run; null when the check neither passed nor failed. */
export function toSeenRun(check: CheckReport, ranAtMs: number): SeenRun | null {
  const { state, ranAtMs: reportedAtMs, contiguousFailures, firstFailureAtMs } = check;
  if (state !== 'pass' && state !== 'fail') return null;
  return { state, reportedAtMs, ranAtMs, contiguousFailures, firstFailureAtMs, countsAnew: false };
}

/** The time at which a run is stored, judged by this report alone. */
export const timeOf = (check: CheckReport, polledAtMs: number): number =>
  check.ranAtMs === null ? polledAtMs : runTimeMs(check.ranAtMs, polledAtMs);

function isSameRun(known: SeenRun, check: CheckReport): boolean {
  return (
    check.ranAtMs !== null &&
    check.ranAtMs === known.reportedAtMs &&
    check.state === known.state &&
    check.contiguousFailures === known.contiguousFailures
  );
}

const vanished = { state: 'unknown', contiguousFailures: null, firstFailureAtMs: null, error: null } as const;
