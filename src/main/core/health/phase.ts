import type { CheckReport } from '../../../shared/health/types.ts';

/**
 * What is known of when a node runs its checks. Its clock and ours have nothing in common but their pace, so what is
 * learned is the lag: our monotonic time at which a run can be seen, minus the node's own time of the run.
 */
export interface Phase {
  /** The check whose runs are followed: the checks of one round end at different times. */
  check: string;
  /** The node's time of its newest run that was seen. */
  lastRunMs: number;
  /** When the last poll was sent, by our monotonic clock. */
  lastSentMs: number;
  /** The last few times between runs that were seen one after the other. */
  gapsMs: readonly number[];
  /** Null until two runs were seen, and while the gaps have no common measure. */
  periodMs: number | null;
  /** How far runs come from where the period has them, on average. */
  jitterMs: number;
  /** The lag is between these two. */
  minLagMs: number;
  maxLagMs: number;
}

/** What one poll saw, and when, by our monotonic clock. */
export interface Sighting {
  checks: readonly Pick<CheckReport, 'name' | 'ranAtMs'>[];
  sentMs: number;
  answeredMs: number;
}

/** Clocks run apart by so much at most, unless one of them is not kept right by a time server. */
const clockDrift = 2e-5;
/** The lag is known well enough when it is known to this. */
const precisionMs = 900;
const keptGaps = 8;
/** A gap may be off by this share of the period. */
const mostMiss = 0.08;
/** With more runs a poll nobody waits long for one anyway, and gaps fit by chance. */
const mostPeriodsAGap = 12;

/**
 * Learns from a poll; null while the node tells no times. A clock that was set, the node's or ours, contradicts what is
 * known and begins it anew.
 */
export function learnPhase(phase: Phase | null, seen: Sighting): Phase | null {
  const ranAtMs = seen.checks.find(({ name }) => name === phase?.check)?.ranAtMs ?? null;
  if (phase === null || ranAtMs === null || ranAtMs < phase.lastRunMs) return beginPhase(seen);
  const driftMs = (seen.sentMs - phase.lastSentMs) * clockDrift;
  const isNew = ranAtMs > phase.lastRunMs;
  const gapsMs = isNew ? [...phase.gapsMs, ranAtMs - phase.lastRunMs].slice(-keptGaps) : phase.gapsMs;
  const { periodMs, jitterMs } = isNew ? periodOf(gapsMs) : phase;
  // A new run can be seen now, and could not be seen when the poll before was sent.
  let minLagMs = phase.minLagMs - driftMs;
  let maxLagMs = phase.maxLagMs + driftMs;
  if (isNew) {
    minLagMs = Math.max(minLagMs, phase.lastSentMs - ranAtMs);
    maxLagMs = Math.min(maxLagMs, seen.answeredMs - ranAtMs);
  }
  if (minLagMs > maxLagMs) return beginPhase(seen);
  if (periodMs !== null) {
    // The run after it could not be seen when this poll was sent. Where it had to be, the clocks run apart, or the node
    // is late: a lag that is taken too large shrinks with the next run that is seen.
    const notYetLagMs = seen.sentMs - (ranAtMs + periodMs + slackMs(jitterMs));
    if (notYetLagMs < maxLagMs) minLagMs = Math.max(minLagMs, notYetLagMs);
    else if (notYetLagMs < maxLagMs + periodMs) maxLagMs = notYetLagMs + slackMs(jitterMs);
  }
  return {
    check: phase.check,
    lastRunMs: ranAtMs,
    lastSentMs: seen.sentMs,
    gapsMs,
    periodMs,
    jitterMs,
    minLagMs,
    maxLagMs,
  };
}

/**
 * The first moment from `notBeforeMs` on at which a new run can just be seen, by our monotonic clock; null while the period
 * is not known. Until the lag is known well enough, that moment is chosen so that the poll halves what is unknown.
 */
export function nextSightingMs(phase: Phase, notBeforeMs: number): number | null {
  if (phase.periodMs === null) return null;
  const lagMs =
    phase.maxLagMs - phase.minLagMs > precisionMs
      ? (phase.minLagMs + phase.maxLagMs) / 2
      : phase.maxLagMs + slackMs(phase.jitterMs);
  const lastMs = phase.lastRunMs + lagMs;
  const periods = Math.max(1, Math.ceil((notBeforeMs - lastMs) / phase.periodMs));
  return Math.ceil(lastMs + periods * phase.periodMs);
}

/** How much later than the period has it a run may come without being late. */
function slackMs(jitterMs: number): number {
  return 200 + 1.5 * jitterMs;
}

function beginPhase({ checks, sentMs, answeredMs }: Sighting): Phase | null {
  let begun: Phase | null = null;
  for (const { name, ranAtMs } of checks) {
    // The one that ended last, so that the others can be seen by then.
    if (ranAtMs === null || (begun !== null && ranAtMs <= begun.lastRunMs)) continue;
    begun = {
      check: name,
      lastRunMs: ranAtMs,
      lastSentMs: sentMs,
      gapsMs: [],
      periodMs: null,
      jitterMs: 0,
      minLagMs: -Infinity,
      maxLagMs: answeredMs - ranAtMs,
    };
  }
  return begun;
}

/** True when the next run can be met to about a second. */
export function isLocked(phase: Phase): boolean {
  return phase.periodMs !== null && phase.maxLagMs - phase.minLagMs <= precisionMs;
}

/** One odd gap, such as a check that hung leaves behind, shall not be in the way for long. */
const fewGaps = 3;

/**
 * The longest time of which every gap is a number of times, and how far the gaps are from that on average: runs between
 * two polls are not seen, so a gap is one period or several. Where not all gaps have such a time, the newest three may.
 * Null when they have nothing in common.
 */
function periodOf(gapsMs: readonly number[]): { periodMs: number | null; jitterMs: number } {
  const found = commonMeasure(gapsMs) ?? commonMeasure(gapsMs.slice(-fewGaps));
  return found ?? { periodMs: null, jitterMs: 0 };
}

function commonMeasure(gapsMs: readonly number[]): { periodMs: number; jitterMs: number } | null {
  const shortestMs = Math.min(...gapsMs);
  for (let parts = 1; parts <= mostPeriodsAGap; parts += 1) {
    // The shortest gap is a guess with jitter in it; the average over all is a better one to judge by.
    const periodMs = averagePeriod(gapsMs, averagePeriod(gapsMs, shortestMs / parts));
    const missesMs = gapsMs.map((gapMs) => Math.abs(gapMs - Math.round(gapMs / periodMs) * periodMs));
    if (missesMs.some((missMs) => missMs > periodMs * mostMiss)) continue;
    return { periodMs, jitterMs: missesMs.reduce((total, missMs) => total + missMs, 0) / gapsMs.length };
  }
  return null;
}

function averagePeriod(gapsMs: readonly number[], guessMs: number): number {
  let totalMs = 0;
  let periods = 0;
  for (const gapMs of gapsMs) {
    totalMs += gapMs;
    periods += Math.max(1, Math.round(gapMs / guessMs));
  }
  return totalMs / periods;
}
