import { doubledMs } from '../../doubled.ts';
import type { Reading } from '../ask/report.ts';
import { isLocked, nextSightingMs, type Phase } from './phase.ts';

/**
 * What is known of one node that is polled, and the rules of when it is asked next; `poll-machine.ts` says what becomes of
 * both. Times are of the monotonic clock unless they are said to be of the system's.
 */

// ---- What is known of a node -----------------------------------------------------------------------------------------

export interface PollTarget {
  id: string;
  /** Base URL without trailing slash. */
  url: string;
  /** Null: as often as the node runs its checks. */
  intervalMs: number | null;
  /** Asked only when somebody wants it now. */
  paused: boolean;
  /** Another number means that what is asked has changed, so that it is asked at once. */
  revision: number;
}

/** `connect` is a connection without a request, to see whether anybody is there again. */
export type AskKind = 'health' | 'liveness' | 'connect';

export interface Ask {
  what: AskKind;
  /** Null until the request is on its way. */
  sentMs: number | null;
  /** By the system's clock. */
  sentAtMs: number;
  /** The moment of the regular rhythm that a poll counts for. */
  gridMs: number;
  /** How long the kept connection had been idle whose end this asks about; null for any other reason to ask. */
  lostAfterMs: number | null;
  /** It was told that no answer came in time. It may still come, and then the node is there again. */
  isOverdue: boolean;
}

export interface PollState {
  target: PollTarget;
  isAsleep: boolean;
  ask: Ask | null;
  /** What the answer that is being taken in says; no request is sent meanwhile. */
  taking: { gridMs: number; reading: Reading; hadAnswered: boolean } | null;
  /** The next poll, and the moment of the regular rhythm that it counts for. */
  due: { atMs: number; gridMs: number } | null;
  /** The same by the system's clock, as it was planned. */
  nextPollAtMs: number | null;
  /** When to look for a node that cannot be connected to; null while there is no reason. */
  seekMs: number | null;
  failuresInRow: number;
  disturbances: number;
  /** How long the node usually takes to answer; null while unknown. */
  usualMs: number | null;
  /** When it last gave a sign of life. */
  lastSignMs: number;
  /** Requests beside polls and liveness that may be made now, and when that was counted. */
  spares: number;
  sparesAtMs: number;
  /** The last answer left the connection open; null while there was none. */
  isKept: boolean | null;
  /** From here on the end of an idle connection is no news. */
  idleLimitMs: number;
  /** After so long a connection ended although the node was there; null when none did. */
  falseEndMs: number | null;
  phase: Phase | null;
  sawNewRun: boolean;
  /** An extra look is not followed by another. */
  isExtraLook: boolean;
  explored: Look['explored'];
  learnLooks: number;
}

/** A node itself closes an idle connection after 120 s. */
export const nodeIdleLimitMs = 119_000;
/** How often somebody who refuses is looked for, and how long a connection may take to be made. */
export const seekEveryMs = 2_000;
export const mostSpares = 4;

/** Of a target that is new; what its tags select may be asked at once where a person has just said so. */
export function newState(target: PollTarget, nowMs: number): PollState {
  return {
    target,
    isAsleep: false,
    ask: null,
    taking: null,
    due: null,
    nextPollAtMs: null,
    seekMs: null,
    ...blank(nowMs),
    spares: target.revision > 0 ? mostSpares : 1,
  };
}

/** What holds only for one address. */
export function blank(nowMs: number) {
  return {
    failuresInRow: 0,
    disturbances: 0,
    usualMs: null,
    lastSignMs: nowMs,
    spares: 1,
    sparesAtMs: nowMs,
    isKept: null,
    idleLimitMs: nodeIdleLimitMs,
    falseEndMs: null,
    phase: null,
    sawNewRun: false,
    isExtraLook: false,
    explored: null,
    learnLooks: 0,
  } satisfies Partial<PollState>;
}

export function isPolling({ ask, taking }: PollState): boolean {
  return taking !== null || (ask?.what === 'health' && !ask.isOverdue);
}

/** When the machine wants its next `tick`; null when only something else can happen. */
export function wakeMs(state: PollState): number | null {
  const { ask, taking, due, seekMs } = state;
  if (taking !== null) return null;
  if (ask !== null && !ask.isOverdue) return ask.sentMs === null ? null : ask.sentMs + patienceOf(state, ask);
  if (due === null) return null;
  return Math.min(due.atMs, seekMs ?? Infinity, signMs(state) ?? Infinity);
}

export function patienceOf(state: PollState, { what }: Ask): number {
  return what === 'connect' ? seekEveryMs : patienceMs(state.usualMs, intervalOf(state));
}

/** When to ask for liveness before the next poll; never of a node that does not answer. */
function signMs({ failuresInRow, due, lastSignMs }: PollState): number | null {
  return failuresInRow > 0 || due === null ? null : nextSignMs(lastSignMs, due.atMs);
}

/** How often the node is polled. */
export function intervalOf({ target, phase }: PollState): number {
  return target.intervalMs ?? automaticIntervalMs(phase?.periodMs ?? null);
}

/** The period as far as it can be told: at an interval of the user's nobody looks in between, so that the node may run more often. */
export function toldPeriodMs({ target, phase }: Pick<PollState, 'target' | 'phase'>): number | null {
  if (phase === null) return null;
  return (target.intervalMs === null ? phase.isSure : phase.gapsMs.length >= 3) ? phase.periodMs : null;
}

/** For judging that a node is late: a period that is not sure only ever makes more patient. */
export function patientPeriodMs(state: Pick<PollState, 'target' | 'phase'>): number | null {
  const learnedMs = state.phase?.periodMs ?? 0;
  return toldPeriodMs(state) ?? (learnedMs > defaultPeriodMs ? learnedMs : null);
}

/** The end of the connection tells of the end of the node; null while the node has not answered. */
export function keepsLine({ isKept, idleLimitMs }: PollState): boolean | null {
  return isKept && idleLimitMs > longestSilenceMs;
}

// ---- When it is asked ------------------------------------------------------------------------------------------------

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
