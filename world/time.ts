import type { Clock } from '../src/main/core/ports.ts';

/** Something planned; `number` keeps the order of what is planned for the same moment. */
interface Planned {
  dueMs: number;
  number: number;
  task: () => void;
}

/** Planned tasks, the first one on top (a binary heap). */
class Plan {
  readonly #heap: Planned[] = [];

  get first(): Planned | undefined {
    return this.#heap[0];
  }

  get size(): number {
    return this.#heap.length;
  }

  add(planned: Planned): void {
    const heap = this.#heap;
    heap.push(planned);
    for (let at = heap.length - 1; at > 0;) {
      const parent = (at - 1) >> 1;
      if (!isBefore(heap[at], heap[parent])) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  take(): Planned | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    heap[0] = last;
    for (let at = 0; ;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      const least = isBefore(heap[right], heap[left]) ? right : left;
      if (!isBefore(heap[least], heap[at])) return first;
      this.#swap(at, least);
      at = least;
    }
  }

  #swap(a: number, b: number): void {
    const [one, other] = [this.#heap[a], this.#heap[b]];
    if (one === undefined || other === undefined) return;
    this.#heap[a] = other;
    this.#heap[b] = one;
  }
}

function isBefore(a: Planned | undefined, b: Planned | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return a.dueMs === b.dueMs ? a.number < b.number : a.dueMs < b.dueMs;
}

/**
 * The time of the world. Nodes, services and the network live in true time (`nowMs`, 0 at the beginning). The computer
 * has two clocks of its own: a monotonic one, which may stand still while the computer sleeps, and the system's, which
 * may be wrong, drift and be set. Its timers and what reaches it wait while it sleeps.
 */
export class WorldTime {
  #nowMs = 0;
  #number = 0;
  readonly #outside = new Plan();
  readonly #inside = new Plan();
  #sleptMs = 0;
  #stoodStillMs = 0;
  #asleepSinceMs: number | null = null;
  #offsetMs: number;
  readonly #standsStillAsleep: boolean;
  readonly #drift: number;

  constructor(clock: { startMs: number; standsStillAsleep: boolean; drift: number }) {
    this.#offsetMs = clock.startMs;
    this.#standsStillAsleep = clock.standsStillAsleep;
    this.#drift = clock.drift;
  }

  /** True time. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** True time without that in which the computer slept. */
  get awakeMs(): number {
    return (this.#asleepSinceMs ?? this.#nowMs) - this.#sleptMs;
  }

  get isAsleep(): boolean {
    return this.#asleepSinceMs !== null;
  }

  readonly clock: Clock = {
    nowMs: () => this.wallMs(),
    monotonicMs: () => this.#monotonicMs(),
  };

  /** What the system's clock shows at a moment of true time, as it is set now. */
  wallMs(atMs = this.#nowMs): number {
    return Math.floor(this.#offsetMs + atMs * (1 + this.#drift));
  }

  #monotonicMs(): number {
    const sinceMs = this.#standsStillAsleep ? (this.#asleepSinceMs ?? this.#nowMs) : this.#nowMs;
    return sinceMs - this.#stoodStillMs;
  }

  stepClock(ms: number): void {
    this.#offsetMs += ms;
  }

  /** Happens outside of the computer after `delayMs` of true time. */
  outside(delayMs: number, task: () => void): void {
    this.#outside.add({ dueMs: this.#nowMs + Math.ceil(Math.max(0, delayMs)), number: this.#next(), task });
  }

  /** A timer of the computer; the returned function cancels it. */
  inside(delayMs: number, task: () => void): () => void {
    // In whole milliseconds, as timers are; so none fires a fraction before its time.
    const dueMs = this.#monotonicMs() + Math.ceil(Math.max(0, delayMs));
    const planned = { dueMs, number: this.#next(), task };
    this.#inside.add(planned);
    return () => {
      planned.task = nothing;
    };
  }

  sleep(): void {
    this.#asleepSinceMs ??= this.#nowMs;
  }

  wake(): void {
    if (this.#asleepSinceMs === null) return;
    const sleptMs = this.#nowMs - this.#asleepSinceMs;
    this.#sleptMs += sleptMs;
    if (this.#standsStillAsleep) this.#stoodStillMs += sleptMs;
    this.#asleepSinceMs = null;
  }

  /** Runs the next task up to `untilMs`, which is reached then at the latest. False when there is none any more. */
  step(untilMs: number): boolean {
    const inside = this.isAsleep ? undefined : this.#inside.first;
    const insideAtMs =
      inside === undefined ? Infinity : Math.max(this.#nowMs, inside.dueMs + this.#stoodStillMs);
    const outsideAtMs = this.#outside.first?.dueMs ?? Infinity;
    const atMs = Math.min(insideAtMs, outsideAtMs);
    if (atMs > untilMs) {
      this.#nowMs = untilMs;
      return false;
    }
    this.#nowMs = atMs;
    const planned = outsideAtMs <= insideAtMs ? this.#outside.take() : this.#inside.take();
    planned?.task();
    return true;
  }

  #next(): number {
    this.#number += 1;
    return this.#number;
  }
}

/** Processor time that this thread has used: unlike time by the clock, the same on a busy machine. */
export function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

function nothing(): void {
  // A timer that was cancelled.
}

/** Lets everything happen that needs no time: promises, and what waits for a turn of the event loop. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
