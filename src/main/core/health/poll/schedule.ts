import { doubledMs } from '../../doubled.ts';
import { isLocked, nextSightingMs, type Phase } from './phase.ts';

/** How often a node is asked while its period is not known: the default of the flag `--health-check-frequency`. */
export const defaultPeriodMs = 30_000;
const automaticRangeMs = { min: 5_000, max: 120_000 };

/**
 * The interval of a node that is polled automatically: its own period, because its answer does not change in between.
 * A shorter one than 5 s is taken several times, a longer one than two minutes in equal parts.
 */
export function automaticIntervalMs(periodMs: number | null): number {
  if (periodMs === null || !(periodMs > 0)) return defaultPeriodMs;
  const { min, max } = automaticRangeMs;
  if (periodMs < min) return Math.ceil(min / periodMs) * periodMs;
  return periodMs / Math.ceil(periodMs / max);
}

/** The longest time without a sign of life of a node, beyond which a hang would be noticed late ([0011](docs/adr)). */
export const longestSilenceMs = 15_750;

/**
 * When to ask a node for its liveness between two polls: in equal steps, none longer than 15.75 s, so that a node that is
 * polled every 30 s is asked once in the middle. Null when the poll that is due comes soon enough.
 */
export function nextSignMs(lastSignMs: number, pollDueMs: number): number | null {
  const steps = Math.ceil((pollDueMs - lastSignMs) / longestSilenceMs);
  return steps > 1 ? lastSignMs + (pollDueMs - lastSignMs) / steps : null;
}

/** What a poll that brought a report has seen of the node's rhythm. */
export interface Look {
  endedMs: number;
  phase: Phase | null;
  /** A run that was not seen before. */
  sawNewRun: boolean;
  /** The period whose half was looked at, and when; null before the first time. */
  explored: { periodMs: number; atMs: number } | null;
  /** Looks in a row that were to find a period. */
  learnLooks: number;
}

/** Whichever is longer: so a look in twenty polls at most. */
const exploreEvery = { ms: 600_000, periods: 20 };
/** Where a look did not make sure of a period. */
const exploreUnsureEvery = { ms: 8_000, periods: 3 };
/** While no period is known, so often and so many times: no more requests than when it is known. */
const learn = { everyMs: 15_000, looks: 12 };
const shortestExploreMs = 750;
const shortestRetryMs = 1_000;

/**
 * When to look once more before the next poll, or null. `learn`: a period is found soonest where a few polls follow one
 * another quickly. `retry`: the run that was to be seen is late, and waiting a whole
 * period for it would be long. `explore`: who asks once a period can never see that the node runs twice as often, so every
 * ten minutes, and while a period is not sure, the middle of it is looked at.
 */
export function extraLook(look: Look): { atMs: number; why: 'learn' | 'retry' | 'explore' } | null {
  const { phase, endedMs, explored } = look;
  const periodMs = phase?.periodMs ?? null;
  if (phase === null) return null;
  if (periodMs === null)
    return look.learnLooks < learn.looks ? { atMs: endedMs + learn.everyMs, why: 'learn' } : null;
  if (!look.sawNewRun) {
    const retryMs = Math.max(shortestRetryMs, 2 * phase.jitterMs);
    return isLocked(phase) && retryMs < periodMs / 3 ? { atMs: endedMs + retryMs, why: 'retry' } : null;
  }
  const sinceMs = explored === null ? Infinity : endedMs - explored.atMs;
  const isOther = explored === null || Math.abs(periodMs / explored.periodMs - 1) > tolerance;
  const isKnown = phase.isSure
    ? sinceMs < Math.max(exploreEvery.ms, exploreEvery.periods * periodMs)
    : !isOther && sinceMs < Math.max(exploreUnsureEvery.ms, exploreUnsureEvery.periods * periodMs);
  if (isKnown || periodMs / 2 < shortestExploreMs) return null;
  // Where no two runs were seen one after the other, the next one is what is wanted first.
  const share = phase.gapsMs.some((gapMs) => gapMs < 1.5 * periodMs) ? 0.5 : 1;
  return { atMs: endedMs + share * periodMs + 2 * phase.jitterMs + 250, why: 'explore' };
}

const shortestPatienceMs = 4_000;
const longestPatienceMs = 10_000;

/**
 * After how long without an answer a node is said not to answer: eight times what it usually takes, at least 4 s, and never
 * longer than 10 s or the interval. `usualMs` is null while nothing is known.
 */
export function patienceMs(usualMs: number | null, intervalMs: number): number {
  const fitMs = usualMs === null ? longestPatienceMs : Math.max(shortestPatienceMs, 8 * usualMs);
  return Math.ceil(Math.min(longestPatienceMs, intervalMs, fitMs));
}

/**
 * True when the computer was not itself while a request was under way: asleep, stopped, or its clock was set. What seems to
 * have failed meanwhile says nothing about the node. Both spans are of the request, by the two clocks.
 */
export function wasDisturbed(spans: { wallMs: number; monotonicMs: number; patienceMs: number }): boolean {
  const { wallMs, monotonicMs } = spans;
  return Math.abs(wallMs - monotonicMs) > toleratedMs || monotonicMs > spans.patienceMs + toleratedMs;
}

const toleratedMs = 5_000;

/** Longest wait between polls of a node that does not answer, unless its own interval is longer. */
const longestBackoffMs = 60_000;
const firstBackoffMs = 5_000;
/** Who asks less often does not wait for seconds, and sees too few runs to learn from. */
const longestLockedIntervalMs = 120_000;

/** When a node is polled next; all times are of the monotonic clock, in milliseconds. */
export interface PollEnd {
  /** When this poll was due, which is not quite when it began. */
  dueMs: number;
  endedMs: number;
  intervalMs: number;
  /** Polls in a row that brought no report, this one included. */
  failuresInRow: number;
  /** What the other side asked for; null when it did not. */
  retryAfterMs: number | null;
  /** Uniform in [0, 1). */
  jitter: number;
  /** When the node runs its checks, as far as that is known. */
  phase: Phase | null;
  /** The interval is ours to choose: while the node's rhythm is being learned, it may be asked earlier. */
  isAutomatic: boolean;
  /** The node answered until now: the first failure is confirmed without waiting for the slot. */
  confirms: boolean;
}

/**
 * The first moment of the grid `dueMs + n × intervalMs` that has not passed, so that the polls do not drift. Where the node's
 * checks run in time with the interval, the moment just after the next run is taken instead, and the grid goes on from it:
 * at the same rate a change is seen as soon as it can be seen.
 *
 * Failures only ever make it later. They double a wait of 5 s up to 60 s, of which up to a fifth is left out by chance so that nodes
 * that died together are not asked together. A first failure that is to be confirmed waits for these 5 s and for no slot.
 */
export function nextDueMs(poll: PollEnd): number {
  const steps = Math.max(1, Math.ceil((poll.endedMs - poll.dueMs) / poll.intervalMs));
  const slotMs = poll.dueMs + steps * poll.intervalMs;
  if (poll.failuresInRow === 0) return lockedDueMs(poll, slotMs);
  const backoffMs = doubledMs(firstBackoffMs, longestBackoffMs, poll.failuresInRow) * (1 - 0.2 * poll.jitter);
  if (poll.confirms && poll.failuresInRow === 1) {
    return poll.endedMs + Math.max(firstBackoffMs, poll.retryAfterMs ?? 0);
  }
  return Math.max(slotMs, poll.endedMs + backoffMs, poll.endedMs + (poll.retryAfterMs ?? 0));
}

function lockedDueMs(poll: PollEnd, slotMs: number): number {
  const { phase, intervalMs } = poll;
  const periodMs = phase?.periodMs ?? null;
  if (phase === null || periodMs === null || !areInTune(intervalMs, periodMs)) return slotMs;
  // The sighting nearest to the slot, and at most a tenth of the interval before it.
  const leadMs = Math.min(intervalMs * tolerance, periodMs / 2);
  const mayBeEarly = poll.isAutomatic && !isLocked(phase);
  const earliestMs = Math.max(poll.endedMs, slotMs - (mayBeEarly ? intervalMs - leadMs : leadMs));
  const sightingMs = nextSightingMs(phase, earliestMs);
  return sightingMs !== null && sightingMs < earliestMs + intervalMs ? sightingMs : slotMs;
}

/** How far polls may be from the interval that was asked for, so as to fall in with the runs. */
const tolerance = 0.1;

/** True when one is nearly a number of times the other, so that polls can follow the runs at the rate asked for. */
function areInTune(intervalMs: number, periodMs: number): boolean {
  if (intervalMs > longestLockedIntervalMs) return false;
  const ratio = intervalMs / periodMs;
  const whole = ratio >= 1 ? Math.round(ratio) : 1 / Math.round(1 / ratio);
  return Math.abs(whole / ratio - 1) <= tolerance;
}
