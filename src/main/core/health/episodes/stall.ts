import type { CheckRun } from '../../../../shared/health/check-run.ts';
import type { CheckReport, HealthReport } from '../../../../shared/health/types.ts';
import { parseStoredReport } from '../../../../shared/health/stored.ts';
import type { StoredPoll } from '../../health-ports.ts';
import { defaultPeriodMs } from '../poll/schedule.ts';
import { mayBeOf } from './slow.ts';

/** How long the time of a check's last run has not changed, over polls that followed each other. */
export interface Standing {
  ranAtMs: number;
  stoodMs: number;
}

export interface StandingChecks {
  /** When the last report arrived, by the monotonic clock. */
  seenMs: number;
  byCheck: ReadonlyMap<string, Standing>;
}

/** A passing check without a run for more than this many periods counts as stalled. */
const patientPeriods = 3;
/** A check whose period was never learned may run every hour. */
const unknownPatienceMs = 3_900_000;

/**
 * Updates how long checks have not run with a new report. After a gap of more than `longestGapMs` between reports,
 * counting starts again: the computer may have slept, or the node may have been down.
 */
export function watchStanding(
  before: StandingChecks | null,
  checks: readonly Pick<CheckReport, 'name' | 'ranAtMs'>[],
  seenMs: number,
  longestGapMs: number,
): StandingChecks {
  const gapMs = before === null ? Infinity : seenMs - before.seenMs;
  const byCheck = new Map<string, Standing>();
  for (const { name, ranAtMs } of checks) {
    if (ranAtMs === null) continue;
    const known = before?.byCheck.get(name);
    const goesOn = known !== undefined && known.ranAtMs === ranAtMs && gapMs <= longestGapMs;
    byCheck.set(name, { ranAtMs, stoodMs: goesOn ? known.stoodMs + gapMs : 0 });
  }
  return { seenMs, byCheck };
}

/**
 * True when a passing check has not run for more than three of the node's periods. Failing checks keep their state, and
 * pending or unknown ones would gain nothing. Without a learned period (`periodMs` null) it may be one of an hour.
 */
export function isStalled(
  state: CheckReport['state'],
  stoodMs: number | null,
  periodMs: number | null,
): boolean {
  if (state !== 'pass' || stoodMs === null) return false;
  return stoodMs > (periodMs === null ? unknownPatienceMs : patientPeriods * periodMs);
}

/** Replaces `pass` by `stalled` for checks that have stopped running, and adds a note with the reason. */
export function markStalled(
  report: HealthReport,
  standing: StandingChecks,
  learnedMs: number | null,
): HealthReport {
  // Where others have run meanwhile, the node's period is not a long one.
  const patientMs = patientPeriods * defaultPeriodMs;
  const othersRan = [...standing.byCheck.values()].some(({ stoodMs }) => stoodMs <= patientMs);
  const periodMs = learnedMs ?? (othersRan ? defaultPeriodMs : null);
  let longestMs = 0;
  const checks = report.checks.map((check) => {
    const stoodMs = standing.byCheck.get(check.name)?.stoodMs ?? null;
    if (stoodMs === null || !isStalled(check.state, stoodMs, periodMs)) return check;
    longestMs = Math.max(longestMs, stoodMs);
    return { ...check, state: 'stalled' as const };
  });
  if (longestMs === 0) return report;
  const period =
    learnedMs === null
      ? `their usual interval is unknown (assumed: every ${periodMs === null ? 'hour' : '30 s'})`
      : `the node usually runs them every ${Math.round(learnedMs / 1000)} s`;
  return {
    ...report,
    checks,
    notes: [...report.notes, `Checks haven’t run for at least ${Math.floor(longestMs / 1000)} s; ${period}.`],
  };
}

/**
 * The time between runs, from stored polls (oldest first): the median for the check that ran most often. Null when no
 * check ran three times; of polls that this node answered. If the node was polled less often than it runs its checks, this is a multiple of its period.
 */
export function usualPeriodMs(
  polls: readonly Pick<StoredPoll, 'runs' | 'reportJson' | 'reportedNodeId'>[],
  nodeId: string | null,
): number | null {
  const own = polls.filter((poll) => mayBeOf(poll, nodeId));
  const all = own.flatMap(({ runs, reportJson }) =>
    runs
      .filter(({ state }) => state === 'pass' || state === 'fail')
      .map(({ check, ranAtMs }) => ({ check, ranAtMs, reportJson })),
  );
  const [most = []] = [...Map.groupBy(all, ({ check }) => check).values()].sort(
    (a, b) => b.length - a.length,
  );
  const ranAtMs = (most.length > fewRuns ? most : withoutCorrected(most)).map((run) => run.ranAtMs);
  const gapsMs = ranAtMs.slice(1).map((atMs, index) => atMs - (ranAtMs[index] ?? atMs));
  gapsMs.sort((a, b) => a - b);
  // One gap alone may be a correction.
  return gapsMs.length < 2 ? null : (gapsMs[gapsMs.length >> 1] ?? null);
}

type PastRun = Pick<CheckRun, 'check' | 'ranAtMs'> & Pick<StoredPoll, 'reportJson'>;

/** Corrections are few, and no median among more runs than that. */
const fewRuns = 20;

/** Without those of which only the time was corrected, as the node's clock became known better: they took equally long. */
function withoutCorrected(runs: readonly PastRun[]): PastRun[] {
  const durations = runs.map(({ check, reportJson }) => {
    const report = parseStoredReport(reportJson);
    const durationNs = report?.checks.find(({ name }) => name === check)?.durationNs ?? '0';
    return durationNs === '0' ? null : durationNs;
  });
  return runs.filter((_run, index) => durations[index] === null || durations[index] !== durations[index + 1]);
}
