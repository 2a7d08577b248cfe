import type { ActivityFilter } from '../../../../shared/activity/filter.ts';
import type { CompletionStatus } from '../../../../shared/activity/types.ts';
import type { AppError } from '../../../../shared/errors.ts';
import type { ExceptRows, RowRef } from '../../activity-ports.ts';
import { doubledMs } from '../../doubled.ts';
import { retryPauseMs } from '../sync/retry-later.ts';
import { Pauses } from './pauses.ts';

/** Pause before a failed row is tried again, doubled with each further failure (milliseconds). */
const firstRowPauseMs = 10 * 60_000;
const longestRowPauseMs = 24 * 3_600_000;

/** The same for a chain. The first one is short: until a row succeeds, each pause lets one more row be tried. */
const firstChainPauseMs = 1_000;
const longestChainPauseMs = 15 * 60_000;

/** How long everything stops after an error that does not pass by itself: a wrong key, a full disk. */
const longStandstillMs = 5 * 60_000;

/** After this many different rows of a chain in a row, the chain is taken to be the cause. */
const failuresOfChain = 3;

/** Concurrent calls; the scheduler gives the user's own calls precedence. */
const maxAtOnce = 2;

/** Rows that are looked up at a time. */
const batchSize = 100;

export interface Job extends RowRef {
  /** Shown on the screen, requested by the user through a filter, or completed before its price was known. */
  why: 'shown' | 'wanted' | 'price';
}

/** What to look up in the store before the next call. */
export type Look =
  /** One row: is it still partial? (`jobOf`) */
  | { at: 'row'; rowId: number; why: 'shown' | 'wanted' }
  /** The next partial rows that match the filter (`takeBatch`). */
  | { at: 'filter'; filter: ActivityFilter; except: ExceptRows; limit: number }
  /** Complete rows whose historic price should be known by now (`takeUnpriced`). */
  | { at: 'prices'; except: ExceptRows; limit: number };

/** The user's request to complete all rows that match a filter. */
interface Wanted {
  filter: ActivityFilter;
  /** The next rows; null when they have to be looked up, empty while the last ones are being completed. */
  batch: RowRef[] | null;
  left: number;
  /** Nothing else is left of it: whether any row that is paused is of it is to be looked up. */
  isAtEnd: boolean;
  /** It was requested before the restart, and waits until the window has loaded its rows. */
  isHeld: boolean;
}

/**
 * The order in which rows are completed, and what the end of a call changes: the rules alone, without store, service or
 * timers. Rows on the screen come first, then the user's request, then rows whose price is known by now. What fails is
 * paused for longer each time: the row; its chain, after several rows of it; everything, where the error says so. Times
 * are monotonic milliseconds.
 */
export class CompletionQueue {
  /** The rows on the screen, and those of them that are to be looked up. */
  #screen: readonly number[] = [];
  #shown: number[] = [];
  #wanted: Wanted | null = null;
  /** Rows that the service does not have: the request ends without them, however long others take. */
  readonly #lacking = new Set<number>();
  /** Rows that are being completed, by transaction. */
  readonly #active = new Map<string, number>();
  readonly #rows = new Pauses<number>();
  readonly #chains = new Pauses<string>();
  readonly #everything = new Pauses<'everything'>();
  #doneCount = 0;
  /** Prices may have become known since rows were last looked up for them. */
  #arePricesDue = false;
  /** Why completion is not progressing; null while it is. */
  error: AppError | null = null;
  partialCount = 0;

  status(): CompletionStatus {
    return {
      partialCount: this.partialCount,
      // What is on the screen or under way is part of what the user requested.
      waitingCount: Math.max(this.#shown.length + this.#active.size, this.#wanted?.left ?? 0),
      isAll: this.#wanted !== null,
      doneCount: this.#doneCount,
      error: this.error,
    };
  }

  // ---- Requests -----------------------------------------------------------------------------------------------------

  /** Sets the rows on the screen, in their order; rows that are no longer shown lose their priority. */
  show(rowIds: readonly number[], nowMs: number): void {
    this.#beginCount();
    this.#screen = rowIds;
    this.#shown = rowIds.filter((rowId) => !this.#rows.isPaused(rowId, nowMs));
  }

  /** The user requests all `left` rows that match a filter; earlier failures no longer delay them. */
  want(filter: ActivityFilter, left: number): void {
    this.#beginCount();
    for (const pauses of [this.#rows, this.#chains, this.#everything]) pauses.clear();
    this.unwant();
    this.#wanted = { filter, batch: null, left, isAtEnd: false, isHeld: false };
  }

  /** Restores a request from before a restart; the function returned starts it, with the count of rows left. */
  hold(filter: ActivityFilter): (left: number | null) => void {
    const left = this.partialCount;
    const wanted: Wanted = { filter, batch: null, left, isAtEnd: false, isHeld: true };
    this.#wanted = wanted;
    return (counted) => {
      wanted.left = counted ?? wanted.left;
      wanted.isHeld = false;
    };
  }

  /** Drops the request; calls under way go on. */
  unwant(): void {
    this.#wanted = null;
    this.#lacking.clear();
  }

  lookForPrices(): void {
    this.#arePricesDue = true;
  }

  /** Drops everything that is queued. */
  empty(): void {
    this.#screen = [];
    this.#shown = [];
    this.unwant();
    this.#arePricesDue = false;
  }

  // ---- Next call ----------------------------------------------------------------------------------------------------

  /** What to look up for the next call; null when there is nothing. Removes it from the queue. */
  next(nowMs: number): Look | null {
    if (this.#active.size >= maxAtOnce || this.#everything.isPaused('everything', nowMs)) return null;
    const shown = this.#shown.shift();
    if (shown !== undefined) return { at: 'row', rowId: shown, why: 'shown' };
    // What is skipped would be found again each time, and hide what comes after it.
    const except = () => ({
      rowIds: [...this.#rows.paused(nowMs), ...this.#active.values()],
      chainIds: this.#chains.paused(nowMs),
    });
    if (this.#wanted?.isHeld === false) {
      const { filter, batch, isAtEnd } = this.#wanted;
      if (batch === null) {
        const { rowIds, chainIds } = isAtEnd ? { rowIds: [], chainIds: [] } : except();
        const all = new Set([...rowIds, ...this.#lacking]);
        const limit = isAtEnd ? 1 : batchSize;
        return { at: 'filter', filter, except: { rowIds: [...all], chainIds }, limit };
      }
      const row = batch.shift();
      if (row !== undefined) {
        if (batch.length === 0) this.#wanted.batch = null;
        // Rows on the screen may have been completed since the batch was read.
        return { at: 'row', rowId: row.rowId, why: 'wanted' };
      }
    }
    return this.#arePricesDue ? { at: 'prices', except: except(), limit: batchSize } : null;
  }

  /** Begins a call for a row; null when it or its chain is paused, or its transaction is being fetched already. */
  jobOf(row: RowRef, why: Job['why'], nowMs: number): Job | null {
    if (this.#isPaused(row, nowMs) || this.#active.has(keyOf(row))) return null;
    this.#active.set(keyOf(row), row.rowId);
    return { why, rowId: row.rowId, chainId: row.chainId, txHash: row.txHash };
  }

  /** Takes the rows found for the filter. Returns true when the request is finished. */
  takeBatch(filter: ActivityFilter, rows: readonly RowRef[], nowMs: number): boolean {
    const wanted = this.#wanted;
    if (wanted?.filter !== filter) return false;
    const wasAtEnd = wanted.isAtEnd;
    wanted.isAtEnd = false;
    if (wasAtEnd && rows.length > 0) {
      // It waits for the row, unless its pause has just ended.
      const waits = this.#active.size > 0 || rows.every((row) => this.#isPaused(row, nowMs));
      wanted.batch = waits ? [] : null;
      return false;
    }
    // Several addresses may have the same transaction: one call completes all of their rows.
    const keys = new Set(this.#active.keys());
    const batch = rows.filter((row) => !keys.has(keyOf(row)) && keys.add(keyOf(row)));
    wanted.batch = batch;
    if (batch.length > 0 || this.#active.size > 0) return false;
    const skipped = this.#rows.paused(nowMs).filter((rowId) => !this.#lacking.has(rowId));
    if (!wasAtEnd && skipped.length + this.#chains.paused(nowMs).length > 0) {
      wanted.batch = null;
      wanted.isAtEnd = true;
      return false;
    }
    this.unwant();
    return true;
  }

  /** Begins a call for one of the rows found for prices; the others are found again next time. */
  takeUnpriced(rows: readonly RowRef[], nowMs: number): Job | null {
    const next = rows.find((row) => !this.#active.has(keyOf(row)));
    if (next !== undefined) return this.jobOf(next, 'price', nowMs);
    this.#arePricesDue = false;
    return null;
  }

  /** When the next pause ends, and `wake` is to be called; Infinity when nothing is paused. */
  wakesAtMs(nowMs: number): number {
    return Math.min(...[this.#rows, this.#chains, this.#everything].map((one) => one.nextEndMs(nowMs)));
  }

  /** A pause has ended: what it held up is looked up again. */
  wake(nowMs: number): void {
    this.#shown = this.#screen.filter((rowId) => !this.#rows.isPaused(rowId, nowMs));
    this.#lookAgain();
  }

  // ---- Results ------------------------------------------------------------------------------------------------------

  done(job: Job, rowCount: number): void {
    this.#end(job);
    this.#rows.succeeded(job.rowId);
    this.#chains.succeeded(job.chainId);
    this.#everything.clear();
    this.error = null;
    if (job.why === 'price') return;
    this.#doneCount += 1;
    this.#count(rowCount);
  }

  /** A call has failed. `wallMs` is the system's clock, by which a rate limit says when it ends. */
  failed(job: Job, error: AppError, nowMs: number, wallMs: number): void {
    this.#end(job);
    const cause = causeOf(error);
    if (cause === null) return;
    if (cause === 'service') {
      if (job.why === 'shown') this.#shown.unshift(job.rowId);
      this.stand(error, nowMs, wallMs);
      return;
    }
    this.error = error;
    if (cause === 'row-or-chain') this.#chains.failed(job.chainId, nowMs, chainPauseMs);
    const isOfChain = this.#chains.isPaused(job.chainId, nowMs);
    // Also paused where the chain is the cause, so that another row is tried after its pause.
    this.#rows.failed(job.rowId, nowMs, rowPauseMs, !isOfChain);
    if (job.why === 'price' || cause !== 'row') return;
    this.#count(1);
    this.#lacking.add(job.rowId);
  }

  /** Pauses everything after an error that is not about a row. */
  stand(error: AppError, nowMs: number, wallMs: number): void {
    this.error = error;
    this.#everything.failed(
      'everything',
      nowMs,
      (failures) => retryPauseMs(error, failures, wallMs) ?? longStandstillMs,
    );
  }

  /** The service can be asked again. */
  goOn(): void {
    this.#everything.clear();
  }

  #isPaused({ rowId, chainId }: RowRef, nowMs: number): boolean {
    return this.#rows.isPaused(rowId, nowMs) || this.#chains.isPaused(chainId, nowMs);
  }

  #end(job: Job): void {
    this.#active.delete(keyOf(job));
    this.#lookAgain();
  }

  /** Looks up the filter's last rows again: a call that was under way may have failed. */
  #lookAgain(): void {
    if (this.#wanted?.batch?.length === 0) this.#wanted.batch = null;
  }

  #count(rows: number): void {
    if (this.#wanted !== null) this.#wanted.left = Math.max(0, this.#wanted.left - rows);
  }

  /** Counting starts again when the queue was empty. */
  #beginCount(): void {
    if (this.status().waitingCount === 0) this.#doneCount = 0;
  }
}

/**
 * Where the cause of an error lies: in the row, so that others can be tried; in the row or its chain, which only further
 * calls show; in the service or here. Null where nothing went wrong.
 */
function causeOf(error: AppError): 'row' | 'row-or-chain' | 'service' | null {
  switch (error.code) {
    case 'cancelled':
      return null;
    case 'not-found':
    case 'invalid-params':
    case 'internal':
      return 'row';
    case 'forbidden':
    case 'bad-response':
    case 'timeout':
      return 'row-or-chain';
    case 'upstream':
      return error.status < 500 ? 'row' : 'row-or-chain';
    default:
      return 'service';
  }
}

const rowPauseMs = (failures: number): number => doubledMs(firstRowPauseMs, longestRowPauseMs, failures);

const chainPauseMs = (failures: number): number =>
  failures < failuresOfChain
    ? 0
    : doubledMs(firstChainPauseMs, longestChainPauseMs, failures - failuresOfChain + 1);

const keyOf = ({ chainId, txHash }: { chainId: string; txHash: string }): string => `${chainId} ${txHash}`;
