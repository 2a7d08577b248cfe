import type { CheckReport, NodeStatus } from '../../../../shared/health/types.ts';
import { parseStoredReport } from '../../../../shared/health/stored.ts';
import { medianOf, sigmaOf } from '../../../../shared/health/trend.ts';
import type { StoredPoll } from '../../health-ports.ts';

/** The latest durations of one check in milliseconds, oldest first. */
export interface Durations {
  ranAtMs: number;
  pastMs: readonly number[];
}

/** An hour at a run every 30 s: long enough that a slow spell does not soon count as usual. */
const keptRuns = 120;
/** With fewer runs, what is usual is unknown. */
const fewestRuns = 20;
/** The newest runs are compared with those before them; two, because a single slow run may be chance. */
const judgedRuns = 2;
/** Smaller differences are not worth reporting. */
const leastExtraMs = 250;
const leastFactor = 3;
/** In standard deviations. */
const leastDeviations = 6;

/** Adds the new runs of a report; a check missing from the report is forgotten. */
export function watchDurations(
  before: ReadonlyMap<string, Durations>,
  checks: readonly Pick<CheckReport, 'name' | 'ranAtMs' | 'durationNs'>[],
): ReadonlyMap<string, Durations> {
  const byCheck = new Map<string, Durations>();
  for (const { name, ranAtMs, durationNs } of checks) {
    const known = before.get(name);
    if (ranAtMs === null || durationNs === null || known?.ranAtMs === ranAtMs) {
      if (known !== undefined) byCheck.set(name, known);
      continue;
    }
    // A double is precise enough for comparing durations.
    const tookMs = Number(durationNs) / 1e6;
    byCheck.set(name, { ranAtMs, pastMs: [...(known?.pastMs ?? []), tookMs].slice(-keptRuns) });
  }
  return byCheck;
}

/** Durations with those of a stored poll, unless that has another `node-id` in the header. */
export function addPast(
  before: ReadonlyMap<string, Durations>,
  poll: Pick<StoredPoll, 'reportedNodeId' | 'reportJson'>,
  nodeId: string | null,
): ReadonlyMap<string, Durations> {
  const report = mayBeOf(poll, nodeId) ? parseStoredReport(poll.reportJson) : null;
  return report === null ? before : watchDurations(before, report.checks);
}

/** False where another node was at the URL. */
export function mayBeOf(
  { reportedNodeId }: Pick<StoredPoll, 'reportedNodeId'>,
  nodeId: string | null,
): boolean {
  return reportedNodeId === null || nodeId === null || reportedNodeId === nodeId;
}

/** How much stored past to read for the usual durations: the number of runs kept, and a day at most. */
export const spanOfPastMs = (intervalMs: number): number => Math.min(86_400_000, keptRuns * intervalMs);

/**
 * The usual duration if the newest two runs were both much longer: at least three times the median of the runs before,
 * 250 ms more, and six deviations above it (by the median distance, which outliers hardly move); else null.
 */
export function usualWhenSlow(pastMs: readonly number[]): number | null {
  const usual = pastMs.slice(0, -judgedRuns);
  if (usual.length < fewestRuns) return null;
  const medianMs = medianOf(usual);
  const spreadMs = sigmaOf(usual.map((ms) => ms - medianMs));
  const limitMs = Math.max(
    leastFactor * medianMs,
    medianMs + leastExtraMs,
    medianMs + leastDeviations * spreadMs,
  );
  return pastMs.slice(-judgedRuns).every((ms) => ms > limitMs) ? medianMs : null;
}

/** Checks whose newest runs are slow, the one with the largest ratio to its usual duration first. */
export function slowChecks(byCheck: ReadonlyMap<string, Durations>): NodeStatus['slowChecks'] {
  const slow: NodeStatus['slowChecks'] = [];
  for (const [check, { pastMs }] of byCheck) {
    const usualMs = usualWhenSlow(pastMs);
    const nowMs = pastMs.at(-1);
    if (usualMs !== null && nowMs !== undefined) slow.push({ check, nowMs, usualMs });
  }
  return slow.sort((a, b) => b.nowMs / Math.max(1, b.usualMs) - a.nowMs / Math.max(1, a.usualMs));
}
