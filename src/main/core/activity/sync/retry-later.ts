import type { AppError } from '../../../../shared/errors.ts';
import { doubledMs } from '../../doubled.ts';
import type { Timers } from '../../ports.ts';

/** Pause after the first failure, doubled with each further one (milliseconds). */
const firstPauseMs = 30_000;
const longestPauseMs = 15 * 60_000;

/** The first pause where the service gave a time: it is trusted, but less if calls keep failing. */
const firstPauseAsToldMs = 1_000;

/** Retries something after a failure that may pass by itself. */
export class RetryLater {
  readonly #timers: Timers;
  #failures = 0;
  #cancelTimer: (() => void) | null = null;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  get isPlanned(): boolean {
    return this.#cancelTimer !== null;
  }

  /** Plans a retry if the error may pass. Returns the error, with the actual pause if it is a rate limit. */
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

  /** Cancels the planned retry, without resetting the count of failures. */
  cancel(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }
}

/** Pause before a retry; null for errors that would only happen again. */
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
