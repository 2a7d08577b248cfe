import type { CheckReport, NodeStatus } from '../../../../shared/health/types.ts';
import { parseStoredReport } from '../../../../shared/health/stored.ts';
import type { StoredPoll } from '../../health-ports.ts';

/** The last durations of one check, oldest first, in milliseconds. */
export interface Durations {
  ranAtMs: number;
  pastMs: readonly number[];
}

/** At a run every 30 s, an hour: long enough that a slow spell does not become the norm at once. */
const keptRuns = 120;
/** Less says nothing about what is usual. */
const fewestRuns = 20;
/** The newest runs are judged against those before them; one slow run alone is chance. */
const judgedRuns = 2;
/** Shorter than this nobody would call slow. */
const leastExtraMs = 250;
const leastFactor = 3;
/** In standard deviations, as the median of distances tells them. */
const leastDeviations = 6;
const deviationsPerMad = 1.4826;

/** Adds the runs of a report that are new; a check that the report lacks is forgotten. */
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
    // A double is exact enough for a comparison.
    const tookMs = Number(durationNs) / 1e6;
    byCheck.set(name, { ranAtMs, pastMs: [...(known?.pastMs ?? []), tookMs].slice(-keptRuns) });
  }
  return byCheck;
}

/** The durations of stored polls, oldest first, of one node: those that tell another header `node-id` are left out. */
export function durationsOfPast(
  polls: readonly Pick<StoredPoll, 'reportedNodeId' | 'reportJson'>[],
  nodeId: string | null,
): ReadonlyMap<string, Durations> {
  let byCheck: ReadonlyMap<string, Durations> = new Map();
  for (const { reportedNodeId, reportJson } of polls) {
    if (reportedNodeId !== null && nodeId !== null && reportedNodeId !== nodeId) continue;
    const report = reportJson === null ? null : parseStoredReport(reportJson);
    if (report !== null) byCheck = watchDurations(byCheck, report.checks);
  }
  return byCheck;
}

/** How far back stored polls are looked at for the usual durations: as many runs as are kept, and a day at most. */
export function spanOfPastMs(intervalMs: number): number {
  return Math.min(86_400_000, keptRuns * intervalMs);
}

/**
 * The usual duration, when the newest two runs both took far longer: at least three times the median of the runs before
 * them, 250 ms more, and six deviations away by the median of distances, which a few odd runs do not move. Null otherwise.
 */
export function usualWhenSlow(pastMs: readonly number[]): number | null {
  const usual = pastMs.slice(0, -judgedRuns);
  if (usual.length < fewestRuns) return null;
  const medianMs = median(usual);
  const spreadMs = deviationsPerMad * median(usual.map((ms) => Math.abs(ms - medianMs)));
  const limitMs = Math.max(
    leastFactor * medianMs,
    medianMs + leastExtraMs,
    medianMs + leastDeviations * spreadMs,
  );
  return pastMs.slice(-judgedRuns).every((ms) => ms > limitMs) ? medianMs : null;
}

/** Checks whose newest runs are slow against their own past; the slowest against its usual first. */
export function slowChecks(byCheck: ReadonlyMap<string, Durations>): NodeStatus['slowChecks'] {
  const slow: NodeStatus['slowChecks'] = [];
  for (const [check, { pastMs }] of byCheck) {
    const usualMs = usualWhenSlow(pastMs);
    const nowMs = pastMs.at(-1);
    if (usualMs !== null && nowMs !== undefined) slow.push({ check, nowMs, usualMs });
  }
  return slow.sort((a, b) => b.nowMs / Math.max(1, b.usualMs) - a.nowMs / Math.max(1, a.usualMs));
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}
