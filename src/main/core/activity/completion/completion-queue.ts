import type { ActivityFilter } from '../../../../shared/activity/filter.ts';
import type { CompletionStatus } from '../../../../shared/activity/types.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { doubledMs } from '../../doubled.ts';
import { retryPauseMs } from '../sync/retry-later.ts';

/** Pause before a failed row is tried again, doubled with each further failure (milliseconds). */
const firstPauseMs = 10 * 60_000;
const longestPauseMs = 24 * 3_600_000;

/** How long everything stops after an error that does not pass by itself: a wrong key, a full disk. */
const longStandstillMs = 5 * 60_000;

/** After this many failures in a row the service is taken to be the cause, whatever the errors say. */
const failuresOfService = 3;

/** Concurrent calls; the scheduler gives the user's own calls precedence. */
const maxAtOnce = 2;

/** Rows that are looked up for the filter at a time. */
const batchSize = 100;

/** A row, and the transaction that completes it. */
export interface RowRef {
  rowId: number;
  chainId: string;
  txHash: string;
}

export interface Job extends RowRef {
  /** Shown on the screen, requested by the user through a filter, or completed before its price was known. */
  why: 'shown' | 'wanted' | 'price';
}

/** What to look up in the store before the next call. */
export type Look =
  /** One row: is it still partial? (`jobOf`) */
  | { at: 'row'; rowId: number; why: 'shown' | 'wanted' }
  /** The next partial rows that match the filter (`takeBatch`). */
  | { at: 'filter'; filter: ActivityFilter; limit: number }
  /** Complete rows whose historic price should be known by now (`takeUnpriced`). */
  | { at: 'prices'; limit: number };

/** The user's request to complete all rows that match a filter. */
interface Wanted {
  filter: ActivityFilter;
  /** The next rows; null when they have to be looked up, empty while the last ones are being completed. */
  batch: RowRef[] | null;
  left: number;
  /** It was requested before the restart, and waits until the window has loaded its rows. */
  isHeld: boolean;
}

/**
 * The order in which rows are completed, and what the end of a call changes: the rules alone, without store, service or
 * timers. Rows on the screen come first, then the user's request, then rows whose price is known by now. A row that
 * fails is paused for longer each time. Times are monotonic milliseconds.
 */
export class CompletionQueue {
  #shown: number[] = [];
  #wanted: Wanted | null = null;
  readonly #active = new Set<string>();
  readonly #pauses = new Map<number, { failures: number; untilMs: number }>();
  #doneCount = 0;
  /** Consecutive failures. */
  #failures = 0;
  /** Prices may have become known since rows were last looked up for them. */
  #arePricesDue = false;
  /** Why completion is not progressing; null while it is. */
  error: AppError | null = null;
  partialCount = 0;

  status(): CompletionStatus {
    return {
      partialCount: this.partialCount,
      waitingCount: this.#shown.length + this.#active.size + (this.#wanted?.left ?? 0),
      isAll: this.#wanted !== null,
      doneCount: this.#doneCount,
      error: this.error,
    };
  }

  // ---- Requests -----------------------------------------------------------------------------------------------------

  /** Sets the rows on the screen, in their order; rows that are no longer shown lose their priority. */
  show(rowIds: readonly number[], nowMs: number): void {
    this.#beginCount();
    this.#shown = rowIds.filter((rowId) => !this.#isPaused(rowId, nowMs));
  }

  /** The user requests all `left` rows that match a filter; earlier failures no longer delay them. */
  want(filter: ActivityFilter, left: number): void {
    this.#beginCount();
    this.#pauses.clear();
    this.#wanted = { filter, batch: null, left, isHeld: false };
  }

  /** Restores a request from before a restart; the function returned starts it, with the count of rows left. */
  hold(filter: ActivityFilter): (left: number | null) => void {
    const wanted: Wanted = { filter, batch: null, left: this.partialCount, isHeld: true };
    this.#wanted = wanted;
    return (left) => {
      wanted.left = left ?? wanted.left;
      wanted.isHeld = false;
    };
  }

  /** Drops the request; calls under way go on. */
  unwant(): void {
    this.#wanted = null;
  }

  lookForPrices(): void {
    this.#arePricesDue = true;
  }

  /** Drops everything that is queued. */
  empty(): void {
    this.#shown = [];
    this.#wanted = null;
    this.#arePricesDue = false;
  }

  // ---- Next call ----------------------------------------------------------------------------------------------------

  /** What to look up for the next call; null when there is nothing. Removes it from the queue. */
  next(): Look | null {
    if (this.#active.size >= maxAtOnce) return null;
    const shown = this.#shown.shift();
    if (shown !== undefined) return { at: 'row', rowId: shown, why: 'shown' };
    const beside = this.#pauses.size + this.#active.size;
    if (this.#wanted?.isHeld === false) {
      const { filter, batch } = this.#wanted;
      // Skipped rows are found again each time and must not fill the batch.
      if (batch === null) return { at: 'filter', filter, limit: batchSize + beside };
      const row = batch.shift();
      if (row !== undefined) {
        if (batch.length === 0) this.#wanted.batch = null;
        // Rows on the screen may have been completed since the batch was read.
        return { at: 'row', rowId: row.rowId, why: 'wanted' };
      }
    }
    return this.#arePricesDue ? { at: 'prices', limit: Math.min(1 + beside, 1_000) } : null;
  }

  /** Begins a call for a row; null when it is complete by now, or its transaction is being fetched already. */
  jobOf(row: RowRef, why: Job['why']): Job | null {
    const key = keyOf(row);
    if (this.#active.has(key)) return null;
    this.#active.add(key);
    return { why, rowId: row.rowId, chainId: row.chainId, txHash: row.txHash };
  }

  /** Takes the rows found for the filter. Returns true when the request is finished. */
  takeBatch(filter: ActivityFilter, rows: readonly RowRef[], nowMs: number): boolean {
    if (this.#wanted?.filter !== filter) return false;
    const keys = new Set(this.#active);
    const batch = rows.filter((row) => {
      const isNew = !keys.has(keyOf(row)) && !this.#isPaused(row.rowId, nowMs);
      // Several addresses may have the same transaction: one call completes all of their rows.
      keys.add(keyOf(row));
      return isNew;
    });
    this.#wanted.batch = batch;
    if (batch.length > 0 || this.#active.size > 0) return false;
    this.#wanted = null;
    return true;
  }

  /** Begins a call for one of the rows found for prices; the others are found again next time. */
  takeUnpriced(rows: readonly RowRef[], nowMs: number): Job | null {
    const next = rows.find((row) => !this.#active.has(keyOf(row)) && !this.#isPaused(row.rowId, nowMs));
    if (next !== undefined) return this.jobOf(next, 'price');
    this.#arePricesDue = false;
    return null;
  }

  // ---- Results ------------------------------------------------------------------------------------------------------

  /** A call has completed `rowCount` rows. */
  done(job: Job, rowCount: number): void {
    this.#end(job);
    this.#pauses.delete(job.rowId);
    this.#failures = 0;
    this.error = null;
    if (job.why === 'price') return;
    this.#doneCount += 1;
    this.#count(rowCount);
  }

  /**
   * A call has failed. Returns how long to pause all calls; null when only this row is affected. `nowMs` is monotonic, `wallMs`
   * the system's clock.
   */
  failed(job: Job, error: AppError, nowMs: number, wallMs: number): number | null {
    this.#end(job);
    if (error.code === 'cancelled') return null;
    this.#failures += 1;
    this.error = error;
    if (!isOfRow(error, this.#failures)) {
      if (job.why === 'shown') this.#shown.unshift(job.rowId);
      return this.standstillMs(error, wallMs);
    }
    const failures = (this.#pauses.get(job.rowId)?.failures ?? 0) + 1;
    const untilMs = nowMs + doubledMs(firstPauseMs, longestPauseMs, failures);
    this.#pauses.set(job.rowId, { failures, untilMs });
    if (job.why !== 'price') this.#count(1);
    return null;
  }

  /** How long to pause all calls after an error that is not about one row. */
  standstillMs(error: AppError, wallMs: number): number {
    this.error = error;
    return retryPauseMs(error, this.#failures, wallMs) ?? longStandstillMs;
  }

  /** Looks up the filter's last rows again: a call that was under way may have failed. */
  #end(job: Job): void {
    this.#active.delete(keyOf(job));
    if (this.#wanted?.batch?.length === 0) this.#wanted.batch = null;
  }

  #count(rows: number): void {
    if (this.#wanted !== null) this.#wanted.left = Math.max(0, this.#wanted.left - rows);
  }

  /** Counting starts again when the queue was empty. */
  #beginCount(): void {
    if (this.status().waitingCount === 0) this.#doneCount = 0;
  }

  #isPaused(rowId: number, nowMs: number): boolean {
    return (this.#pauses.get(rowId)?.untilMs ?? -Infinity) > nowMs;
  }
}

/** Whether an error concerns only this row, so that others can be tried. `failures`: in a row, this one included. */
function isOfRow(error: AppError, failures: number): boolean {
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

function keyOf({ chainId, txHash }: { chainId: string; txHash: string }): string {
  return `${chainId} ${txHash}`;
}
