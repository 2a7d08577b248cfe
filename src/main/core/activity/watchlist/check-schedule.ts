import type { Timers } from '../../ports.ts';

export interface CheckScheduleDeps {
  timers: Timers;
  /** How often the user wants new activity to be looked for; 0 is never. */
  minutes: () => number;
  check: () => void;
}

/** Looks for new activity in the rhythm of the user's. */
export class CheckSchedule {
  readonly #deps: CheckScheduleDeps;
  #minutes = 0;
  #cancelTimer: (() => void) | null = null;

  constructor(deps: CheckScheduleDeps) {
    this.#deps = deps;
  }

  /** Begins, or follows a change of the setting; the next check is a whole interval from now. */
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
    this.#minutes = 0;
  }

  #planNext(): void {
    if (this.#minutes === 0) return;
    this.#cancelTimer = this.#deps.timers.after(this.#minutes * 60_000, () => {
      this.#planNext();
      this.#deps.check();
    });
  }
}
