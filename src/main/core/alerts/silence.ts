import type { Clock, Timers } from '../ports.ts';

/** Polls without an answer that follow one another without a gap. */
export interface Silence {
  /** By the monotonic clock. */
  sinceMs: number;
  lastMs: number;
  /** How far the system's clock is ahead of the monotonic one, which stands still or not while the computer sleeps. */
  offsetMs: number;
}

/** More between two polls says that nobody looked. */
const longestGapMs = 75_000;
/** A larger step of one clock against the other is a sleep, or somebody has set the clock. */
const largestStepMs = 5_000;

/**
 * For how long a node was really seen not to answer: a night that the computer slept through, a step of the clock and
 * a time of our own trouble count for nothing.
 */
export function watchSilence(
  before: Silence | null,
  isUnreachable: boolean,
  { nowMs, monotonicMs }: { nowMs: number; monotonicMs: number },
): Silence | null {
  if (!isUnreachable) return null;
  const offsetMs = nowMs - monotonicMs;
  const goesOn =
    before !== null &&
    monotonicMs - before.lastMs <= longestGapMs &&
    Math.abs(offsetMs - before.offsetMs) <= largestStepMs;
  return { sinceMs: goesOn ? before.sinceMs : monotonicMs, lastMs: monotonicMs, offsetMs };
}

export interface SilencesDeps {
  clock: Clock;
  timers: Timers;
  /** After how much silence a node is told of. */
  dueMs: (nodeId: string) => number;
  /** Called when a silence has lasted that long, which may be between two polls. */
  onDue: (nodeId: string) => void;
}

/** The silence of each node. */
export class Silences {
  readonly #deps: SilencesDeps;
  readonly #byNode = new Map<string, { silence: Silence; cancel: () => void }>();

  constructor(deps: SilencesDeps) {
    this.#deps = deps;
  }

  /** Must be called for every poll. */
  polled(nodeId: string, isUnreachable: boolean): void {
    const { clock, timers, dueMs, onDue } = this.#deps;
    const now = { nowMs: clock.nowMs(), monotonicMs: clock.monotonicMs() };
    const silence = watchSilence(this.#byNode.get(nodeId)?.silence ?? null, isUnreachable, now);
    this.forget(nodeId);
    if (silence === null) return;
    const leftMs = dueMs(nodeId) - lastedMs(silence);
    const isDue = () => {
      // Nothing has answered since the last poll; whether the computer has slept meanwhile is seen as with a poll.
      this.polled(nodeId, true);
      if (this.ms(nodeId) >= dueMs(nodeId)) onDue(nodeId);
    };
    const cancel = leftMs > 0 && leftMs <= longestGapMs ? timers.after(leftMs, isDue) : () => undefined;
    this.#byNode.set(nodeId, { silence, cancel });
  }

  /** How long a node has not answered; 0 for one that does. */
  ms(nodeId: string): number {
    const silent = this.#byNode.get(nodeId);
    return silent === undefined ? 0 : lastedMs(silent.silence);
  }

  forget(nodeId: string): void {
    this.#byNode.get(nodeId)?.cancel();
    this.#byNode.delete(nodeId);
  }

  clear(): void {
    for (const nodeId of [...this.#byNode.keys()]) this.forget(nodeId);
  }
}

function lastedMs({ sinceMs, lastMs }: Silence): number {
  return lastMs - sinceMs;
}
