import type { CheckReport, HealthReport } from '../../../../shared/health/types.ts';
import type { StoredPoll } from '../../health-ports.ts';
import { defaultPeriodMs } from '../poll/schedule.ts';

/** How long the time of a check's last run has stood still, as far as polls that followed each other saw it. */
export interface Standing {
  ranAtMs: number;
  stoodMs: number;
}

export interface StandingChecks {
  /** When the last report arrived, by the monotonic clock. */
  seenMs: number;
  byCheck: ReadonlyMap<string, Standing>;
}

/** More than this many periods without a run, and a passing check counts as not running. */
const patientPeriods = 3;

/**
 * Adds a report to what is known of how long the checks stand still. Between reports that are further apart than
 * `longestGapMs` nobody looked: a computer that slept, or a node that did not answer, may have slept with its checks, so
 * counting begins anew.
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
 * True when a check that passes has not run for more than three of the node's periods. A failing check stays the node's
 * word, and a pending or unknown one is no better for standing still. Without a learned period (`periodMs` null) the
 * default of nodes is taken, 30 s.
 */
export function isStalled(
  state: CheckReport['state'],
  stoodMs: number | null,
  periodMs: number | null,
): boolean {
  if (state !== 'pass' || stoodMs === null) return false;
  return stoodMs > patientPeriods * (periodMs ?? defaultPeriodMs);
}

/** The report with `stalled` in place of `pass` where a check does not run any more, and a note how that was judged. */
export function markStalled(
  report: HealthReport,
  standing: StandingChecks,
  periodMs: number | null,
): HealthReport {
  let longestMs = 0;
  const checks = report.checks.map((check) => {
    const stoodMs = standing.byCheck.get(check.name)?.stoodMs ?? null;
    if (stoodMs === null || !isStalled(check.state, stoodMs, periodMs)) return check;
    longestMs = Math.max(longestMs, stoodMs);
    return { ...check, state: 'stalled' as const };
  });
  if (longestMs === 0) return report;
  const period =
    periodMs === null
      ? 'the period of the node is not known, 30 s is assumed'
      : `the period of the node is ${Math.round(periodMs / 1000)} s`;
  return {
    ...report,
    checks,
    notes: [
      ...report.notes,
      `Times of checks have stood still for at least ${Math.floor(longestMs / 1000)} s, as seen from here; ${period}.`,
    ],
  };
}

/**
 * The time between the runs of the checks as stored polls, oldest first, tell it: the median over the check that ran most
 * often. Null where no check ran twice. It is the period or a multiple of it, where the node was polled more rarely.
 */
export function usualPeriodMs(polls: readonly Pick<StoredPoll, 'runs'>[]): number | null {
  const timesMs = new Map<string, number[]>();
  for (const { runs } of polls) {
    for (const { check, state, ranAtMs } of runs) {
      if (state !== 'pass' && state !== 'fail') continue;
      const times = timesMs.get(check);
      if (times === undefined) timesMs.set(check, [ranAtMs]);
      else times.push(ranAtMs);
    }
  }
  let most: readonly number[] = [];
  for (const times of timesMs.values()) if (times.length > most.length) most = times;
  const gapsMs = most.slice(1).map((ms, index) => ms - (most[index] ?? ms));
  gapsMs.sort((a, b) => a - b);
  return gapsMs[gapsMs.length >> 1] ?? null;
}
