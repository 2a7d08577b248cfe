import type { AppError } from '../../../../shared/errors.ts';
import { doubledMs } from '../../doubled.ts';
import type { Clock, Timers } from '../../ports.ts';

/** Pause after the first failure, doubled with each further one (milliseconds). */
const firstPauseMs = 30_000;
const longestPauseMs = 15 * 60_000;

/** The first pause where the service gave a time: it is trusted, but less if calls keep failing. */
const firstPauseAsToldMs = 1_000;

/** Retries something after a failure that may pass by itself. */
export class RetryLater {
  readonly #ports: { clock: Clock; timers: Timers };
  #failures = 0;
  #cancelTimer: (() => void) | null = null;

  constructor(ports: { clock: Clock; timers: Timers }) {
    this.#ports = ports;
  }

  get isPlanned(): boolean {
    return this.#cancelTimer !== null;
  }

  /** Plans a retry if the error may pass. Returns the error, with the time of the retry if it is a rate limit. */
  failed(error: AppError, again: () => void): AppError {
    this.cancel();
    this.#failures += 1;
    const delayMs = retryPauseMs(error, this.#failures, this.#ports.clock.nowMs());
    if (delayMs === null) return error;
    this.#cancelTimer = this.#ports.timers.after(delayMs, () => {
      this.#cancelTimer = null;
      again();
    });
    return error.code === 'rate-limited'
      ? { ...error, retryAtMs: this.#ports.clock.nowMs() + delayMs }
      : error;
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

/** Pause before a retry; null for errors that would only happen again. `nowMs` is the system's clock, as `retryAtMs` is. */
export function retryPauseMs(error: AppError, failures: number, nowMs: number): number | null {
  switch (error.code) {
    case 'unreachable':
    case 'timeout':
    case 'bad-response':
      return doubledMs(firstPauseMs, longestPauseMs, failures);
    case 'upstream':
      return error.status < 500 ? null : doubledMs(firstPauseMs, longestPauseMs, failures);
    case 'rate-limited':
      return Math.max(doubledMs(firstPauseAsToldMs, longestPauseMs, failures), error.retryAtMs - nowMs);
    default:
      return null;
  }
}
