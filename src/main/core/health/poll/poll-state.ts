import type { Phase } from './phase.ts';
import type { Reading } from '../ask/report.ts';
import {
  automaticIntervalMs,
  defaultPeriodMs,
  longestSilenceMs,
  nextSignMs,
  patienceMs,
  type Look,
} from './schedule.ts';

/** What `poll-machine.ts` knows of one node; times are of the monotonic clock unless they are said to be of the system's. */

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
