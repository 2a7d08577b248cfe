import type { Clock, Timers } from '../ports.ts';

/** More between two signs that the app runs says that nobody looked: it must be given each poll, and called now and then. */
const longestGapMs = 75_000;
/** A larger step of one clock against the other is a sleep, or somebody has set the clock. */
const largestStepMs = 5_000;

export interface SilencesDeps {
  clock: Clock;
  timers: Timers;
  /** After how much silence a node causes an alert. */
  dueMs: (nodeId: string) => number;
  /** Called when a silence has lasted that long, which may be between two polls. */
  onDue: (nodeId: string) => void;
  /** Called when the computer seems to have slept, or its clock was set, and nobody has said so. */
  onSlept: () => void;
}

/**
 * For how long each node was really seen not to answer: a night that the computer slept through, a step of the clock and
 * a time of our own trouble count for nothing.
 */
export class Silences {
  readonly #deps: SilencesDeps;
  /** By the monotonic clock. */
  readonly #byNode = new Map<string, { sinceMs: number; lastMs: number; cancel: () => void }>();
  /** When the app was last seen to run, and how far the system's clock was ahead of the monotonic one. */
  #awake: { monotonicMs: number; offsetMs: number } | null = null;

  constructor(deps: SilencesDeps) {
    this.#deps = deps;
  }

  /** Must be called at least once in a minute. */
  runs(): void {
    const { clock } = this.#deps;
    const monotonicMs = clock.monotonicMs();
    const offsetMs = clock.nowMs() - monotonicMs;
    const before = this.#awake;
    this.#awake = { monotonicMs, offsetMs };
    if (before === null) return;
    const hasSlept =
      monotonicMs - before.monotonicMs > longestGapMs || Math.abs(offsetMs - before.offsetMs) > largestStepMs;
    if (!hasSlept) return;
    this.clear();
    this.#deps.onSlept();
  }

  /** Must be called for every poll. */
  polled(nodeId: string, isUnreachable: boolean): void {
    this.runs();
    const { clock, timers, dueMs, onDue } = this.#deps;
    const lastMs = clock.monotonicMs();
    const sinceMs = this.#byNode.get(nodeId)?.sinceMs ?? lastMs;
    this.forget(nodeId);
    if (!isUnreachable) return;
    const leftMs = dueMs(nodeId) - (lastMs - sinceMs);
    const isDue = () => {
      // Nothing has answered since the last poll; whether the computer has slept meanwhile is seen as with a poll.
      this.polled(nodeId, true);
      if (this.ms(nodeId) >= dueMs(nodeId)) onDue(nodeId);
    };
    // Of a poll that is longer ago, nothing is said before the next one.
    const cancel = leftMs > 0 && leftMs <= longestGapMs ? timers.after(leftMs, isDue) : () => undefined;
    this.#byNode.set(nodeId, { sinceMs, lastMs, cancel });
  }

  /** How long a node has not answered; 0 for one that does. */
  ms(nodeId: string): number {
    const silent = this.#byNode.get(nodeId);
    return silent === undefined ? 0 : silent.lastMs - silent.sinceMs;
  }

  forget(nodeId: string): void {
    this.#byNode.get(nodeId)?.cancel();
    this.#byNode.delete(nodeId);
  }

  clear(): void {
    for (const nodeId of [...this.#byNode.keys()]) this.forget(nodeId);
  }
}
