import type { Clock } from '../src/main/core/ports.ts';

export const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000] as const;

interface Planned {
  dueMs: number;
  task: () => void;
}

/** Adds to tasks of which the next one is at the end; those of the same moment stay in the order in which they were planned. */
function plan(tasks: Planned[], planned: Planned): void {
  tasks.splice(tasks.findLastIndex(({ dueMs }) => dueMs > planned.dueMs) + 1, 0, planned);
}

/**
 * The time of the world. Nodes, services and the network live in true time (`nowMs`, 0 at the beginning). The computer
 * has two clocks of its own: a monotonic one, which may stand still while the computer sleeps, and the system's, which
 * may be wrong, drift and be set. Its timers and what reaches it wait while it sleeps.
 */
export class WorldTime {
  #nowMs = 0;
  readonly #outside: Planned[] = [];
  readonly #inside: Planned[] = [];
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
    plan(this.#outside, { dueMs: this.#nowMs + Math.ceil(Math.max(0, delayMs)), task });
  }

  /** A timer of the computer; the returned function cancels it. */
  inside(delayMs: number, task: () => void): () => void {
    // In whole milliseconds, as timers are; so none fires a fraction before its time.
    const dueMs = this.#monotonicMs() + Math.ceil(Math.max(0, delayMs));
    const planned = { dueMs, task };
    plan(this.#inside, planned);
    return () => {
      planned.task = () => undefined;
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
    const inside = this.isAsleep ? undefined : this.#inside.at(-1);
    const insideAtMs =
      inside === undefined ? Infinity : Math.max(this.#nowMs, inside.dueMs + this.#stoodStillMs);
    const outsideAtMs = this.#outside.at(-1)?.dueMs ?? Infinity;
    const atMs = Math.min(insideAtMs, outsideAtMs);
    if (atMs > untilMs) {
      this.#nowMs = untilMs;
      return false;
    }
    this.#nowMs = atMs;
    const planned = outsideAtMs <= insideAtMs ? this.#outside.pop() : this.#inside.pop();
    planned?.task();
    return true;
  }
}

/** Processor time that this thread has used, by now. To ask takes as long as a step. */
export function askProcessor(): { usedMs: number; atMs: number } {
  const { user, system } = process.threadCpuUsage();
  return { usedMs: (user + system) / 1_000, atMs: performance.now() };
}

/** Lets everything happen that needs no time: promises, and what waits for a turn of the event loop. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
