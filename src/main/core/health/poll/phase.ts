import type { CheckReport } from '../../../../shared/health/types.ts';

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
  /** When the answer came that showed that run first. */
  firstSeenMs: number;
  /** The longest time in which one poll after the other saw no new run: the period is no shorter. 0 while that is not known. */
  quietMs: number;
  /** The last few times between runs that were seen one after the other. */
  gapsMs: readonly number[];
  /** Null until two runs were seen, and while the gaps have no common measure. */
  periodMs: number | null;
  /** The period is not that of every second run, or half of it: somebody looked. */
  isSure: boolean;
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
/** A gap may be off by this share of the period, and by this of one that was sure before. */
const mostMiss = 0.08;
const mostMissOfSure = 0.16;
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
  const quietMs = isNew
    ? quietAfter(phase, ranAtMs - phase.lastRunMs)
    : Math.max(phase.quietMs, seen.sentMs - phase.firstSeenMs);
  const { periodMs, jitterMs } = isNew
    ? periodOf(gapsMs, quietMs, phase.isSure ? phase.periodMs : null)
    : phase;
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
    firstSeenMs: isNew ? seen.answeredMs : phase.firstSeenMs,
    quietMs,
    gapsMs,
    periodMs,
    isSure: isNew ? isProven(phase, periodMs, gapsMs, quietMs) : phase.isSure,
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
      firstSeenMs: answeredMs,
      quietMs: 0,
      gapsMs: [],
      periodMs: null,
      isSure: false,
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

/**
 * True when the period is that of the node and no multiple or part of it: two runs were seen so far apart, and somebody
 * looked for longer than half of it and saw no new run. One that was sure stays so until something contradicts it.
 */
function isProven(
  before: Phase,
  periodMs: number | null,
  gapsMs: readonly number[],
  quietMs: number,
): boolean {
  if (periodMs === null || gapsMs.length < 2 || quietMs <= periodMs / 2) return false;
  const isSame = before.periodMs !== null && Math.abs(periodMs / before.periodMs - 1) <= mostMiss;
  return (before.isSure && isSame) || gapsMs.some((gapMs) => gapMs < 1.5 * periodMs);
}

/** A gap that contradicts what was seen, or does not fit the period, tells of another rhythm: what is known of it begins anew. */
function quietAfter({ periodMs, jitterMs, quietMs }: Phase, gapMs: number): number {
  const isOdd =
    periodMs !== null && missOf(gapMs, periodMs) > Math.max(2 * slackMs(jitterMs), mostMiss * 0.5 * periodMs);
  return isOdd || gapMs < 0.75 * quietMs ? 0 : Math.min(quietMs, 0.95 * gapMs);
}

function missOf(gapMs: number, periodMs: number): number {
  return Math.abs(gapMs - Math.max(1, Math.round(gapMs / periodMs)) * periodMs);
}

/** One odd gap, such as a check that hung leaves behind, shall not be in the way for long. */
const fewGaps = 3;

/**
 * The longest time of which every gap is a number of times, and how far the gaps are from that on average: runs between
 * two polls are not seen, so a gap is one period or several. Where not all gaps have such a time, the newest three may, or
 * the newest one alone where it is known to hold no other run. A period that was sure stays while it fits as well: polls
 * that have fallen in with every third run only ever see gaps of three. Null when the gaps have nothing in common.
 */
function periodOf(gapsMs: readonly number[], quietMs: number, sureMs: number | null): Measure {
  const kept = sureMs === null || sureMs < quietMs ? null : measureNear(gapsMs, sureMs, mostMissOfSure);
  const newest = gapsMs.slice(-1);
  const isOne = newest.every((gapMs) => quietMs > gapMs / 2);
  return (
    kept ??
    commonMeasure(gapsMs, quietMs) ??
    commonMeasure(gapsMs.slice(-fewGaps), quietMs) ??
    (isOne ? commonMeasure(newest, quietMs) : null) ?? { periodMs: null, jitterMs: 0 }
  );
}

interface Measure {
  periodMs: number | null;
  jitterMs: number;
}

function commonMeasure(gapsMs: readonly number[], quietMs: number): Measure | null {
  const shortestMs = Math.min(...gapsMs);
  for (let parts = 1; parts <= mostPeriodsAGap && shortestMs / parts >= 0.9 * quietMs; parts += 1) {
    const found = measureNear(gapsMs, shortestMs / parts, mostMiss);
    if (found !== null) return found;
  }
  return null;
}

/** The time near a guess of which every gap is a number of times, or null. */
function measureNear(gapsMs: readonly number[], guessMs: number, tolerance: number): Measure | null {
  // The guess has jitter in it; the average over all is a better one to judge by.
  const periodMs = averagePeriod(gapsMs, averagePeriod(gapsMs, guessMs));
  const missesMs = gapsMs.map((gapMs) => missOf(gapMs, periodMs));
  if (missesMs.some((missMs) => missMs > periodMs * tolerance)) return null;
  return { periodMs, jitterMs: missesMs.reduce((total, missMs) => total + missMs, 0) / gapsMs.length };
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
