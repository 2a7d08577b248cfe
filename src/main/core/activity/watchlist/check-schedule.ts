import type { Timers } from '../../ports.ts';

export interface CheckScheduleDeps {
  timers: Timers;
  /** The interval set by the user for checking for new activity; 0 means never. */
  minutes: () => number;
  check: () => void;
}

/** Checks for new activity at the interval that the user has set. */
export class CheckSchedule {
  readonly #deps: CheckScheduleDeps;
  #minutes = 0;
  #cancelTimer: (() => void) | null = null;

  constructor(deps: CheckScheduleDeps) {
    this.#deps = deps;
  }

  /** Starts, or applies a changed setting; the next check is one full interval from now. */
  plan(): void {
    const minutes = this.#deps.minutes();
    if (minutes === this.#minutes) return;
    this.stop();
    this.#minutes = minutes;
    this.#planNext();
  }

  stop(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  #planNext(): void {
    if (this.#minutes === 0) return;
    this.#cancelTimer = this.#deps.timers.after(this.#minutes * 60_000, () => {
      this.#planNext();
      this.#deps.check();
    });
  }
}
