import type { CheckReport, HealthReport } from '../../../../shared/health/types.ts';
import { runTimeMs } from '../../../../shared/health/uptime.ts';
import { runOf, type CheckRun } from '../../../../shared/health/check-run.ts';

/** What has to be remembered of the last passing or failing run of a check to recognise it when it is reported again. */
export interface SeenRun {
  state: 'pass' | 'fail';
  /** The time that the node gave, however odd. */
  reportedAtMs: number | null;
  /** The time under which the run is stored. */
  ranAtMs: number;
  contiguousFailures: number | null;
  firstFailureAtMs: number | null;
  /** The node was seen to have forgotten its past since: what it counts from now on cannot be compared. */
  countsAnew: boolean;
}

/**
 * The runs in a report that were not seen before. A run is known again by the node's time for it, its state and its count;
 * without a time every poll is a run of its own. A time that lies in the future or more than a day back, or that stands still
 * while the result changes, is not believed: the run counts for the moment of the poll. A check that the report before had and this one
 * lacks is `unknown` once, and one that does not run any more is `stalled` once.
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
      // That it does not run is one event, at the moment of the poll that noticed it.
      if (!stalledBefore.has(check.name)) runs.push(runOf(check, polledAtMs));
      continue;
    }
    const known = seen.get(check.name);
    if (known !== undefined && isSameRun(known, check)) continue;
    const isTimeUsable = check.ranAtMs !== null && check.ranAtMs !== known?.reportedAtMs;
    runs.push(runOf(check, isTimeUsable ? timeOf(check, polledAtMs) : polledAtMs));
  }
  const present = new Set(report.checks.map((check) => check.name));
  for (const check of before?.checks ?? []) {
    if (!present.has(check.name)) runs.push(vanished(check.name, polledAtMs));
  }
  return runs;
}

/** What to remember of a check after its run was taken in; null when the check neither passed nor failed. */
export function toSeenRun(check: CheckReport, ranAtMs: number): SeenRun | null {
  if (check.state !== 'pass' && check.state !== 'fail') return null;
  return {
    state: check.state,
    reportedAtMs: check.ranAtMs,
    ranAtMs,
    contiguousFailures: check.contiguousFailures,
    firstFailureAtMs: check.firstFailureAtMs,
    countsAnew: false,
  };
}

/** The time under which a run of a report is stored, as far as the report alone tells. */
export function timeOf(check: CheckReport, polledAtMs: number): number {
  return check.ranAtMs === null ? polledAtMs : runTimeMs(check.ranAtMs, polledAtMs);
}

function isSameRun(known: SeenRun, check: CheckReport): boolean {
  return (
    check.ranAtMs !== null &&
    check.ranAtMs === known.reportedAtMs &&
    check.state === known.state &&
    check.contiguousFailures === known.contiguousFailures
  );
}

function vanished(name: string, polledAtMs: number): CheckRun {
  return {
    check: name,
    state: 'unknown',
    ranAtMs: polledAtMs,
    contiguousFailures: null,
    firstFailureAtMs: null,
    error: null,
  };
}
