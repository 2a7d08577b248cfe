// The room of the sync: fetches the lists of watched addresses page by page, proves which blocks are complete, and notices
// reorganisations. It uses the rooms of rows and endpoints.

import type { NativeToken } from '../../../../shared/activity/legs.ts';
import type { ChainSync, SyncWhat } from '../../../../shared/activity/types.ts';
import { AppFailure, err, errorOf, notFound, ok, type Result } from '../../../../shared/errors.ts';
import type { Priority } from '../../endpoints/budget.ts';
import type { ServiceClient } from '../../endpoints/service-client.ts';
import { createListeners, type Listeners } from '../../listeners.ts';
import type { ActivityStore, ListRef } from '../../activity-ports.ts';
import type { Clock, Log, Random, Timers } from '../../ports.ts';
import { isYounger } from '../../age.ts';
import { otherLists } from './lists.ts';
import { RetryLater } from './retry-later.ts';
import {
  isComplete,
  keyOf,
  restingState,
  viewOf,
  type Entry,
  type Run,
  type SyncInitiator,
} from './sync-entry.ts';
import { isOneOfMany, SyncOrder } from './sync-order.ts';
import { doubtFrom } from './coverage.ts';
import { runSync } from './sync-run.ts';

export interface SyncServiceDeps {
  store: ActivityStore;
  service: ServiceClient;
  clock: Clock;
  timers: Timers;
  random: Random;
  log: Log;
  /** What is known of the own token of a chain. */
  native: (chainId: string) => NativeToken;
}

export interface SyncChange extends ListRef {
  sync: ChainSync;
}

/** More at once would only share the same budget of calls. */
const maxRuns = 2;

/** What the app checks on its own is not checked again within this time: less than the shortest rhythm of the user's. */
const headFreshForMs = 45_000;

/** Fetches the lists of the watched addresses and tells how far it has come. */
export class SyncService {
  readonly #deps: SyncServiceDeps;
  readonly #entries = new Map<string, Entry>();
  readonly #changes: Listeners<SyncChange> = createListeners();
  readonly #order = new SyncOrder();
  #queue: { entry: Entry; begin: () => void }[] = [];
  #running = 0;
  #callMs: number | null = null;

  constructor(deps: SyncServiceDeps) {
    this.#deps = deps;
  }

  /** Reads from the store how far each list has come; at start, and when history that was kept comes back. */
  async load(): Promise<void> {
    for (const { sync, ...ref } of await this.#deps.store.listSyncs()) {
      if (this.#entries.has(keyOf(ref))) continue;
      const entry = this.#entry(ref);
      entry.stored = sync;
      entry.stoppedByUser = sync.stoppedByUser;
      entry.state = restingState(entry);
    }
  }

  /** Calls with every page saved and every change of state. Returns the function that ends it. */
  onChange(listener: (change: SyncChange) => void): () => void {
    return this.#changes.add(listener);
  }

  status(ref: ListRef): ChainSync {
    return viewOf(this.#entries.get(keyOf(ref)));
  }

  /** The chains of an address of which anything is stored or under way. */
  knownChains(address: string): string[] {
    return [...new Set(this.#of(address).map(({ ref }) => ref.chainId))];
  }

  /** The chains of an address that are on the screen: of what waits, their lists come first. */
  showing(address: string, chainIds: readonly string[]): void {
    this.#order.showing(address, chainIds);
  }

  /** How long a page takes, the last ones counting most, without waiting for its turn; null before the first. */
  callMs(): number | null {
    return this.#callMs;
  }

  /**
   * Starts a run, or goes on where the last one ended. While one is under way, nothing happens but that more is done
   * afterwards if more is asked for. The app does not start what the user has stopped; the user does.
   */
  start(ref: ListRef, initiator: SyncInitiator, what: SyncWhat = 'all'): void {
    const entry = this.#entry(ref);
    if (initiator === 'app' && entry.stoppedByUser) return;
    if (initiator === 'user' && entry.stoppedByUser) void this.#setStopped(entry, false);
    entry.retry.cancel();
    if (entry.run !== null) {
      this.#hasten(entry.run, initiator, what);
      return;
    }
    const isForUser = initiator === 'user' || entry.isOwed;
    if (!isForUser && isComplete(entry.stored) && this.#isHeadFresh(entry)) {
      this.#end(entry, ok(null));
      return;
    }
    entry.what = entry.isOwed && entry.what !== what ? 'all' : what;
    this.#enqueue(entry, { initiator: isForUser ? 'user' : 'app', what: entry.what, again: null });
  }

  /**
   * Asks for one block of a list again, although it is proven: an audit found that something is missing there. A run that
   * is under way makes room, and goes on afterwards. Rejects with the reason when the service did not answer.
   */
  async askAgain(ref: ListRef, block: bigint): Promise<void> {
    const entry = this.#entries.get(keyOf(ref));
    if (entry === undefined) notFound('This list is not watched.');
    const interrupted = entry.run;
    await this.cancel(ref);
    // Others may have come first.
    while (entry.run !== null) await entry.run.ended;
    const again = { from: block, to: block + 1n };
    const run = this.#enqueue(entry, { initiator: 'user', what: 'holes', again });
    const result = await run.ended;
    if (interrupted?.again === null) this.start(ref, interrupted.initiator, interrupted.what);
    if (!result.ok) throw new AppFailure(result.error);
  }

  #enqueue(entry: Entry, asked: Pick<Run, 'initiator' | 'what' | 'again'>): Run {
    const abort = new AbortController();
    const begun = new Promise<void>((resolve) => {
      this.#queue.push({ entry, begin: resolve });
      abort.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    const run: Run = {
      ...asked,
      skipsHead: false,
      next: null,
      abort,
      ended: begun.then(() => this.#run(entry, run)),
    };
    entry.run = run;
    entry.state = 'running';
    entry.error = null;
    entry.pagesFetched = 0;
    this.#publish(entry);
    this.#beginNext();
    return run;
  }

  /** Stops the run, if one is under way; what it has saved stays. Resolves when it has stopped. */
  async cancel(ref: ListRef): Promise<void> {
    const entry = this.#entries.get(keyOf(ref));
    if (entry === undefined) return;
    entry.retry.cancel();
    entry.run?.abort.abort();
    await entry.run?.ended;
  }

  /**
   * Stops what is under way or planned, and every list that is not complete, until the user starts it again. Rejects
   * when that cannot be remembered; then it is stopped until the next start of the app.
   */
  async stopForUser(isMeant: (ref: ListRef) => boolean): Promise<void> {
    const entries = [...this.#entries.values()].filter(({ ref }) => isMeant(ref));
    const meant = entries.filter(
      (entry) => entry.run !== null || entry.retry.isPlanned || !isComplete(entry.stored),
    );
    // First of all, so that nothing begins anew meanwhile.
    for (const entry of meant) entry.stoppedByUser = true;
    await Promise.all(meant.map(({ ref }) => this.cancel(ref)));
    for (const entry of meant) {
      await this.#deps.store.setStopped(entry.ref, true);
      entry.state = restingState(entry);
      this.#publish(entry);
    }
  }

  /** Stops all runs of an address; resolves when they have stopped. */
  async cancelAll(address: string): Promise<void> {
    await Promise.all(this.#of(address).map(({ ref }) => this.cancel(ref)));
  }

  /** Nothing is known of the address any more. Its runs have been stopped. */
  forget(address: string): void {
    for (const { ref } of this.#of(address)) this.#entries.delete(keyOf(ref));
  }

  /** Stops everything; for the end of the app. */
  async stop(): Promise<void> {
    await Promise.all([...this.#entries.values()].map(({ ref }) => this.cancel(ref)));
  }

  /** The service answers again: goes on with what failed for want of an answer. */
  reconnected(): void {
    for (const entry of this.#entries.values()) {
      if (entry.retry.isPlanned) this.start(entry.ref, 'app', entry.what);
    }
  }

  /** Rows of the address and chain have changed by other means than a run. */
  rowsChanged(address: string, chainId: string): void {
    const entry = this.#entries.get(keyOf({ address, chainId, list: 'transactions' }));
    if (entry !== undefined) this.#publish(entry);
  }

  /** Rows of any address on the chain may be hidden or shown now. */
  chainChanged(chainId: string): void {
    for (const entry of this.#entries.values()) {
      if (entry.ref.chainId === chainId && entry.ref.list === 'transactions') this.#publish(entry);
    }
  }

  #of(address: string): Entry[] {
    return [...this.#entries.values()].filter(({ ref }) => ref.address === address);
  }

  #entry({ address, chainId, list }: ListRef): Entry {
    const ref = { address, chainId, list };
    let entry = this.#entries.get(keyOf(ref));
    if (entry === undefined) {
      entry = {
        ref,
        stored: null,
        state: 'never',
        stoppedByUser: false,
        pagesFetched: 0,
        error: null,
        run: null,
        what: 'all',
        isOwed: false,
        retry: new RetryLater(this.#deps.timers),
      };
      this.#entries.set(keyOf(ref), entry);
    }
    return entry;
  }

  #isHeadFresh(entry: Entry): boolean {
    return isYounger(entry.stored?.checkedAtMs ?? null, this.#deps.clock.nowMs(), headFreshForMs);
  }

  async #setStopped(entry: Entry, stopped: boolean): Promise<void> {
    entry.stoppedByUser = stopped;
    try {
      await this.#deps.store.setStopped(entry.ref, stopped);
    } catch (cause) {
      // It goes on all the same; the next start of the app would find it stopped.
      this.#deps.log.error('sync.stop-not-stored', cause);
    }
  }

  /** The user wants what the app has queued already: it moves to the front. */
  #hasten(run: Run, initiator: SyncInitiator, what: SyncWhat): void {
    if (initiator !== 'user') return;
    run.initiator = 'user';
    const isPlain = run.again === null && !run.skipsHead;
    if (isPlain && (run.what === 'all' || run.what === what)) return;
    // What waits for its turn can still do more; what is under way cannot.
    if (isPlain && this.#queue.some(({ entry }) => entry.run === run)) run.what = 'all';
    else run.next = run.next === null || run.next === what ? what : 'all';
  }

  #beginNext(): void {
    while (this.#running < maxRuns) {
      const next = this.#order.next(this.#queue);
      if (next === undefined) return;
      this.#queue = this.#queue.filter((queued) => queued !== next);
      this.#running += 1;
      next.begin();
    }
  }

  async #run(entry: Entry, run: Run): Promise<Result<null>> {
    const { initiator, what, again, abort } = run;
    const { ref } = entry;
    run.skipsHead = initiator === 'app' && this.#isHeadFresh(entry);
    if (this.#queue.some((queued) => queued.entry === entry)) {
      // Cancelled before its turn.
      this.#queue = this.#queue.filter((queued) => queued.entry !== entry);
      const cancelled = err({ code: 'cancelled', message: 'Fetching was stopped.' } as const);
      this.#end(entry, cancelled);
      return cancelled;
    }
    const isUrgent = initiator === 'user' && !isOneOfMany(this.#queue);
    const firstPriority: Priority = isUrgent ? 'user' : 'completion';
    let result: Result<null>;
    try {
      result = await runSync(this.#deps, {
        ref,
        what,
        again,
        runId: this.#deps.random.id(),
        native: this.#deps.native(ref.chainId),
        signal: abort.signal,
        firstPriority,
        headFreshForMs: initiator === 'user' ? 0 : headFreshForMs,
        onSaved: (stored, pages) => {
          entry.stored = stored;
          entry.pagesFetched += pages;
          this.#publish(entry);
        },
        onReorganised: (block) => {
          for (const list of otherLists) void this.#doubtFrom({ ...ref, list }, block);
        },
        onExchange: (durationMs) => {
          this.#callMs = this.#callMs === null ? durationMs : 0.8 * this.#callMs + 0.2 * durationMs;
        },
      });
    } catch (cause) {
      const words = 'Fetching the history failed unexpectedly.';
      result = err(errorOf(cause, this.#deps.log, 'sync.failed', words));
    }
    this.#running -= 1;
    if (again === null) entry.isOwed = !result.ok && run.initiator === 'user';
    this.#end(entry, again === null ? result : ok(null));
    if (run.next !== null && !abort.signal.aborted) this.start(ref, run.initiator, run.next);
    this.#beginNext();
    return result;
  }

  /**
   * The list of transactions has seen that the chain is another one from this block on: what another list has proven there
   * is not so any more, and is asked for again.
   */
  async #doubtFrom(ref: ListRef, block: bigint): Promise<void> {
    const entry = this.#entries.get(keyOf(ref));
    if (entry === undefined) return;
    try {
      await this.cancel(ref);
      const stored = await this.#deps.store.readSync(ref);
      if (stored === null) return;
      entry.stored = await this.#deps.store.savePage({ ...ref, ...doubtFrom(stored, block) });
      entry.state = restingState(entry);
      this.#publish(entry);
      this.start(ref, 'app');
    } catch (cause) {
      this.#deps.log.error('sync.doubt-not-stored', cause);
    }
  }

  #end(entry: Entry, result: Result<null>): void {
    entry.run = null;
    entry.error = null;
    entry.state = restingState(entry);
    if (result.ok) {
      entry.retry.succeeded();
    } else if (result.error.code !== 'cancelled') {
      // Being offline changes nothing about what is known, so the state stays what it was.
      if (result.error.code !== 'unreachable') entry.state = 'failed';
      entry.error = entry.retry.failed(result.error, () => this.start(entry.ref, 'app', entry.what));
    }
    this.#publish(entry);
  }

  #publish(entry: Entry): void {
    this.#changes.emit({ ...entry.ref, sync: viewOf(entry) });
  }
}
