import { checkAddress } from '../../../shared/activity/address.ts';
import type { ActivityFilter } from '../../../shared/activity/filter.ts';
import type { NativeToken } from '../../../shared/activity/legs.ts';
import type { CompletionStatus } from '../../../shared/activity/types.ts';
import { checkParams } from '../../../shared/endpoints/check-params.ts';
import { transaction } from '../../../shared/endpoints/data/transaction.ts';
import { AppFailure, err, ok, type AppError, type Result } from '../../../shared/errors.ts';
import type { ActivityInvokeContract } from '../../../shared/ipc/contract-activity.ts';
import type { ServiceClient } from '../endpoints/service-client.ts';
import { createListeners, type Listeners } from '../listeners.ts';
import type { ActivityStore } from '../activity-ports.ts';
import type { Clock, Log, Timers } from '../ports.ts';
import type { ActivityRowsService } from './activity-rows.ts';
import type { FetchedDetail } from './complete-rows.ts';
import { isOfRow, RowPauses, standstillMs } from './completion-pauses.ts';
import { rowOfDetail } from './stored-rows.ts';
import type { SyncService } from './sync-service.ts';

export interface CompletionDeps {
  store: ActivityStore;
  service: ServiceClient;
  rows: ActivityRowsService;
  sync: SyncService;
  native: (chainId: string) => NativeToken;
  clock: Clock;
  timers: Timers;
  log: Log;
}

/** What one list has and another has not. */
type Gap = ActivityInvokeContract['activity.pull']['args'];

interface Job {
  /** It was on the screen when its turn came. */
  isShown: boolean;
  rowId: number;
  chainId: string;
  txHash: string;
}

/** Calls under way at a time; the scheduler lets the user's own go before them. */
const maxAtOnce = 2;

/** Rows of the filter that are looked up at a time. */
const batchSize = 100;

/** Counting the debt, and telling the window of rows that have changed, no more often than this. */
const tellEveryMs = 300;

/** The limits of a minute are waited for; a longer ban makes everything stand still until it is over. */
const mayWaitMs = 90_000;
const userMayWaitMs = 2_000;

/**
 * Fetches the details of partial rows: those on the screen first, then, when the user wants that, all that a filter lets
 * through. What is left to do is in the store, so nothing is forgotten. A row that fails is left alone for a while and
 * holds up no other; when the service cannot be asked at all, everything waits.
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
  #told = '';

  constructor(deps: CompletionDeps) {
    this.#deps = deps;
    this.#pauses = new RowPauses(deps.clock);
    deps.service.onConnectionChange(({ state }) => {
      if (state === 'online' && this.#error?.code === 'unreachable') this.#goOn();
    });
  }

  /** Counts the debt; once, at start. Rejects when the store fails. */
  async load(): Promise<void> {
    this.#partialCount = await this.#deps.store.countPartial();
  }

  status(): CompletionStatus {
    return {
      partialCount: this.#partialCount,
      waitingCount: this.#shown.length + this.#active.size + (this.#all?.left ?? 0),
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

  /** Completes all that the filter lets through, or no longer does. */
  async completeAll(filter: ActivityFilter, run: boolean): Promise<Result<null>> {
    if (!run) {
      this.#all = null;
      this.#tellSoon();
      return ok(null);
    }
    return await this.#guard(async () => {
      const { partialCount } = await this.#deps.store.readRows({ filter, offset: 0, anchor: null, limit: 1 });
      this.#beginCount();
      // The user wants it now, whatever failed before.
      this.#pauses.clear();
      this.#all = { filter, batch: [], left: partialCount };
      this.#goOn();
      return null;
    });
  }

  /**
   * Closes a gap of the audit: fetches the transaction, and stores it as a complete row of the address if it has none; or
   * lets the other list that lacks it be asked again for its block.
   */
  async pull({ address, chainId, txHash, blockNumber, missingIn }: Gap): Promise<Result<null>> {
    const check = checkAddress(address);
    if (!check.ok) return notAnAddress();
    if (missingIn !== 'transactions') {
      const ref = { address: check.address, chainId, list: missingIn };
      return await this.#guard(async () => {
        await this.#deps.sync.askAgain(ref, BigInt(blockNumber));
        return null;
      });
    }
    const params = checkParams(transaction, { chainId, txHash });
    if (!params.ok) return params;
    const fetched = await this.#fetch(params.value, 'user');
    if (!fetched.ok) return fetched;
    const completed = await this.#deps.rows.complete(chainId, txHash, fetched.value);
    if (!completed.ok) return completed;
    return await this.#guard(async () => {
      if (!completed.value.includes(check.address)) await this.#add(check.address, chainId, fetched.value);
      for (const owner of new Set([check.address, ...completed.value])) {
        this.#deps.sync.rowsChanged(owner, chainId);
      }
      this.rowsChanged();
      return null;
    });
  }

  /** Rows have come, or have been completed otherwise: the debt is another one. */
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
    await this.#filling;
    await Promise.all(this.#active.values());
  }

  async #add(address: string, chainId: string, { detail, fetchedAtMs }: FetchedDetail): Promise<void> {
    const { store, native } = this.#deps;
    const row = rowOfDetail(detail, { address, chainId, native: native(chainId), fetchedAtMs });
    if (row === null) throw new AppFailure(unusable());
    await store.putRows([{ row, integrityNote: null, replaced: null }]);
  }

  /** The count of what was done starts again with each queue. */
  #beginCount(): void {
    const { waitingCount } = this.status();
    if (waitingCount === 0) this.#doneCount = 0;
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
      const job = await this.#jobOf(rowId, true);
      if (job !== null) return job;
    }
    for (let all = this.#all; all !== null; all = this.#all) {
      if (all.batch.length === 0) all.batch = await this.#readBatch(all.filter);
      const next = all.batch.shift();
      if (next === undefined) {
        // What is still under way may fail and be left over; there is nothing more to begin.
        if (this.#active.size === 0 && this.#all === all) this.#all = null;
        return null;
      }
      // Rows on the screen may have been completed since the batch was read.
      const job = await this.#jobOf(next.rowId, false);
      if (job !== null) return job;
    }
    return null;
  }

  /** Null for a row that is complete by now, or whose transaction is being fetched. */
  async #jobOf(rowId: number, isShown: boolean): Promise<Job | null> {
    const row = await this.#deps.store.readRow(rowId);
    if (row?.completeness !== 'partial') return null;
    const job = { isShown, rowId, chainId: row.chainId, txHash: row.txHash };
    return this.#active.has(keyOf(job)) ? null : job;
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
      return isNew ? [{ ...row, isShown: false }] : [];
    });
  }

  /** Never rejects. */
  async #complete(job: Job): Promise<void> {
    const { chainId, txHash, rowId } = job;
    const fetched = await this.#fetch({ chainId, txHash }, 'completion');
    const completed = fetched.ok ? await this.#deps.rows.complete(chainId, txHash, fetched.value) : fetched;
    if (!completed.ok) this.#failed(job, completed.error);
    else if (completed.value.length === 0) this.#failed(job, unusable());
    else {
      this.#pauses.forget(rowId);
      this.#failures = 0;
      this.#error = null;
      this.#doneCount += 1;
      if (this.#all !== null) this.#all.left = Math.max(0, this.#all.left - completed.value.length);
      for (const address of completed.value) this.#changed.set(`${chainId} ${address}`, [address, chainId]);
    }
  }

  async #fetch(
    params: Readonly<Record<string, string>>,
    priority: 'user' | 'completion',
  ): Promise<Result<FetchedDetail>> {
    const fetched = await this.#deps.service.fetch(transaction, params, {
      priority,
      signal: this.#abort.signal,
      mayWaitMs: priority === 'user' ? userMayWaitMs : mayWaitMs,
    });
    if (!fetched.ok) return fetched;
    return ok({ detail: fetched.value.data, fetchedAtMs: fetched.value.fetchedAtMs });
  }

  #failed(job: Job, error: AppError): void {
    if (error.code === 'cancelled') return;
    this.#failures += 1;
    this.#error = error;
    if (isOfRow(error, this.#failures)) {
      this.#pauses.failed(job.rowId);
      if (this.#all !== null) this.#all.left = Math.max(0, this.#all.left - 1);
    } else {
      if (job.isShown) this.#shown.unshift(job.rowId);
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
    if (cause instanceof AppFailure) return cause.error;
    const ref = this.#deps.log.error('completion.failed', cause);
    return { code: 'internal', message: 'Completing failed unexpectedly.', ref };
  }
}

function keyOf({ chainId, txHash }: { chainId: string; txHash: string }): string {
  return `${chainId} ${txHash}`;
}

function unusable(): AppError {
  return {
    code: 'bad-response',
    message: 'The service answered with another transaction, or with one that has no block.',
    issues: [],
  };
}

function notAnAddress(): Result<never> {
  const message = 'This is not an address.';
  return err({ code: 'invalid-params', message, issues: [message] });
}
