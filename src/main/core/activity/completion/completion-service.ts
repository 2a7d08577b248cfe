// The room of completion: fetches the details that make rows complete, and reads and judges rows for the window. It uses the
// rooms of rows, the sync, the watchlist, endpoints and settings.

import { priceExistsAfterMs } from '../../../../shared/activity/facets.ts';
import type { ActivityFilter } from '../../../../shared/activity/filter.ts';
import type { CompletionStatus } from '../../../../shared/activity/types.ts';
import { err, errorOf, ok, type AppError, type Result } from '../../../../shared/errors.ts';
import { createListeners, type Listeners } from '../../listeners.ts';
import type { Clock, Log, Timers } from '../../ports.ts';
import { isOfRow, RowPauses, standstillMs } from './completion-pauses.ts';
import { fetchDetail, unusable } from '../rows/fetch-detail.ts';
import type { KeptCompletion } from './kept-completion.ts';
import { pullGap, type Gap, type PullDeps } from './pull-gap.ts';

export interface CompletionDeps extends PullDeps {
  kept: KeptCompletion;
  clock: Clock;
  timers: Timers;
  log: Log;
}

interface Job {
  /** It was on the screen when its turn came, the user wants all of its kind, or it was complete too early for a price. */
  why: 'shown' | 'wanted' | 'price';
  rowId: number;
  chainId: string;
  txHash: string;
}

/** Calls under way at a time; the scheduler lets the user's own go before them. */
const maxAtOnce = 2;

/** Rows of the filter that are looked up at a time. */
const batchSize = 100;

/** Counting partial rows, and telling the window of rows that have changed, no more often than this. */
const tellEveryMs = 300;

/** After the start the window has its rows first. */
const resumeAfterMs = 5_000;

/** How often it is looked whether prices of the past have come to exist. */
const lookForPricesMs = 30 * 60_000;

/**
 * Fetches the details of partial rows: those on the screen first, then, when the user wants that, all that a filter lets
 * through; then once more those of rows that were complete before the price of their time existed. What is left to do is in
 * the store, so nothing is forgotten. A row that fails is left alone for a while and holds up no other; when the service
 * cannot be asked at all, everything waits.
 */
export class CompletionService {
  readonly #deps: CompletionDeps;
  readonly #changes: Listeners<CompletionStatus> = createListeners();
  readonly #pauses: RowPauses;
  readonly #changed = new Map<string, [address: string, chainId: string]>();
  readonly #active = new Map<string, Promise<void>>();
  readonly #abort = new AbortController();
  #shown: number[] = [];
  #all: { filter: ActivityFilter; batch: Job[]; left: number } | null = null;
  #filling: Promise<void> | null = null;
  /** A call has ended while the next ones were being looked up. */
  #isFillWanted = false;
  #partialCount = 0;
  #doneCount = 0;
  #failures = 0;
  #error: AppError | null = null;
  #cancelStandstill: (() => void) | null = null;
  #cancelTell: (() => void) | null = null;
  #cancelResume: (() => void) | null = null;
  #cancelPrices: (() => void) | null = null;
  /** Rows may have come of age since they were last looked for. */
  #arePricesDue = false;
  #told = '';

  constructor(deps: CompletionDeps) {
    this.#deps = deps;
    this.#pauses = new RowPauses(deps.clock);
    deps.service.onConnectionChange(({ state }) => {
      if (state === 'online' && this.#error?.code === 'unreachable') this.#goOn();
    });
  }

  /** Counts the partial rows, and goes on soon with what the user wants completed; once, at start. Rejects when the store fails. */
  async load(): Promise<void> {
    this.#partialCount = await this.#deps.store.countPartial();
    this.#lookForPrices(resumeAfterMs);
    const filter = this.#deps.kept.read();
    if (filter === null) return;
    // Until it is counted it is taken to be all that is left.
    this.#all = { filter, batch: [], left: this.#partialCount };
    this.#cancelResume = this.#deps.timers.after(resumeAfterMs, () => void this.#resume(filter));
  }

  #lookForPrices(afterMs: number): void {
    this.#cancelPrices = this.#deps.timers.after(afterMs, () => {
      this.#arePricesDue = true;
      this.#fill();
      this.#lookForPrices(lookForPricesMs);
    });
  }

  /** Goes on with what was wanted before the restart; how much of it is left is counted only now. */
  async #resume(filter: ActivityFilter): Promise<void> {
    this.#cancelResume = null;
    const wanted = this.#all;
    const counted = await this.#guard(() => this.#countIn(filter));
    if (this.#all !== wanted || wanted === null) return;
    if (counted.ok) wanted.left = counted.value;
    this.#goOn();
  }

  async #countIn(filter: ActivityFilter): Promise<number> {
    const { partialCount } = await this.#deps.store.readRows({ filter, offset: 0, anchor: null, limit: 1 });
    return partialCount;
  }

  status(): CompletionStatus {
    return {
      partialCount: this.#partialCount,
      waitingCount: this.#shown.length + this.#active.size + (this.#all?.left ?? 0),
      isAll: this.#all !== null,
      doneCount: this.#doneCount,
      error: this.#error,
    };
  }

  /** Calls with a status that differs from the one told before. Returns the function that ends it. */
  onChange(listener: (status: CompletionStatus) => void): () => void {
    return this.#changes.add(listener);
  }

  /** The rows on the screen, in its order; those that have left it are no longer urgent. */
  showing(rowIds: readonly number[]): void {
    this.#beginCount();
    this.#shown = rowIds.filter((rowId) => !this.#pauses.isPaused(rowId));
    this.#fill();
  }

  /** Completes all that the filter lets through, or no longer does. Rejects when the store fails. */
  async completeAll(filter: ActivityFilter, run: boolean): Promise<null> {
    this.#cancelResume?.();
    this.#cancelResume = null;
    if (!run) {
      this.#endAll();
      this.#tellSoon();
      return null;
    }
    const left = await this.#countIn(filter);
    this.#beginCount();
    this.#deps.kept.write(filter);
    // The user wants it now, whatever failed before.
    this.#pauses.clear();
    this.#all = { filter, batch: [], left };
    this.#goOn();
    return null;
  }

  /** Closes a gap of the audit (`pullGap`). */
  async pull(gap: Gap): Promise<null> {
    try {
      await pullGap(this.#deps, gap, this.#abort.signal);
    } finally {
      this.rowsChanged();
    }
    return null;
  }

  /** Rows have come, or have been completed otherwise: another number of them is partial now. */
  rowsChanged(): void {
    this.#tellSoon();
  }

  /** Ends what is under way; for the end of the app. */
  async stop(): Promise<void> {
    this.#shown = [];
    this.#all = null;
    this.#abort.abort();
    this.#cancelStandstill?.();
    this.#cancelTell?.();
    this.#cancelResume?.();
    this.#cancelPrices?.();
    await this.#filling;
    await Promise.all(this.#active.values());
  }

  /** The count of what was done starts again with each queue. */
  #beginCount(): void {
    const { waitingCount } = this.status();
    if (waitingCount === 0) this.#doneCount = 0;
  }

  /** What was wanted is done, or no longer wanted. */
  #endAll(): void {
    this.#all = null;
    this.#deps.kept.write(null);
  }

  #goOn(): void {
    this.#cancelStandstill?.();
    this.#cancelStandstill = null;
    this.#fill();
  }

  /** Sends as many calls as may be under way. */
  #fill(): void {
    if (this.#filling !== null) {
      this.#isFillWanted = true;
      return;
    }
    this.#isFillWanted = false;
    this.#filling = this.#fillUp().then(() => {
      this.#filling = null;
      this.#tellSoon();
      if (this.#isFillWanted) this.#fill();
    });
  }

  async #fillUp(): Promise<void> {
    try {
      while (this.#active.size < maxAtOnce && this.#mayWork()) {
        const job = await this.#nextJob();
        if (job === null || !this.#mayWork()) return;
        const key = keyOf(job);
        this.#active.set(
          key,
          this.#complete(job).then(() => {
            this.#active.delete(key);
            this.#fill();
          }),
        );
      }
    } catch (cause) {
      this.#standStill(this.#errorOf(cause));
    }
  }

  #mayWork(): boolean {
    return this.#cancelStandstill === null && !this.#abort.signal.aborted;
  }

  async #nextJob(): Promise<Job | null> {
    for (let rowId = this.#shown.shift(); rowId !== undefined; rowId = this.#shown.shift()) {
      const job = await this.#jobOf(rowId, 'shown');
      if (job !== null) return job;
    }
    for (let all = this.#all; all !== null && this.#cancelResume === null; all = this.#all) {
      if (all.batch.length === 0) all.batch = await this.#readBatch(all.filter);
      const next = all.batch.shift();
      if (next === undefined) {
        // What is still under way may fail and be left over; there is nothing more to begin.
        if (this.#active.size === 0 && this.#all === all) this.#endAll();
        break;
      }
      // Rows on the screen may have been completed since the batch was read.
      const job = await this.#jobOf(next.rowId, 'wanted');
      if (job !== null) return job;
    }
    return await this.#nextUnpriced();
  }

  /** Null for a row that is complete by now, or whose transaction is being fetched. */
  async #jobOf(rowId: number, why: Job['why']): Promise<Job | null> {
    const row = await this.#deps.store.readRow(rowId);
    if (row?.completeness !== 'partial') return null;
    const job = { why, rowId, chainId: row.chainId, txHash: row.txHash };
    return this.#active.has(keyOf(job)) ? null : job;
  }

  /** A row whose price of the past exists by now; each answer takes it out of the list, with or without one. */
  async #nextUnpriced(): Promise<Job | null> {
    if (!this.#arePricesDue) return null;
    const rows = await this.#deps.store.rowsAwaitingPrice({
      untilMs: this.#deps.clock.nowMs() - priceExistsAfterMs,
      limit: Math.min(1 + this.#pauses.count() + this.#active.size, 1_000),
    });
    const next = rows.find((row) => !this.#active.has(keyOf(row)) && !this.#pauses.isPaused(row.rowId));
    if (next === undefined) this.#arePricesDue = false;
    return next === undefined ? null : { ...next, why: 'price' };
  }

  async #readBatch(filter: ActivityFilter): Promise<Job[]> {
    // Those that are left alone come first again each time, and must not fill the batch.
    const limit = batchSize + this.#pauses.count() + this.#active.size;
    const rows = await this.#deps.store.partialRows({ filter, limit });
    const keys = new Set(this.#active.keys());
    return rows.flatMap((row) => {
      const isNew = !keys.has(keyOf(row)) && !this.#pauses.isPaused(row.rowId);
      // Several addresses may have the transaction: one call completes all of their rows.
      keys.add(keyOf(row));
      return isNew ? [{ ...row, why: 'wanted' as const }] : [];
    });
  }

  /** Never rejects. */
  async #complete(job: Job): Promise<void> {
    const { chainId, txHash, rowId } = job;
    const fetched = await fetchDetail(
      this.#deps.service,
      { chainId, txHash },
      { priority: 'completion', signal: this.#abort.signal },
    );
    const completed = fetched.ok
      ? await this.#guard(() => this.#deps.rows.complete(chainId, txHash, fetched.value))
      : fetched;
    if (!completed.ok) this.#failed(job, completed.error);
    else if (completed.value.length === 0) this.#failed(job, unusable());
    else {
      this.#pauses.forget(rowId);
      this.#failures = 0;
      this.#error = null;
      if (job.why !== 'price') this.#doneCount += 1;
      if (job.why !== 'price' && this.#all !== null)
        this.#all.left = Math.max(0, this.#all.left - completed.value.length);
      for (const address of completed.value) this.#changed.set(`${chainId} ${address}`, [address, chainId]);
    }
  }

  #failed(job: Job, error: AppError): void {
    if (error.code === 'cancelled') return;
    this.#failures += 1;
    this.#error = error;
    if (isOfRow(error, this.#failures)) {
      this.#pauses.failed(job.rowId);
      if (job.why !== 'price' && this.#all !== null) this.#all.left = Math.max(0, this.#all.left - 1);
    } else {
      if (job.why === 'shown') this.#shown.unshift(job.rowId);
      this.#standStill(error);
    }
  }

  /** Nothing is asked for a while; what waits goes on waiting. */
  #standStill(error: AppError): void {
    this.#error = error;
    if (this.#abort.signal.aborted) return;
    this.#cancelStandstill?.();
    const pauseMs = standstillMs(error, this.#failures);
    this.#cancelStandstill = this.#deps.timers.after(pauseMs, () => this.#goOn());
  }

  #tellSoon(): void {
    if (this.#abort.signal.aborted) return;
    this.#cancelTell ??= this.#deps.timers.after(tellEveryMs, () => {
      this.#cancelTell = null;
      void this.#tell();
    });
  }

  async #tell(): Promise<void> {
    for (const [address, chainId] of this.#changed.values()) this.#deps.sync.rowsChanged(address, chainId);
    this.#changed.clear();
    try {
      this.#partialCount = await this.#deps.store.countPartial();
    } catch (cause) {
      this.#error = this.#errorOf(cause);
    }
    const status = this.status();
    const text = JSON.stringify(status);
    if (text === this.#told) return;
    this.#told = text;
    this.#changes.emit(status);
  }

  async #guard<T>(work: () => Promise<T>): Promise<Result<T>> {
    try {
      return ok(await work());
    } catch (cause) {
      return err(this.#errorOf(cause));
    }
  }

  #errorOf(cause: unknown): AppError {
    return errorOf(cause, this.#deps.log, 'completion.failed', 'Completing failed unexpectedly.');
  }
}

function keyOf({ chainId, txHash }: { chainId: string; txHash: string }): string {
  return `${chainId} ${txHash}`;
}
