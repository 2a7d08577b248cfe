import type { Phase } from './phase.ts';
import { defaultPeriodMs, type Look } from './schedule.ts';

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

/** A request that is under way. */
export interface Flight {
  kind: 'poll' | 'knock';
  controller: AbortController;
  ended: Promise<void>;
  end: () => void;
}

/** When the next poll is due, and the moment of the regular rhythm that it counts for; by the monotonic clock. */
export interface Due {
  atMs: number;
  gridMs: number;
}

/** All that the poller knows of one target. */
export interface Loop {
  target: PollTarget;
  flight: Flight | null;
  cancelTimer: (() => void) | null;
  due: Due | null;
  nextPollAtMs: number | null;
  failuresInRow: number;
  phase: Phase | null;
  /** What the last poll saw of the rhythm; an extra look is not followed by another. */
  sawNewRun: boolean;
  isExtraLook: boolean;
  explored: Look['explored'];
  learnLooks: number;
  /** How long the node usually takes to answer; null while unknown. */
  usualMs: number | null;
  /** When it last gave a sign of life, by the monotonic clock. */
  lastSignMs: number;
  falseAlarms: number;
  /** No knocks before this moment of the monotonic clock. */
  quietUntilMs: number;
  disturbances: number;
}

export function newLoop(target: PollTarget): Loop {
  return {
    target,
    flight: null,
    cancelTimer: null,
    due: null,
    nextPollAtMs: null,
    failuresInRow: 0,
    phase: null,
    sawNewRun: false,
    isExtraLook: false,
    explored: null,
    learnLooks: 0,
    usualMs: null,
    lastSignMs: 0,
    falseAlarms: 0,
    quietUntilMs: -Infinity,
    disturbances: 0,
  };
}

/** For a target that is asked at another address. */
export function forgetWhatWasLearned(loop: Loop): void {
  loop.failuresInRow = 0;
  loop.phase = null;
  loop.explored = null;
  loop.learnLooks = 0;
  loop.usualMs = null;
  loop.falseAlarms = 0;
  loop.quietUntilMs = -Infinity;
}

/** What says how often a node runs. */
type Rhythmic = Pick<Loop, 'phase'> & { target: Pick<PollTarget, 'intervalMs'> };

/** The period as far as it can be told: at an interval of the user's nobody looks in between, so that the node may run more often. */
export function toldPeriodMs({ target, phase }: Rhythmic): number | null {
  if (phase === null) return null;
  const isTold = target.intervalMs === null ? phase.isSure : phase.gapsMs.length >= 3;
  return isTold ? phase.periodMs : null;
}

/** For judging that a node is late: a period that is not sure only ever makes more patient. */
export function patientPeriodMs(loop: Rhythmic): number | null {
  const learnedMs = loop.phase?.periodMs ?? 0;
  return toldPeriodMs(loop) ?? (learnedMs > defaultPeriodMs ? learnedMs : null);
}

export function newFlight(kind: Flight['kind']): Flight {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { kind, controller: new AbortController(), ended, end };
}
