import type { AppError } from '../../../../shared/errors.ts';
import { doubledMs } from '../../doubled.ts';
import type { Timers } from '../../ports.ts';

/** The first pause, doubled with each further failure (milliseconds). */
const firstPauseMs = 30_000;
const longestPauseMs = 15 * 60_000;

/** A service that says when it may be asked is believed, unless it says so again and again. */
const firstPauseAsToldMs = 1_000;

/** Plans to do something again that failed for a reason that may pass by itself. */
export class RetryLater {
  readonly #timers: Timers;
  #failures = 0;
  #cancelTimer: (() => void) | null = null;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** It is planned to be tried again. */
  get isPlanned(): boolean {
    return this.#cancelTimer !== null;
  }

  /** Plans the next attempt, if there is any hope in it. Returns the error with the time that is waited. */
  failed(error: AppError, again: () => void): AppError {
    this.cancel();
    this.#failures += 1;
    const delayMs = retryPauseMs(error, this.#failures);
    if (delayMs === null) return error;
    this.#cancelTimer = this.#timers.after(delayMs, () => {
      this.#cancelTimer = null;
      again();
    });
    return error.code === 'rate-limited' ? { ...error, retryAfterMs: delayMs } : error;
  }

  succeeded(): void {
    this.cancel();
    this.#failures = 0;
  }

  /** Gives up the planned attempt; the next failure is waited for as long as if it had been made. */
  cancel(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }
}

/** No answer, a failing service or a limit may pass; everything else would fail in the same way again. */
export function retryPauseMs(error: AppError, failures: number): number | null {
  switch (error.code) {
    case 'unreachable':
    case 'timeout':
      return doubledMs(firstPauseMs, longestPauseMs, failures);
    case 'upstream':
      return error.status < 500 ? null : doubledMs(firstPauseMs, longestPauseMs, failures);
    case 'rate-limited':
      return Math.max(doubledMs(firstPauseAsToldMs, longestPauseMs, failures), error.retryAfterMs);
    default:
      return null;
  }
}
