import { nodeTicks, type NodeCheck } from '../ask/node-clock.ts';

/**
 * Estimates when a node runs its checks, for polls to come just after a run. The node's clock and ours share only their
 * pace, so it learns the lag: our monotonic time when a run becomes visible, minus the node's time of the run.
 */
export interface Phase {
  /** The check whose runs are followed; the checks of one round end at different times. */
  check: string;
  /** Time of the newest run seen, by the node's clock. */
  lastRunMs: number;
  /** When the last poll was sent, by our monotonic clock. */
  lastSentMs: number;
  /** When the response arrived that first showed that run, by our monotonic clock. */
  firstSeenMs: number;
  /** Longest time during which successive polls saw no new run: a lower bound of the period. 0 while unknown. */
  quietMs: number;
  /** The last few times between runs of which one was seen after the other; each is one period or several. */
  gapsMs: readonly number[];
  /** Null until two runs were seen, and while the gaps are not multiples of one period. */
  periodMs: number | null;
  /** True when the period is known to be neither a multiple nor a part of the real one: polls looked in between. */
  isSure: boolean;
  /** How far runs are from the times that the period predicts, on average. */
  jitterMs: number;
  /** Bounds of the lag. */
  minLagMs: number;
  maxLagMs: number;
}

/** What one poll saw; times by our monotonic clock. */
export interface Sighting {
  checks: readonly Pick<NodeCheck, 'name' | 'ranAtMs'>[];
  sentMs: number;
  answeredMs: number;
}

/** Most that two clocks drift apart, as a share of the time, unless one is not kept right by a time server. */
const clockDrift = 2e-5;
/** The lag counts as known once its bounds are this close. */
const precisionMs = 900;
const keptGaps = 8;
/** How far a gap may be from a multiple of the period, as a share of the period. */
const mostMiss = 0.08;
/** With more runs per poll, waiting for one gains little, and gaps fit some period by chance. */
const mostPeriodsAGap = 12;

/** Updates the estimate; null while the node sends no times. A clock that was set, the node's or ours, starts it anew. */
export function learnPhase(phase: Phase | null, seen: Sighting): Phase | null {
  const ran = seen.checks.find(({ name }) => name === phase?.check)?.ranAtMs ?? null;
  if (phase === null || ran === null || nodeTicks(ran) < phase.lastRunMs) return beginPhase(seen);
  const ranAtMs = nodeTicks(ran);
  const driftMs = (seen.sentMs - phase.lastSentMs) * clockDrift;
  const isNew = ranAtMs > phase.lastRunMs;
  const gapsMs = isNew ? [...phase.gapsMs, ranAtMs - phase.lastRunMs].slice(-keptGaps) : phase.gapsMs;
  const quietMs = isNew
    ? quietAfter(phase, ranAtMs - phase.lastRunMs)
    : Math.max(phase.quietMs, seen.sentMs - phase.firstSeenMs);
  const { periodMs, jitterMs } = isNew
    ? periodOf(gapsMs, quietMs, phase.isSure ? phase.periodMs : null)
    : phase;
  // The new run is visible now and was not yet visible when the previous poll was sent.
  let minLagMs = phase.minLagMs - driftMs;
  let maxLagMs = phase.maxLagMs + driftMs;
  if (isNew) {
    minLagMs = Math.max(minLagMs, phase.lastSentMs - ranAtMs);
    maxLagMs = Math.min(maxLagMs, seen.answeredMs - ranAtMs);
  }
  if (minLagMs > maxLagMs) return beginPhase(seen);
  if (periodMs !== null) {
    // The run after it was not visible when this poll was sent. If the lag says that it should have been, the clocks
    // drift or the node is late: the lag is raised then, and corrected when the next run is seen.
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
 * The first time from `notBeforeMs` on at which a new run should be visible, by our monotonic clock; null while the
 * period is unknown. Until the lag is known well enough, the poll is timed so that it halves the lag's uncertainty.
 */
export function nextSightingMs(
  phase: Phase,
  notBeforeMs: number,
  mustBeThere = isLocked(phase),
): number | null {
  if (phase.periodMs === null) return null;
  const { minLagMs, maxLagMs } = phase;
  const lagMs = mustBeThere ? maxLagMs + slackMs(phase.jitterMs) : (minLagMs + maxLagMs) / 2;
  const lastMs = phase.lastRunMs + lagMs;
  const periods = Math.max(1, Math.ceil((notBeforeMs - lastMs) / phase.periodMs));
  return Math.ceil(lastMs + periods * phase.periodMs);
}

/** How long after its predicted time a run is not late yet. */
const slackMs = (jitterMs: number): number => 200 + 1.5 * jitterMs;

function beginPhase({ checks, sentMs, answeredMs }: Sighting): Phase | null {
  // The check that ended last, since the results of the others are there by then.
  const ticks = checks.map(({ ranAtMs }) => (ranAtMs === null ? -Infinity : nodeTicks(ranAtMs)));
  const lastRunMs = Math.max(...ticks);
  const check = checks[ticks.indexOf(lastRunMs)]?.name;
  if (check === undefined || lastRunMs === -Infinity) return null;
  return {
    check,
    lastRunMs,
    lastSentMs: sentMs,
    firstSeenMs: answeredMs,
    quietMs: 0,
    gapsMs: [],
    periodMs: null,
    isSure: false,
    jitterMs: 0,
    minLagMs: -Infinity,
    maxLagMs: answeredMs - lastRunMs,
  };
}

/** True when the time of the next run is known to about a second. */
export const isLocked = (phase: Phase): boolean =>
  phase.periodMs !== null && phase.maxLagMs - phase.minLagMs <= precisionMs;

/**
 * True when the period is the node's own and no multiple or part of it: two runs were seen one period apart, and polls
 * looked for longer than half a period without seeing a new run. A sure period stays sure until contradicted.
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

/** A gap that contradicts `quietMs` or does not fit the period means another period: returns 0 to start anew. */
function quietAfter({ periodMs, jitterMs, quietMs }: Phase, gapMs: number): number {
  const isOdd =
    periodMs !== null && missOf(gapMs, periodMs) > Math.max(2 * slackMs(jitterMs), mostMiss * 0.5 * periodMs);
  return isOdd || gapMs < 0.75 * quietMs ? 0 : Math.min(quietMs, 0.95 * gapMs);
}

const missOf = (gapMs: number, periodMs: number): number =>
  Math.abs(gapMs - Math.max(1, Math.round(gapMs / periodMs)) * periodMs);

/** The newest gaps are also tried alone, so that an odd one, as from a check that hung, soon stops to matter. */
const fewGaps = 3;

/**
 * Finds the longest period of which all gaps are multiples (runs between two polls are not seen), with their average
 * deviation. If there is none, tries the newest three gaps, then the newest one alone where it is known to be a single
 * period. A sure period is kept while it fits: polls that are in step with every third run only ever see gaps of three
 * periods. Null when nothing fits.
 */
function periodOf(gapsMs: readonly number[], quietMs: number, sureMs: number | null): Measure {
  const kept = sureMs === null || sureMs < quietMs ? null : measureNear(gapsMs, sureMs);
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
    const found = measureNear(gapsMs, shortestMs / parts);
    if (found !== null) return found;
  }
  return null;
}

/** Refines a guessed period; null when some gap is not near a multiple of it. */
function measureNear(gapsMs: readonly number[], guessMs: number): Measure | null {
  // The guess comes from a single gap with jitter; the average over all gaps is closer.
  const periodMs = averagePeriod(gapsMs, averagePeriod(gapsMs, guessMs));
  const missesMs = gapsMs.map((gapMs) => missOf(gapMs, periodMs));
  if (missesMs.some((missMs) => missMs > periodMs * mostMiss)) return null;
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
