import { doubledMs } from '../../doubled.ts';
import type { Reading } from '../ask/report.ts';
import { isLocked, nextSightingMs, type Phase } from './phase.ts';
import type { Asking } from './request-gate.ts';

/**
 * The state of polling one node, and the rules for when it is asked next; `poll-machine.ts` applies them. Times are
 * monotonic unless they are said to be the system's.
 */

// ---- What is known of a node -----------------------------------------------------------------------------------------

export interface PollTarget {
  id: string;
  /** Base URL without trailing slash. */
  url: string;
  /** Null: automatic, as often as the node runs its checks. */
  intervalMs: number | null;
  /** True: polled only when the user asks for it. */
  paused: boolean;
  /** A changed number means that the question has changed (such as its headers), so the node is polled at once. */
  revision: number;
}

/** `connect` only opens a connection, to see whether the server is back. */
export type AskKind = 'health' | 'liveness' | 'connect';

export interface Ask {
  what: AskKind;
  /** Of which part of the budget. */
  asking: Asking;
  /** Null until the request was sent. */
  sentMs: number | null;
  /** By the system's clock. */
  sentAtMs: number;
  /** The slot of the regular schedule that this poll counts for. */
  gridMs: number;
  /** Set when asking because the kept connection ended: how long it had been idle. Null otherwise. */
  lostAfterMs: number | null;
  /** Asked because a connection succeeded where there was none before. */
  isSought: boolean;
  /** A timeout was already reported. A late answer may still come and shows that the node is back. */
  isOverdue: boolean;
}

export const newAsk = { sentMs: null, lostAfterMs: null, isSought: false, isOverdue: false } as const;

/** Nodes close an idle connection after 120 s. */
export const nodeIdleLimitMs = 119_000;

/** What was learned at an address, which another one does not know. */
export class Learned {
  /** Consecutive polls without a report. */
  failuresInRow = 0;
  /** It did not answer the last poll at all. */
  isAway = false;
  disturbances = 0;
  /** How long the node usually takes to answer, as a moving average; null while unknown. */
  usualMs: number | null = null;
  /** When it last answered anything, liveness included. */
  lastSignMs: number;
  /** Neither liveness nor a connection is tried before this, because the budget was used up. */
  notBeforeMs: number;
  /** Whether the last answer left the connection open; null before the first one. */
  isKept: boolean | null = null;
  /** A connection that ends after being idle this long says nothing about the node. */
  idleLimitMs = nodeIdleLimitMs;
  /** Idle time after which a connection last ended although the node was up; null when none did. */
  falseEndMs: number | null = null;
  /** Of the node whose runs `phase` follows. */
  nodeId: string | null = null;
  phase: Phase | null = null;
  /** The period whose middle was last polled, and when; null before the first time. */
  explored: { periodMs: number; atMs: number } | null = null;
  /** Extra polls in a row that were to find a period. */
  learnLooks = 0;

  constructor(nowMs: number) {
    this.lastSignMs = nowMs;
    this.notBeforeMs = nowMs;
  }
}

class State extends Learned {
  target: PollTarget;
  isAsleep = false;
  ask: Ask | null = null;
  /** The answer being processed; no request is sent meanwhile. */
  taking: {
    gridMs: number;
    asking: Asking;
    reading: Reading;
    sawNewRun: boolean;
    /** The connection ended meanwhile, which is looked into afterwards; `afterMs` as in `lostAfterMs`. */
    lost?: { afterMs: number | null };
  } | null = null;
  /** The next poll, and the slot of the regular schedule that it counts for. */
  due: { atMs: number; gridMs: number; asking: Asking } | null = null;
  /** When to try to connect to a node that accepts no connections; null when there is no reason to. */
  seekMs: number | null = null;

  constructor(target: PollTarget, nowMs: number) {
    super(nowMs);
    this.target = target;
  }
}

/** A plain object, to be copied. */
export type PollState = { [Name in keyof State]: State[Name] };

export const newState = (target: PollTarget, nowMs: number): PollState => new State(target, nowMs);

/** How often to try to reconnect, and the timeout of one attempt. */
export const seekEveryMs = 2_000;

export const isPolling = ({ ask, taking }: PollState): boolean =>
  taking !== null || (ask?.what === 'health' && !ask.isOverdue);

/** When the machine needs its next `tick`; null when only another event can change something. */
export function wakeMs(state: PollState): number | null {
  const { ask, taking, due, seekMs } = state;
  if (taking !== null) return null;
  if (ask !== null && !ask.isOverdue) return ask.sentMs === null ? null : ask.sentMs + patienceOf(state, ask);
  if (due === null) return null;
  const smallMs = seekMs ?? signMs(state);
  return Math.min(due.atMs, smallMs === null ? Infinity : Math.max(smallMs, state.notBeforeMs));
}

export const patienceOf = (state: PollState, { what }: Ask): number =>
  what === 'connect' ? seekEveryMs : patienceMs(state.usualMs, intervalOf(state));

/** When to ask for liveness before the next poll; never for a node that is not answering. */
function signMs(state: PollState): number | null {
  const { failuresInRow, due, lastSignMs, target } = state;
  const ownMs = target.intervalMs === null ? intervalOf(state) : 0;
  return failuresInRow > 0 || due === null ? null : nextSignMs(lastSignMs, due.atMs, ownMs);
}

export const intervalOf = ({ target, phase }: PollState): number =>
  target.intervalMs ?? automaticIntervalMs(phase?.periodMs ?? null);

/** The period, if it is reliable; at an interval set by the user nobody polls in between, so it may be a multiple. */
export function toldPeriodMs({ target, phase }: Pick<PollState, 'target' | 'phase'>): number | null {
  if (phase === null) return null;
  return (target.intervalMs === null ? phase.isSure : phase.gapsMs.length >= 3) ? phase.periodMs : null;
}

/** The longest that the period can be: one that is not sure may be a part of the real one, which is no longer than any gap. */
export function mostPeriodMs(phase: Phase | null): number | null {
  if (phase === null || phase.isSure || phase.gapsMs.length === 0) return phase?.periodMs ?? null;
  return Math.max(phase.periodMs ?? 0, Math.min(...phase.gapsMs));
}

/** True when the connection stays open, so that its end shows that the node stopped; null before an answer. */
export const keepsLine = ({ isKept, idleLimitMs }: PollState): boolean | null =>
  isKept && idleLimitMs > longestSilenceMs;

// ---- When it is asked ------------------------------------------------------------------------------------------------

/** Interval while the period is unknown: the default of the node's flag `--health-check-frequency`. */
export const defaultPeriodMs = 30_000;
export const longestAutomaticMs = 120_000;
/** Shortest time between two requests of the regular rhythm: nine in two minutes, which leaves one of the budget. */
const shortestStepMs = 13_400;

/**
 * The interval of a node polled automatically: its own period, since its report does not change in between. Periods
 * below 13.4 s are multiplied, those above two minutes are divided into equal parts.
 */
export function automaticIntervalMs(periodMs: number | null): number {
  if (periodMs === null || !(periodMs > 0)) return defaultPeriodMs;
  if (periodMs < shortestStepMs) return Math.ceil(shortestStepMs / periodMs) * periodMs;
  return periodMs / Math.ceil(periodMs / longestAutomaticMs);
}

/** Longest time without a response from a node; beyond it a hang would be noticed too late ([0011](docs/adr)). */
export const longestSilenceMs = 15_750;

/**
 * When to ask for liveness between two polls: in equal steps of at most 15.75 s where the budget has so many, so that a
 * node polled every 30 s is asked once in the middle. Null when the next poll comes soon enough. While the period of a
 * node that is polled automatically is being learned, waits are shorter than `ownMs`, its interval: these are divided all
 * the same (0 for a node with an interval of the user's).
 */
export function nextSignMs(lastSignMs: number, pollDueMs: number, ownMs: number): number | null {
  const leftMs = pollDueMs - lastSignMs;
  const steps = Math.min(Math.ceil(leftMs / longestSilenceMs), Math.floor(leftMs / shortestStepMs));
  if (steps > 1) return lastSignMs + leftMs / steps;
  return leftMs > longestSilenceMs && ownMs >= 2 * shortestStepMs ? lastSignMs + longestSilenceMs : null;
}

/** What decides whether to poll once more before the next regular poll. */
export type Look = Pick<Learned, 'phase' | 'explored' | 'learnLooks'> & {
  endedMs: number;
  sawNewRun: boolean;
};

/** The longer of the two, so at most one extra poll in twenty. */
const exploreEvery = { ms: 600_000, periods: 20 };
/** The same while the period is not sure. */
const exploreUnsureEvery = { ms: 8_000, periods: 3 };
/** While no period is known: how often, and how many times, to poll for one. */
const learn = { everyMs: 15_000, looks: 12 };
const shortestExploreMs = 750;
const shortestRetryMs = 1_000;

/**
 * When to poll once more before the next regular poll, or null. `learn`: a few polls in quick succession find a period
 * soonest. `retry`: the expected run is late, or the poll was early, and a whole period would be long to wait.
 * `explore`: polls one period apart can never see that the node runs twice as often, so the middle is polled every ten
 * minutes, and more often while the period is not sure. `sawNewRun`: the last poll, which ended at `endedMs`, saw one.
 */
export function extraLook(look: Look): { atMs: number; why: 'learn' | 'retry' | 'explore' } | null {
  const { phase, explored, learnLooks, endedMs, sawNewRun } = look;
  const periodMs = phase?.periodMs ?? null;
  if (phase === null) return null;
  if (periodMs === null)
    return learnLooks < learn.looks ? { atMs: endedMs + learn.everyMs, why: 'learn' } : null;
  if (!sawNewRun) {
    const soonestMs = endedMs + Math.max(shortestRetryMs, 2 * phase.jitterMs);
    const atMs = isLocked(phase) ? soonestMs : (nextSightingMs(phase, soonestMs, true) ?? Infinity);
    return atMs < endedMs + periodMs / 3 ? { atMs, why: 'retry' } : null;
  }
  const sinceMs = explored === null ? Infinity : endedMs - explored.atMs;
  const isOther = explored === null || Math.abs(periodMs / explored.periodMs - 1) > tolerance;
  const isKnown = phase.isSure
    ? sinceMs < Math.max(exploreEvery.ms, exploreEvery.periods * periodMs)
    : !isOther && sinceMs < Math.max(exploreUnsureEvery.ms, exploreUnsureEvery.periods * periodMs);
  if (isKnown || periodMs / 2 < shortestExploreMs) return null;
  // Until two runs were seen one period apart, the next run matters more than the middle.
  const share = phase.gapsMs.some((gapMs) => gapMs < 1.5 * periodMs) ? 0.5 : 1;
  return { atMs: endedMs + share * periodMs + 2 * phase.jitterMs + 250, why: 'explore' };
}

/** With `longestSilenceMs` a hang is known within 19.3 s: what a busy computer adds fits into 20 s. */
const shortestPatienceMs = 3_500;
const longestPatienceMs = 10_000;

/** Timeout of a request: eight times the usual response time, 3.5 to 10 s, and never above the interval. */
export function patienceMs(usualMs: number | null, intervalMs: number): number {
  const fitMs = usualMs === null ? longestPatienceMs : Math.max(shortestPatienceMs, 8 * usualMs);
  return Math.ceil(Math.min(longestPatienceMs, intervalMs, fitMs));
}

/** Whether the computer slept, stalled or had its clock set in a request; then its failure says nothing. */
export function wasDisturbed(spans: { wallMs: number; monotonicMs: number; patienceMs: number }): boolean {
  const { wallMs, monotonicMs } = spans;
  return Math.abs(wallMs - monotonicMs) > toleratedMs || monotonicMs > spans.patienceMs + toleratedMs;
}

const toleratedMs = 5_000;

/** Longest backoff for a node that does not answer, unless its own interval is longer. */
const longestBackoffMs = 60_000;
const firstBackoffMs = 5_000;
/** At longer intervals seconds do not matter, and too few runs are seen to learn from. */
const longestLockedIntervalMs = 120_000;

/** The end of a poll, from which the time of the next one follows; times are monotonic milliseconds. */
export interface PollEnd extends Pick<Learned, 'failuresInRow' | 'phase'> {
  /** When this poll was due; it may have begun a little later. */
  dueMs: number;
  endedMs: number;
  intervalMs: number;
  /** From Retry-After; null without it. */
  retryAfterMs: number | null;
  /** Uniform in [0, 1). */
  jitter: number;
  /** True when the user set no interval: while the period is being learned, the poll may come earlier. */
  isAutomatic: boolean;
  /** The node had answered so far, so a first failure is confirmed soon instead of in its regular slot. */
  confirms: boolean;
}

/**
 * The first slot `dueMs + n × intervalMs` in the future, so that polls do not drift. Where the node's period fits the
 * interval, the moment just after the next run is taken instead, and slots go on from there: the same rate of requests
 * shows changes sooner.
 *
 * Failures only delay it: a backoff of 5 s doubles up to 60 s, less a random fifth so that nodes that failed together
 * are not polled together. A first failure that needs confirming waits 5 s and ignores the slots.
 */
export function nextDueMs(poll: PollEnd): number {
  const steps = Math.max(1, Math.ceil((poll.endedMs - poll.dueMs) / poll.intervalMs));
  const slotMs = poll.dueMs + steps * poll.intervalMs;
  if (poll.failuresInRow === 0) return lockedDueMs(poll, slotMs);
  const backoffMs = doubledMs(firstBackoffMs, longestBackoffMs, poll.failuresInRow) * (1 - 0.2 * poll.jitter);
  if (poll.confirms && poll.failuresInRow === 1)
    return poll.endedMs + Math.max(firstBackoffMs, poll.retryAfterMs ?? 0);
  return Math.max(slotMs, poll.endedMs + backoffMs, poll.endedMs + (poll.retryAfterMs ?? 0));
}

function lockedDueMs(poll: PollEnd, slotMs: number): number {
  const { phase, intervalMs } = poll;
  const periodMs = phase?.periodMs ?? null;
  if (phase === null || periodMs === null || !areInTune(intervalMs, periodMs)) return slotMs;
  // The expected run nearest to the slot, at most a tenth of the interval before it.
  const leadMs = Math.min(intervalMs * tolerance, periodMs / 2);
  const mayBeEarly = poll.isAutomatic && !isLocked(phase);
  const earliestMs = Math.max(poll.endedMs, slotMs - (mayBeEarly ? intervalMs - leadMs : leadMs));
  const sightingMs = nextSightingMs(phase, earliestMs);
  return sightingMs !== null && sightingMs < earliestMs + intervalMs ? sightingMs : slotMs;
}

/** How far polls may deviate from the configured interval to fall in with the runs, as a share of it. */
const tolerance = 0.1;

/** True when one is nearly a multiple of the other, so that polls can follow the runs at the configured rate. */
function areInTune(intervalMs: number, periodMs: number): boolean {
  if (intervalMs > longestLockedIntervalMs) return false;
  const ratio = intervalMs / periodMs;
  const whole = ratio >= 1 ? Math.round(ratio) : 1 / Math.round(1 / ratio);
  return Math.abs(whole / ratio - 1) <= tolerance;
}
