import type { AppError } from '../../../../shared/errors.ts';
import { doubledMs } from '../../doubled.ts';
import type { Clock } from '../../ports.ts';
import { retryPauseMs } from '../sync/retry-later.ts';

/** The first pause of a row that failed, doubled with each further failure (milliseconds). */
const firstPauseMs = 10 * 60_000;
const longestPauseMs = 24 * 3_600_000;

/** How long everything stands still for a reason that does not pass by itself: a wrong key, a full disk. */
const longStandstillMs = 5 * 60_000;

/** So many failures in a row are the service's, whatever each of them says. */
const failuresOfService = 3;

/** Rows whose completion has failed, left alone for longer and longer. Forgotten with the end of the app. */
export class RowPauses {
  readonly #clock: Clock;
  readonly #pauses = new Map<number, { failures: number; untilMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  isPaused(rowId: number): boolean {
    return (this.#pauses.get(rowId)?.untilMs ?? -Infinity) > this.#clock.monotonicMs();
  }

  failed(rowId: number): void {
    const failures = (this.#pauses.get(rowId)?.failures ?? 0) + 1;
    const pauseMs = doubledMs(firstPauseMs, longestPauseMs, failures);
    this.#pauses.set(rowId, { failures, untilMs: this.#clock.monotonicMs() + pauseMs });
  }

  forget(rowId: number): void {
    this.#pauses.delete(rowId);
  }

  clear(): void {
    this.#pauses.clear();
  }

  /** Rows that have failed and were not completed since. */
  count(): number {
    return this.#pauses.size;
  }
}

/** Whether a failure says something about the row alone, so that others may be tried. `failures`: in a row, this one included. */
export function isOfRow(error: AppError, failures: number): boolean {
  switch (error.code) {
    case 'not-found':
    case 'bad-response':
    case 'invalid-params':
    case 'internal':
      return true;
    case 'upstream':
      return error.status < 500 || failures < failuresOfService;
    case 'timeout':
      return failures < failuresOfService;
    default:
      return false;
  }
}

/** How long nothing is asked after a failure that is not of one row. */
export function standstillMs(error: AppError, failures: number): number {
  return retryPauseMs(error, failures) ?? longStandstillMs;
}
