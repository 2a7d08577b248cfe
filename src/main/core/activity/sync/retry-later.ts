import type { AppError } from '../../../../shared/errors.ts';
import { doubledMs } from '../../doubled.ts';
import type { Clock, Timers } from '../../ports.ts';

/** Pause after the first failure, doubled with each further one (milliseconds). The app's own requests were repeated before. */
const firstPauseMs = 30_000;
const longestPauseMs = 15 * 60_000;

/** The first pause where the user waits for it, and where the service gave a time, which is trusted less if calls keep failing. */
const firstShortPauseMs = 1_000;

/** Retries something after a failure that may pass by itself. */
export class RetryLater {
  readonly #ports: { clock: Clock; timers: Timers };
  #isForUser = false;
  #failures = 0;
  #planned: { atMs: number; cancel: () => void } | null = null;

  constructor(ports: { clock: Clock; timers: Timers }) {
    this.#ports = ports;
  }

  get isPlanned(): boolean {
    return this.#planned !== null;
  }

  /** The user asks for it: failures are counted anew, and retried quickly first, until it succeeds. */
  asked(): void {
    this.succeeded();
    this.#isForUser = true;
  }

  /** Plans a retry if the error may pass. Returns the error, with the time of the retry. */
  failed(error: AppError, again: () => void): AppError {
    this.cancel();
    this.#failures += 1;
    const nowMs = this.#ports.clock.nowMs();
    const delayMs = retryPauseMs(error, this.#failures, nowMs, this.#isForUser);
    if (delayMs === null) return error;
    const cancel = this.#ports.timers.after(delayMs, () => {
      this.#planned = null;
      again();
    });
    this.#planned = { atMs: nowMs + delayMs, cancel };
    return this.timed(error);
  }

  /** The error of the last failure, with the time of the retry that is planned. */
  timed<E extends AppError | null>(error: E): E {
    return error === null || this.#planned === null ? error : { ...error, retryAtMs: this.#planned.atMs };
  }

  succeeded(): void {
    this.cancel();
    this.#failures = 0;
    this.#isForUser = false;
  }

  /** Cancels the planned retry, without resetting the count of failures. */
  cancel(): void {
    this.#planned?.cancel();
    this.#planned = null;
  }
}

/** Pause before a retry; null for errors that would only happen again. `nowMs` is the system's clock, as `retryAtMs` is. */
export function retryPauseMs(
  error: AppError,
  failures: number,
  nowMs: number,
  isForUser = false,
): number | null {
  const shortMs = doubledMs(firstShortPauseMs, longestPauseMs, failures);
  const pauseMs = isForUser ? shortMs : doubledMs(firstPauseMs, longestPauseMs, failures);
  switch (error.code) {
    case 'unreachable':
    case 'proxy':
    case 'timeout':
    case 'bad-response':
    case 'storage':
      return pauseMs;
    case 'upstream':
      return error.status < 500 ? null : pauseMs;
    case 'rate-limited':
      return Math.max(shortMs, error.retryAtMs - nowMs);
    default:
      return null;
  }
}
