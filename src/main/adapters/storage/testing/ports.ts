import type { Clock, Log, Timers } from '../../../core/ports.ts';

/** Timers that tests run by hand. */
export interface ManualTimers extends Timers {
  /** Delays of the pending timers, in the order in which they were set. */
  readonly delaysMs: number[];
  /** Runs the first pending timer. */
  fire(): void;
}

export function createManualTimers(): ManualTimers {
  const set: { delayMs: number; task: () => void }[] = [];
  return {
    after(delayMs, task) {
      const timer = { delayMs, task };
      set.push(timer);
      return () => {
        if (set.includes(timer)) set.splice(set.indexOf(timer), 1);
      };
    },
    get delaysMs() {
      return set.map(({ delayMs }) => delayMs);
    },
    fire() {
      set.shift()?.task();
    },
  };
}

export function fixedClock(nowMs: number): Clock {
  return { nowMs: () => nowMs, monotonicMs: () => nowMs };
}

/** A log that collects the names of errors. */
export function createErrorLog(): { log: Log; events: string[] } {
  const events: string[] = [];
  return {
    events,
    log: {
      info: () => undefined,
      warn: () => undefined,
      error: (event) => {
        events.push(event);
        return String(events.length);
      },
    },
  };
}
