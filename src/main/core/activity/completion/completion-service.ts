import { priceExistsAfterMs } from '../../../../shared/activity/facets.ts';
import type { ActivityFilter } from '../../../../shared/activity/filter.ts';
import type { CompletionStatus } from '../../../../shared/activity/types.ts';
import { err, errorOf, ok, wasNotAsked, type AppError, type Result } from '../../../../shared/errors.ts';
import { cancelled } from '../../endpoints/scheduler.ts';
import type { Ports } from '../../ports.ts';
import { CompletionQueue, type Job, type Look } from './completion-queue.ts';
import { fetchDetail, unusable } from '../rows/fetch-detail.ts';
import type { KeptCompletion } from './kept-completion.ts';
import { pullGap, type Gap, type PullDeps } from './pull-gap.ts';

export interface CompletionDeps extends PullDeps, Pick<Ports, 'emit' | 'clock' | 'timers' | 'log'> {
  kept: KeptCompletion;
}

/** Limits how often partial rows are counted and the window is notified of changed rows. */
const tellEveryMs = 300;

/** After the start, the window loads its rows first. */
const resumeAfterMs = 5_000;

/** How often to check whether historic prices have become known. */
const lookForPricesMs = 30 * 60_000;

/**
 * Fetches the details of partial rows in the order of `CompletionQueue`. What is left to do is known from the store, so
 * nothing gets lost. A failed row or chain does not hold up others; when the service cannot be asked at all, everything
 * waits.
 */
export class CompletionService {
  readonly #deps: CompletionDeps;
  readonly #queue = new CompletionQueue();
  readonly #changed = new Map<string, [address: string, chainId: string]>();
  readonly #calls = new Set<Promise<void>>();
  readonly #abort = new AbortController();
  #filling: Promise<void> | null = null;
  /** A call ended while the next ones were being looked up, so that has to be done again. */
  #isFillWanted = false;
  #cancelWake: (() => void) | null = null;
  #cancelTell: (() => void) | null = null;
  #cancelResume: (() => void) | null = null;
  #cancelPrices: (() => void) | null = null;
  #told = '';

  constructor(deps: CompletionDeps) {
    this.#deps = deps;
    deps.service.onConnectionChange(({ state }) => {
      const { error } = this.#queue;
      if (state === 'online' && error !== null && wasNotAsked(error)) this.#goOn();
    });
  }

  /** Counts partial rows and later resumes the user's request; called once, at start. Rejects if the store fails. */
  async load(): Promise<void> {
    this.#queue.partialCount = await this.#deps.store.countPartial();
    this.#lookForPrices(resumeAfterMs);
    const filter = this.#deps.kept.read();
    if (filter === null) return;
    const begin = this.#queue.hold(filter);
    this.#cancelResume = this.#deps.timers.after(resumeAfterMs, () => void this.#resume(filter, begin));
  }

  /** Resumes a request from before the restart, once its rows are counted. */
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

  /** The rows on the screen, in their order; those that are no longer shown lose their priority. */
  showing(rowIds: readonly number[]): void {
    this.#queue.show(rowIds, this.#nowMs());
    this.#fill();
  }

  /** Starts or stops completing all rows that match the filter. Rejects when the store fails. */
  async completeAll(filter: ActivityFilter, run: boolean): Promise<void> {
    this.#cancelResume?.();
    if (run) {
      const left = await this.#countIn(filter);
      // What cannot be kept is not begun: the user is told, and asks again.
      this.#deps.kept.write(filter);
      this.#queue.want(filter, left);
      this.#goOn();
    } else {
      this.#queue.unwant();
      this.#deps.kept.write(null);
      this.rowsChanged();
    }
  }

  /** Closes a gap found by an audit (`pullGap`). */
  async pull(gap: Gap): Promise<void> {
    await pullGap(this.#deps, gap, this.#abort.signal).finally(() => this.rowsChanged());
  }

  /** Stops all work, at the end of the app. */
  async stop(): Promise<void> {
    this.#queue.empty();
    this.#abort.abort();
    const planned = [this.#cancelWake, this.#cancelTell, this.#cancelResume, this.#cancelPrices];
    for (const cancel of planned) cancel?.();
    await this.#filling;
    await Promise.all(this.#calls);
  }

  /** What the key before was refused for is tried with the one that there is now. */
  keyChanged(): void {
    this.#queue.error = null;
    this.#goOn();
  }

  #goOn(): void {
    this.#queue.goOn();
    this.#fill();
  }

  /** Starts as many calls as may run at once. */
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
      else this.#planWake();
    });
  }

  async #fillUp(): Promise<void> {
    try {
      while (this.#mayWork()) {
        const look = this.#queue.next(this.#nowMs());
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
      this.#queue.stand(this.#errorOf(cause), this.#nowMs(), this.#deps.clock.nowMs());
    }
  }

  #mayWork(): boolean {
    return !this.#abort.signal.aborted;
  }

  /** Looks up what the next call needs; null when no call results. */
  async #jobFor(look: Look): Promise<Job | null> {
    const { store, clock, kept } = this.#deps;
    switch (look.at) {
      case 'row': {
        const row = await store.readRow(look.rowId);
        const isPartial = row?.completeness === 'partial' && this.#mayWork();
        return isPartial ? this.#queue.jobOf({ ...row, rowId: look.rowId }, look.why, this.#nowMs()) : null;
      }
      case 'filter': {
        const rows = await store.partialRows(look);
        if (this.#queue.takeBatch(look.filter, rows, this.#nowMs())) kept.write(null);
        return null;
      }
      case 'prices': {
        const untilMs = clock.nowMs() - priceExistsAfterMs;
        const rows = await store.rowsAwaitingPrice({ ...look, untilMs });
        return this.#mayWork() ? this.#queue.takeUnpriced(rows, this.#nowMs()) : null;
      }
    }
  }

  async #complete(job: Job): Promise<void> {
    const { chainId, txHash } = job;
    const options = { priority: 'completion', signal: this.#abort.signal } as const;
    const fetched = await fetchDetail(this.#deps.service, { chainId, txHash }, options);
    const completed = fetched.ok
      ? await this.#guard(() => this.#deps.rows.complete(chainId, txHash, fetched.value))
      : fetched;
    const rows = completed.ok ? completed.value : [];
    for (const { address } of rows) this.#changed.set(`${chainId} ${address}`, [address, chainId]);
    // Rows that other addresses have of the transaction may be completed, and this one not.
    if (rows.some(({ rowId }) => rowId === job.rowId)) this.#queue.done(job, rows.length);
    else {
      const error = completed.ok ? unusable() : completed.error;
      const row = fetched.ok ? await this.#guard(() => this.#deps.store.readRow(job.rowId)) : fetched;
      // It was removed while its transaction was being fetched.
      const isOver = row.ok && row.value === null;
      this.#queue.failed(job, isOver ? cancelled.error : error, this.#nowMs(), this.#deps.clock.nowMs());
    }
  }

  /** Goes on when the next pause ends. */
  #planWake(): void {
    this.#cancelWake?.();
    this.#cancelWake = null;
    const nowMs = this.#nowMs();
    const atMs = this.#queue.wakesAtMs(nowMs);
    if (atMs === Infinity || !this.#mayWork()) return;
    this.#cancelWake = this.#deps.timers.after(atMs - nowMs, () => {
      this.#queue.wake(this.#nowMs());
      this.#fill();
    });
  }

  /** Rows were added, or completed elsewhere: the partial ones have to be counted again. */
  rowsChanged(): void {
    if (this.#abort.signal.aborted) return;
    this.#cancelTell ??= this.#deps.timers.after(tellEveryMs, () => {
      this.#cancelTell = null;
      void this.#tell();
    });
  }

  async #tell(): Promise<void> {
    for (const [address, chainId] of this.#changed.values()) this.#deps.sync.rowsChanged(chainId, address);
    this.#changed.clear();
    const counted = await this.#guard(() => this.#deps.store.countPartial());
    // What ends with the app is still wanted.
    if (this.#abort.signal.aborted) return;
    if (counted.ok) this.#queue.partialCount = counted.value;
    else this.#queue.error = counted.error;
    // Nothing is left that it could be about.
    if (counted.ok && counted.value === 0 && this.status().waitingCount === 0) this.#queue.error = null;
    const status = this.status();
    const text = JSON.stringify(status);
    if (text === this.#told) return;
    this.#told = text;
    this.#deps.emit('completion.changed', status);
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
    return errorOf(cause, this.#deps.log, 'completion.failed', 'Couldn’t fetch the details.');
  }
}
