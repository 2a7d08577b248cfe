import type { ActivityFilter } from '../../../../shared/activity/filter.ts';
import type { CompletionStatus } from '../../../../shared/activity/types.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { doubledMs } from '../../doubled.ts';
import { retryPauseMs } from '../sync/retry-later.ts';

/** The first pause of a row that failed, doubled with each further failure (milliseconds). */
const firstPauseMs = 10 * 60_000;
const longestPauseMs = 24 * 3_600_000;

/** How long everything stands still for a reason that does not pass by itself: a wrong key, a full disk. */
const longStandstillMs = 5 * 60_000;

/** So many failures in a row are the service's, whatever each of them says. */
const failuresOfService = 3;

/** Calls under way at a time; the scheduler lets the user's own go before them. */
const maxAtOnce = 2;

/** Rows of the filter that are looked up at a time. */
const batchSize = 100;

/** A row and the transaction whose detail completes it. */
export interface RowRef {
  rowId: number;
  chainId: string;
  txHash: string;
}

export interface Job extends RowRef {
  /** It was on the screen when its turn came, the user wants all of its kind, or it was complete too early for a price. */
  why: 'shown' | 'wanted' | 'price';
}

/** What has to be looked up in the store before the next call can be made. */
export type Look =
  /** One row: is it still partial? (`jobOf`) */
  | { at: 'row'; rowId: number; why: 'shown' | 'wanted' }
  /** The next partial rows that the filter lets through (`takeBatch`). */
  | { at: 'filter'; filter: ActivityFilter; limit: number }
  /** Complete rows whose price of the past exists by now (`takeUnpriced`). */
  | { at: 'prices'; limit: number };

/** All that a filter lets through. */
interface Wanted {
  filter: ActivityFilter;
  /** The next of them; null where they have to be looked up, empty where the last ones are under way. */
  batch: RowRef[] | null;
  left: number;
  /** It was wanted before the restart, and waits until the window has its rows. */
  isHeld: boolean;
}

/**
 * Which row is completed next, and what its end changes: the rules of completion, without store, service or timers. Those on
 * the screen come first, then all that the user wants, then rows whose price exists by now. A row that fails is left alone for
 * longer and longer. Times are of the clock that never goes back, in milliseconds.
 */
export class CompletionQueue {
  #shown: number[] = [];
  #wanted: Wanted | null = null;
  readonly #active = new Set<string>();
  readonly #pauses = new Map<number, { failures: number; untilMs: number }>();
  #doneCount = 0;
  /** In a row. */
  #failures = 0;
  /** Rows may have come of age since they were last looked for. */
  #arePricesDue = false;
  /** Why completing does not get on; null while it does. */
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

  // ---- What is asked for -----------------------------------------------------------------------------------------------

  /** The rows on the screen, in its order; those that have left it are no longer urgent. */
  show(rowIds: readonly number[], nowMs: number): void {
    this.#beginCount();
    this.#shown = rowIds.filter((rowId) => !this.#isPaused(rowId, nowMs));
  }

  /** All that the filter lets through, so many rows: the user wants it now, whatever failed before. */
  want(filter: ActivityFilter, left: number): void {
    this.#beginCount();
    this.#pauses.clear();
    this.#wanted = { filter, batch: null, left, isHeld: false };
  }

  /** What was wanted before a restart; until it is counted it is taken to be all that is left. Returns what lets it begin. */
  hold(filter: ActivityFilter): (left: number | null) => void {
    const wanted: Wanted = { filter, batch: null, left: this.partialCount, isHeld: true };
    this.#wanted = wanted;
    return (left) => {
      wanted.left = left ?? wanted.left;
      wanted.isHeld = false;
    };
  }

  /** Nothing more of what was wanted is begun. */
  unwant(): void {
    this.#wanted = null;
  }

  lookForPrices(): void {
    this.#arePricesDue = true;
  }

  /** Nothing more is begun. */
  empty(): void {
    this.#shown = [];
    this.#wanted = null;
    this.#arePricesDue = false;
  }

  // ---- What comes next -------------------------------------------------------------------------------------------------

  /** What to look up for the next call; null where none can be made. What it names is taken out of the queue. */
  next(): Look | null {
    if (this.#active.size >= maxAtOnce) return null;
    const shown = this.#shown.shift();
    if (shown !== undefined) return { at: 'row', rowId: shown, why: 'shown' };
    const beside = this.#pauses.size + this.#active.size;
    if (this.#wanted?.isHeld === false) {
      const { filter, batch } = this.#wanted;
      // Those that are left alone come first again each time, and must not fill the batch.
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

  /** Begins a call for a row; null for one that is complete by now, or whose transaction is being fetched. */
  jobOf(row: RowRef, why: Job['why']): Job | null {
    const key = keyOf(row);
    if (this.#active.has(key)) return null;
    this.#active.add(key);
    return { why, rowId: row.rowId, chainId: row.chainId, txHash: row.txHash };
  }

  /** The rows that were looked up for the filter. Returns whether nothing is left of what was wanted. */
  takeBatch(filter: ActivityFilter, rows: readonly RowRef[], nowMs: number): boolean {
    if (this.#wanted?.filter !== filter) return false;
    const keys = new Set(this.#active);
    const batch = rows.filter((row) => {
      const isNew = !keys.has(keyOf(row)) && !this.#isPaused(row.rowId, nowMs);
      // Several addresses may have the transaction: one call completes all of their rows.
      keys.add(keyOf(row));
      return isNew;
    });
    this.#wanted.batch = batch;
    if (batch.length > 0 || this.#active.size > 0) return false;
    this.#wanted = null;
    return true;
  }

  /** Begins a call for one of the rows that were looked up for their price; each answer takes a row out of that list. */
  takeUnpriced(rows: readonly RowRef[], nowMs: number): Job | null {
    const next = rows.find((row) => !this.#active.has(keyOf(row)) && !this.#isPaused(row.rowId, nowMs));
    if (next !== undefined) return this.jobOf(next, 'price');
    this.#arePricesDue = false;
    return null;
  }

  // ---- What became of it -----------------------------------------------------------------------------------------------

  /** A call has completed so many rows. */
  done(job: Job, rowCount: number): void {
    this.#end(job);
    this.#pauses.delete(job.rowId);
    this.#failures = 0;
    this.error = null;
    if (job.why === 'price') return;
    this.#doneCount += 1;
    this.#count(rowCount);
  }

  /** A call has failed. Returns how long nothing can be asked; null where only this row is concerned. */
  failed(job: Job, error: AppError, nowMs: number): number | null {
    this.#end(job);
    if (error.code === 'cancelled') return null;
    this.#failures += 1;
    this.error = error;
    if (!isOfRow(error, this.#failures)) {
      if (job.why === 'shown') this.#shown.unshift(job.rowId);
      return this.standstillMs(error);
    }
    const failures = (this.#pauses.get(job.rowId)?.failures ?? 0) + 1;
    const untilMs = nowMs + doubledMs(firstPauseMs, longestPauseMs, failures);
    this.#pauses.set(job.rowId, { failures, untilMs });
    if (job.why !== 'price') this.#count(1);
    return null;
  }

  /** How long nothing is asked for this reason, which is not of one row. */
  standstillMs(error: AppError): number {
    this.error = error;
    return retryPauseMs(error, this.#failures) ?? longStandstillMs;
  }

  /** What the filter has left over is looked up again: a call that was under way may have left its row as it was. */
  #end(job: Job): void {
    this.#active.delete(keyOf(job));
    if (this.#wanted?.batch?.length === 0) this.#wanted.batch = null;
  }

  #count(rows: number): void {
    if (this.#wanted !== null) this.#wanted.left = Math.max(0, this.#wanted.left - rows);
  }

  /** The count of what was done starts again with each queue. */
  #beginCount(): void {
    if (this.status().waitingCount === 0) this.#doneCount = 0;
  }

  #isPaused(rowId: number, nowMs: number): boolean {
    return (this.#pauses.get(rowId)?.untilMs ?? -Infinity) > nowMs;
  }
}

/** Whether a failure says something about the row alone, so that others may be tried. `failures`: in a row, this one included. */
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
