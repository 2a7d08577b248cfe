import type { CheckReport, HealthReport } from '../../../../shared/health/types.ts';

/** A time by a node's clock, which need not be ours: no number, so that it cannot be taken for one of ours. */
export interface NodeMs {
  readonly clock: 'node';
}

export type NodeCheck = Omit<CheckReport, 'ranAtMs' | 'firstFailureAtMs'> & {
  ranAtMs: NodeMs | null;
  firstFailureAtMs: NodeMs | null;
};

export interface NodeReport extends Omit<HealthReport, 'checks'> {
  checks: NodeCheck[];
}

export function nodeTime(sinceEpochMs: number): NodeMs {
  // The one place that makes such times, of numbers.
  return sinceEpochMs as unknown as NodeMs;
}

/** Milliseconds since 1970 by the node's clock: only for differences between times of one node. */
export function nodeTicks(time: NodeMs): number {
  // `nodeTime` has made it of a number.
  return time as unknown as number;
}

/** Our monotonic time at which a run becomes visible, minus the node's time of it: bounds. */
export interface Lag {
  minMs: number;
  maxMs: number;
}

/** Clocks that agree to this are taken as the same: a run is seen a little after it was made. */
const slackMs = 10_000;
/** How old the newest run may be that a node still tells of, if its clock is to be taken as ours. */
const oldestRunMs = 600_000;

/**
 * How far our clock is ahead of a node's, from a report that arrived now; null while no run was seen. `before` is kept
 * while it is possible, so that the same run keeps its time. Otherwise the clocks agree if they may. Where they do not, a
 * run was made when it was first seen: that is late by one period at most, and less once the lag is known well.
 */
export function clockAhead(
  before: number | null,
  lag: Lag | null,
  { checks }: Pick<NodeReport, 'checks'>,
  now: { wallMs: number; monotonicMs: number },
): number | null {
  const ticks = checks.flatMap(({ ranAtMs }) => (ranAtMs === null ? [] : [nodeTicks(ranAtMs)]));
  if (ticks.length === 0) return before;
  const mostMs = Math.min(now.wallMs - Math.max(...ticks), lag === null ? Infinity : wallOf(lag.maxMs, now));
  const leastMs = lag === null ? -Infinity : wallOf(lag.minMs, now);
  const isPossible = (ms: number): boolean => ms >= leastMs - slackMs && ms <= mostMs + slackMs;
  if (before !== null && isPossible(before)) return before;
  if (isPossible(0) && mostMs <= oldestRunMs) return 0;
  const isLearned = leastMs <= mostMs && leastMs >= mostMs - slackMs;
  return Math.round(isLearned ? (leastMs + mostMs) / 2 : mostMs);
}

const wallOf = (lagMs: number, now: { wallMs: number; monotonicMs: number }): number =>
  lagMs + now.wallMs - now.monotonicMs;

/** The only place where a node's times become ours. */
export function inOurTime(report: NodeReport, aheadMs: number | null): HealthReport {
  const ours = (time: NodeMs | null): number | null => time && nodeTicks(time) + (aheadMs ?? 0);
  return {
    ...report,
    checks: report.checks.map((check) => ({
      ...check,
      ranAtMs: ours(check.ranAtMs),
      firstFailureAtMs: ours(check.firstFailureAtMs),
    })),
  };
}
