import type { NativeToken } from '../../../../shared/activity/legs.ts';
import type { BlockInterval, ChainSync, ListId, SyncWhat } from '../../../../shared/activity/types.ts';
import { otherLists } from '../../../../shared/activity/types.ts';
import { err, errorOf, notFound, ok, unwrap, wasNotAsked, type Result } from '../../../../shared/errors.ts';
import { orAdd } from '../../../../shared/or-add.ts';
import type { Priority } from '../../endpoints/budget.ts';
import type { ServiceClient } from '../../endpoints/service-client.ts';
import type { ActivityStore, ListRef } from '../../activity-ports.ts';
import type { Ports } from '../../ports.ts';
import { RetryLater } from './retry-later.ts';
import {
  headFreshForMs,
  isComplete,
  isHeadFresh,
  isUnfinished,
  keyOf,
  restingState,
  untouched,
  viewOf,
  type Entry,
  type Run,
  type SyncInitiator,
} from './sync-entry.ts';
import { isOneOfMany, SyncOrder } from './sync-order.ts';
import { runSync } from './sync-run.ts';
import { Wishes } from './wishes.ts';

export interface SyncServiceDeps extends Pick<Ports, 'emit' | 'clock' | 'timers' | 'random' | 'log'> {
  store: ActivityStore;
  service: ServiceClient;
  /** No list is fetched once it has ended. */
  life: AbortSignal;
  native: (chainId: string) => NativeToken;
  /** Whether lists of an address may be fetched: by nobody while it is removed, only for the user while it is paused. */
  mayFetch: (address: string, initiator: SyncInitiator) => boolean;
}

/** Syncs the lists of watched addresses and reports progress. */
export class SyncService {
  readonly #deps: SyncServiceDeps;
  readonly #entries = new Map<string, Entry>();
  readonly #byAddress = new Map<string, Set<Entry>>();
  readonly #order = new SyncOrder();
  readonly #wishes: Wishes;
  #queue: { entry: Entry; begin: () => void }[] = [];
  #running = 0;
  #callMs: number | null = null;

  constructor(deps: SyncServiceDeps) {
    this.#deps = deps;
    this.#wishes = new Wishes({ ...deps, isHere: (entry) => this.#isHere(entry) });
  }

  /** Reads the state of each list from the store; at start, and when a kept history comes back. */
  async load(): Promise<void> {
    for (const { sync, ...ref } of await this.#deps.store.listSyncs()) {
      if (this.#entries.has(keyOf(ref))) continue;
      const entry = this.#entry(ref);
      Object.assign(entry, { stored: sync, owed: sync.owed });
      // Stopping is about fetching: a complete list is looked after.
      entry.stoppedByUser = sync.stoppedByUser && !isComplete(sync);
      entry.state = restingState(entry);
    }
  }

  status(ref: ListRef): ChainSync {
    return viewOf(this.#entries.get(keyOf(ref)));
  }

  /** Whether the app goes on with the list by itself: it was interrupted, or the user waits for it. */
  isUnfinished(ref: ListRef): boolean {
    const entry = this.#entries.get(keyOf(ref));
    return entry !== undefined && isUnfinished(entry);
  }

  /** The chains on which an address has a stored list or a run. */
  knownChains(address: string): string[] {
    return [...new Set(this.#of(address).map(({ ref }) => ref.chainId))];
  }

  /** Sets the chains of an address that are on the screen: their lists come first in the queue. */
  showing(address: string, chainIds: readonly string[]): void {
    this.#order.showing(address, chainIds);
  }

  /** Moving average of the time that a page takes, without its time in the queue; null before the first. */
  callMs(): number | null {
    return this.#callMs;
  }

  /**
   * Starts or continues a sync. While a run is under way, it only adds what that run does not do. The app cannot start
   * a list that the user has stopped, nor one of a paused address; the user can.
   */
  start(ref: ListRef, initiator: SyncInitiator, what: SyncWhat = 'all'): void {
    if (this.#deps.mayFetch(ref.address, initiator)) this.#start(ref, initiator, what);
  }

  #start(ref: ListRef, initiator: SyncInitiator, what: SyncWhat): void {
    if (this.#deps.life.aborted) return;
    const entry = this.#entry(ref);
    if (initiator === 'app' && entry.stoppedByUser) return;
    const both = entry.owed !== null && entry.owed !== what ? 'all' : what;
    if (initiator === 'user') this.#wishes.set(entry, { stoppedByUser: false, owed: both });
    if (initiator === 'user') entry.retry.asked();
    else entry.retry.cancel();
    if (entry.run !== null) {
      if (initiator === 'user') this.#hasten(entry.run, what);
      // One that was stopped, and is still ending, is wanted again.
      this.#publish(entry);
      return;
    }
    const isForUser = entry.owed !== null;
    if (!isForUser && isComplete(entry.stored) && isHeadFresh(entry, this.#deps.clock.nowMs())) {
      this.#end(entry, ok(null));
      return;
    }
    entry.what = both;
    this.#enqueue(entry, { initiator: isForUser ? 'user' : 'app', what: entry.what, again: null });
  }

  /**
   * Fetches one block of a list again although it is proven, because an audit found something missing. Cancels a run
   * that is under way, or planned, and restarts it afterwards. Rejects when the service did not answer.
   */
  async askAgain(ref: ListRef, block: bigint): Promise<void> {
    const entry = this.#entries.get(keyOf(ref));
    if (entry === undefined) notFound('You aren’t watching this list.');
    const [interrupted, { isPlanned }] = [entry.run, entry.retry];
    await this.cancel(ref);
    // Other runs may have been started meanwhile.
    while (entry.run !== null) await entry.run.ended;
    if (!this.#isHere(entry) || !this.#deps.mayFetch(ref.address, 'user'))
      notFound('The address was removed.');
    const again = { from: block, to: block + 1n };
    const run = this.#enqueue(entry, { initiator: 'user', what: 'holes', again });
    const result = await run.ended;
    const goesOn = (isPlanned || interrupted?.again === null) && !run.abort.signal.aborted;
    if (goesOn) this.#start(ref, interrupted?.initiator ?? 'app', interrupted?.what ?? entry.what);
    unwrap(result);
  }

  #enqueue(entry: Entry, asked: Pick<Run, 'initiator' | 'what' | 'again'>): Run {
    const abort = new AbortController();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    this.#queue.push({ entry, begin });
    abort.signal.addEventListener('abort', () => begin(), { once: true });
    const ended = begun.then(() => this.#run(entry, run));
    const run: Run = { ...asked, skipsHead: false, next: null, abort, ended };
    entry.run = run;
    entry.state = 'running';
    entry.error = null;
    entry.pagesFetched = 0;
    this.#publish(entry);
    this.#beginNext();
    return run;
  }

  /** Cancels the run, if there is one; what it has saved stays. Resolves when it has ended. */
  async cancel(ref: ListRef): Promise<void> {
    const entry = this.#entries.get(keyOf(ref));
    if (entry === undefined) return;
    entry.retry.cancel();
    if (entry.run !== null) entry.run.next = null;
    entry.run?.abort.abort();
    await entry.run?.ended;
  }

  /**
   * Stops runs and planned retries, and incomplete lists until the user starts them again; complete ones are checked as
   * before. Rejects when that cannot be stored; the lists are then stopped until the next start of the app.
   */
  async stopForUser(isMeant: (ref: ListRef) => boolean): Promise<void> {
    const entries = [...this.#entries.values()].filter(({ ref }) => isMeant(ref));
    const meant = entries.filter(
      ({ run, retry, stored }) => run !== null || retry.isPlanned || !isComplete(stored),
    );
    // First, so that no new run starts meanwhile, and the window shows it at once.
    for (const entry of meant) {
      Object.assign(entry, { stoppedByUser: true, owed: null });
      this.#publish(entry);
    }
    await Promise.all(meant.map(({ ref }) => this.cancel(ref)));
    // The user may have asked for others again.
    for (const entry of meant.filter(({ owed }) => owed === null)) {
      entry.stoppedByUser = !isComplete(entry.stored);
      entry.state = restingState(entry);
      this.#publish(entry);
    }
    await this.#wishes.store(meant);
  }

  resumeForUser(isMeant: (ref: ListRef) => boolean): void {
    for (const { ref, stoppedByUser } of this.#entries.values())
      if (stoppedByUser && isMeant(ref)) this.start(ref, 'user');
  }

  /** Cancels all runs of an address; resolves when they have ended. */
  async cancelAll(address: string): Promise<void> {
    await Promise.all(this.#of(address).map(({ ref }) => this.cancel(ref)));
  }

  /** Forgets the lists of an address, whose runs must have ended. */
  forget(address: string): void {
    for (const { ref } of this.#of(address)) this.#entries.delete(keyOf(ref));
    this.#byAddress.delete(address);
  }

  /** Cancels everything, at the end of the app. */
  async stop(): Promise<void> {
    await Promise.all([...this.#entries.values()].map(({ ref }) => this.cancel(ref)));
  }

  /** The service answers again: retries what had failed because it did not. */
  reconnected(): void {
    for (const entry of this.#entries.values()) {
      const wasOff = entry.run === null && entry.error?.code === 'not-allowed';
      // A retry of a paused address was asked for by the user: pausing cancels those before.
      if (entry.retry.isPlanned) this.#start(entry.ref, 'app', entry.what);
      else if (wasOff) this.start(entry.ref, 'app', entry.what);
    }
  }

  /** Rows on the chain, of this address or of any, were changed, hidden or shown by something other than a run. */
  rowsChanged(chainId: string, address: string | null): void {
    for (const entry of address === null ? this.#entries.values() : this.#of(address))
      if (entry.ref.chainId === chainId && entry.ref.list === 'transactions') this.#publish(entry);
  }

  #of(address: string): Entry[] {
    return [...(this.#byAddress.get(address) ?? [])];
  }

  #entry({ address, chainId, list }: ListRef): Entry {
    const ref = { address, chainId, list };
    let entry = this.#entries.get(keyOf(ref));
    if (entry === undefined) {
      entry = { ...untouched, ref, retry: new RetryLater(this.#deps) };
      this.#entries.set(keyOf(ref), entry);
      orAdd(this.#byAddress, address, () => new Set<Entry>()).add(entry);
    }
    return entry;
  }

  /** The user asks for a list that already has a run: moves it to the front, or adds what it does not do. */
  #hasten(run: Run, what: SyncWhat): void {
    run.initiator = 'user';
    const isPlain = run.again === null && !run.skipsHead && !run.abort.signal.aborted;
    if (isPlain && (run.what === 'all' || run.what === what)) return;
    // A queued run can still be given more to do; one under way cannot.
    if (isPlain && this.#queue.some(({ entry }) => entry.run === run)) run.what = 'all';
    else run.next = run.next === null || run.next === what ? what : 'all';
  }

  #beginNext(): void {
    for (;;) {
      const next = this.#order.next(this.#queue, this.#running);
      if (next === undefined) return;
      this.#queue = this.#queue.filter((queued) => queued !== next);
      this.#running += 1;
      next.begin();
    }
  }

  async #run(entry: Entry, run: Run): Promise<Result<null>> {
    const { initiator, what, again, abort } = run;
    const { ref } = entry;
    const cancelled = err({ code: 'cancelled', message: 'Fetching was stopped.' } as const);
    run.skipsHead = initiator === 'app' && isHeadFresh(entry, this.#deps.clock.nowMs());
    if (this.#queue.some((queued) => queued.entry === entry)) {
      // Cancelled while queued.
      this.#queue = this.#queue.filter((queued) => queued.entry !== entry);
      this.#end(entry, cancelled);
      return cancelled;
    }
    const isUrgent = initiator === 'user' && !isOneOfMany(this.#queue);
    const firstPriority: Priority = isUrgent ? 'user' : 'completion';
    let result: Result<null>;
    const met = { areOthersDoubted: false };
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
          met.areOthersDoubted ||= stored.areOthersDoubted;
        },
        onExchange: (durationMs) => {
          this.#callMs = this.#callMs === null ? durationMs : 0.8 * this.#callMs + 0.2 * durationMs;
        },
      });
    } catch (cause) {
      const words = 'Fetching the history failed unexpectedly.';
      result = err(errorOf(cause, this.#deps.log, 'sync.failed', words));
    }
    // Nobody waits for what has failed meanwhile, and it is not tried again.
    if (abort.signal.aborted && !result.ok) result = cancelled;
    this.#running -= 1;
    this.#wishes.set(entry, {
      // What has become complete is looked after again.
      stoppedByUser: entry.stoppedByUser && !isComplete(entry.stored),
      owed: again === null && result.ok ? run.next : entry.owed,
    });
    this.#end(entry, again === null ? result : ok(null));
    if (run.next !== null) this.start(ref, run.initiator, run.next);
    if (met.areOthersDoubted) await this.startAnew(ref, otherLists, abort.signal.aborted ? null : 'app');
    this.#beginNext();
    return result;
  }

  /** Takes back the proof of blocks, as the user asked, and fetches them again. */
  async doubt(ref: ListRef, blocks: readonly BlockInterval[], around: boolean): Promise<void> {
    if (!this.#entries.has(keyOf(ref))) notFound('You aren’t watching this list.');
    await this.#deps.store.withdraw(ref, blocks, around);
    await this.startAnew(ref, [ref.list], 'user');
  }

  /** Fetches lists that lost proof; a run of theirs would store nothing more. `by` null: only those with a run. */
  async startAnew(chain: Omit<ListRef, 'list'>, lists: readonly ListId[], by: SyncInitiator | null = 'app') {
    const { mayFetch, store, log } = this.#deps;
    const wasPaused = !mayFetch(chain.address, 'app');
    for (const entry of lists.flatMap((list) => this.#entries.get(keyOf({ ...chain, list })) ?? [])) {
      const { ref, run, stoppedByUser } = entry;
      const isEnding = run?.abort.signal.aborted === true;
      const goesOn = by !== null || (run !== null && !isEnding);
      try {
        await this.cancel(ref);
        entry.stored = await store.readSync(ref);
        entry.state = restingState(entry);
        this.#publish(entry);
        const isStopped = entry.stoppedByUser && !stoppedByUser;
        const isPaused = (isEnding || !wasPaused) && !mayFetch(ref.address, 'app');
        if (!goesOn || isStopped || isPaused || !this.#isHere(entry)) continue;
        this.start(ref, run?.initiator ?? by ?? 'app', run?.again === null ? run.what : 'all');
      } catch (cause) {
        log.error('sync.doubt-not-read', cause);
      }
    }
  }

  #end(entry: Entry, result: Result<null>): void {
    entry.run = null;
    entry.error = null;
    entry.state = restingState(entry);
    if (result.ok) entry.retry.succeeded();
    else if (result.error.code !== 'cancelled') {
      // Being offline, or switched off, changes nothing about what is known, so the state stays as it was.
      if (!wasNotAsked(result.error)) entry.state = 'failed';
      entry.error = entry.retry.failed(result.error, () => this.#start(entry.ref, 'app', entry.what));
    }
    this.#publish(entry);
  }

  /** Whether its address was not removed since, also if it is watched again. */
  #isHere(entry: Entry): boolean {
    return this.#entries.get(keyOf(entry.ref)) === entry;
  }

  #publish(entry: Entry): void {
    if (this.#isHere(entry)) this.#deps.emit('activity.changed', { ...entry.ref, sync: viewOf(entry) });
  }
}
