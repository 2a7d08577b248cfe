// The room of completion: fetches the details that make rows complete, and reads and judges rows for the window. It uses the
// rooms of rows, the sync, the watchlist, endpoints and settings.

import { priceExistsAfterMs } from '../../../../shared/activity/facets.ts';
import type { ActivityFilter } from '../../../../shared/activity/filter.ts';
import type { CompletionStatus } from '../../../../shared/activity/types.ts';
import { err, errorOf, ok, type AppError, type Result } from '../../../../shared/errors.ts';
import { createListeners, type Listeners } from '../../listeners.ts';
import type { Clock, Log, Timers } from '../../ports.ts';
import { CompletionQueue, type Job, type Look } from './completion-queue.ts';
import { fetchDetail, unusable } from '../rows/fetch-detail.ts';
import type { KeptCompletion } from './kept-completion.ts';
import { pullGap, type Gap, type PullDeps } from './pull-gap.ts';

export interface CompletionDeps extends PullDeps {
  kept: KeptCompletion;
  clock: Clock;
  timers: Timers;
  log: Log;
}

/** Counting partial rows, and telling the window of rows that have changed, no more often than this. */
const tellEveryMs = 300;

/** After the start the window has its rows first. */
const resumeAfterMs = 5_000;

/** How often it is looked whether prices of the past have come to exist. */
const lookForPricesMs = 30 * 60_000;

/**
 * Fetches the details of partial rows in the order of `CompletionQueue`. What is left to do is in the store, so nothing is
 * forgotten. A row that fails holds up no other; when the service cannot be asked at all, everything waits.
 */
export class CompletionService {
  readonly #deps: CompletionDeps;
  readonly #queue = new CompletionQueue();
  readonly #changes: Listeners<CompletionStatus> = createListeners();
  readonly #changed = new Map<string, [address: string, chainId: string]>();
  readonly #calls = new Set<Promise<void>>();
  readonly #abort = new AbortController();
  #filling: Promise<void> | null = null;
  /** A call has ended while the next ones were being looked up. */
  #isFillWanted = false;
  #cancelStandstill: (() => void) | null = null;
  #cancelTell: (() => void) | null = null;
  #cancelResume: (() => void) | null = null;
  #cancelPrices: (() => void) | null = null;
  #told = '';

  constructor(deps: CompletionDeps) {
    this.#deps = deps;
    deps.service.onConnectionChange(({ state }) => {
      if (state === 'online' && this.#queue.error?.code === 'unreachable') this.#goOn();
    });
  }

  /** Counts the partial rows, and goes on soon with what the user wants completed; once, at start. Rejects when the store fails. */
  async load(): Promise<void> {
    this.#queue.partialCount = await this.#deps.store.countPartial();
    this.#lookForPrices(resumeAfterMs);
    const filter = this.#deps.kept.read();
    if (filter === null) return;
    const begin = this.#queue.hold(filter);
    this.#cancelResume = this.#deps.timers.after(resumeAfterMs, () => void this.#resume(filter, begin));
  }

  /** Goes on with what was wanted before the restart; how much of it is left is counted only now. */
  async #resume(filter: ActivityFilter, begin: (left: number | null) => void): Promise<void> {
    const counted = await this.#guard(() => this.#countIn(filter));
    begin(counted.ok ? counted.value : null);
    this.#goOn();
  }

  #lookForPrices(afterMs: number): void {
    this.#cancelPrices = this.#deps.timers.after(afterMs, () => {
      this.#queue.lookForPrices();
      this.#fill();
      this.#lookForPrices(lookForPricesMs);
    });
  }

  async #countIn(filter: ActivityFilter): Promise<number> {
    const { partialCount } = await this.#deps.store.readRows({ filter, offset: 0, anchor: null, limit: 1 });
    return partialCount;
  }

  status(): CompletionStatus {
    return this.#queue.status();
  }

  /** Calls with a status that differs from the one told before. Returns the function that ends it. */
  onChange(listener: (status: CompletionStatus) => void): () => void {
    return this.#changes.add(listener);
  }

  /** The rows on the screen, in its order; those that have left it are no longer urgent. */
  showing(rowIds: readonly number[]): void {
    this.#queue.show(rowIds, this.#nowMs());
    this.#fill();
  }

  /** Completes all that the filter lets through, or no longer does. Rejects when the store fails. */
  async completeAll(filter: ActivityFilter, run: boolean): Promise<null> {
    this.#cancelResume?.();
    if (run) {
      this.#queue.want(filter, await this.#countIn(filter));
      this.#deps.kept.write(filter);
      this.#goOn();
    } else {
      this.#queue.unwant();
      this.#deps.kept.write(null);
      this.rowsChanged();
    }
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

  /** Ends what is under way; for the end of the app. */
  async stop(): Promise<void> {
    this.#queue.empty();
    this.#abort.abort();
    this.#cancelStandstill?.();
    this.#cancelTell?.();
    this.#cancelResume?.();
    this.#cancelPrices?.();
    await this.#filling;
    await Promise.all(this.#calls);
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
      this.rowsChanged();
      if (this.#isFillWanted) this.#fill();
    });
  }

  async #fillUp(): Promise<void> {
    try {
      while (this.#mayWork()) {
        const look = this.#queue.next();
        if (look === null) return;
        const job = await this.#jobFor(look);
        if (job === null) continue;
        const call = this.#complete(job).then(() => {
          this.#calls.delete(call);
          this.#fill();
        });
        this.#calls.add(call);
      }
    } catch (cause) {
      this.#standStill(this.#queue.standstillMs(this.#errorOf(cause)));
    }
  }

  #mayWork(): boolean {
    return this.#cancelStandstill === null && !this.#abort.signal.aborted;
  }

  /** Looks it up; null where no call comes of it. */
  async #jobFor(look: Look): Promise<Job | null> {
    const { store, clock, kept } = this.#deps;
    switch (look.at) {
      case 'row': {
        const row = await store.readRow(look.rowId);
        const isPartial = row?.completeness === 'partial' && this.#mayWork();
        return isPartial ? this.#queue.jobOf({ ...row, rowId: look.rowId }, look.why) : null;
      }
      case 'filter': {
        const rows = await store.partialRows(look);
        if (this.#queue.takeBatch(look.filter, rows, this.#nowMs())) kept.write(null);
        return null;
      }
      case 'prices': {
        const untilMs = clock.nowMs() - priceExistsAfterMs;
        const rows = await store.rowsAwaitingPrice({ untilMs, limit: look.limit });
        return this.#mayWork() ? this.#queue.takeUnpriced(rows, this.#nowMs()) : null;
      }
    }
  }

  /** Never rejects. */
  async #complete(job: Job): Promise<void> {
    const { chainId, txHash } = job;
    const fetched = await fetchDetail(
      this.#deps.service,
      { chainId, txHash },
      { priority: 'completion', signal: this.#abort.signal },
    );
    const completed = fetched.ok
      ? await this.#guard(() => this.#deps.rows.complete(chainId, txHash, fetched.value))
      : fetched;
    if (completed.ok && completed.value.length > 0) {
      this.#queue.done(job, completed.value.length);
      for (const address of completed.value) this.#changed.set(`${chainId} ${address}`, [address, chainId]);
    } else {
      const error = completed.ok ? unusable() : completed.error;
      this.#standStill(this.#queue.failed(job, error, this.#nowMs()));
    }
  }

  /** Nothing is asked for a while; what waits goes on waiting. */
  #standStill(pauseMs: number | null): void {
    if (pauseMs === null || this.#abort.signal.aborted) return;
    this.#cancelStandstill?.();
    this.#cancelStandstill = this.#deps.timers.after(pauseMs, () => this.#goOn());
  }

  /** Rows have come, or have been completed otherwise: another number of them is partial now. */
  rowsChanged(): void {
    if (this.#abort.signal.aborted) return;
    this.#cancelTell ??= this.#deps.timers.after(tellEveryMs, () => {
      this.#cancelTell = null;
      void this.#tell();
    });
  }

  async #tell(): Promise<void> {
    for (const [address, chainId] of this.#changed.values()) this.#deps.sync.rowsChanged(address, chainId);
    this.#changed.clear();
    const counted = await this.#guard(() => this.#deps.store.countPartial());
    if (counted.ok) this.#queue.partialCount = counted.value;
    else this.#queue.error = counted.error;
    const status = this.status();
    const text = JSON.stringify(status);
    if (text === this.#told) return;
    this.#told = text;
    this.#changes.emit(status);
  }

  #nowMs(): number {
    return this.#deps.clock.monotonicMs();
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
