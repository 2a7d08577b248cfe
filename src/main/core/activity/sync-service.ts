import type { ChainSync } from '../../../shared/activity/types.ts';
import { err, ok, type AppError, type Result } from '../../../shared/errors.ts';
import type { Priority } from '../endpoints/budget.ts';
import type { ServiceClient } from '../endpoints/service-client.ts';
import { createListeners, type Listeners } from '../listeners.ts';
import type { ActivityStore, Clock, Log, StoredSync, Timers } from '../ports.ts';
import { RetryLater } from './retry-later.ts';
import { errorOfThrown, runSync } from './sync-run.ts';

export interface SyncServiceDeps {
  store: ActivityStore;
  service: ServiceClient;
  clock: Clock;
  timers: Timers;
  log: Log;
}

export interface SyncChange {
  address: string;
  chainId: string;
  sync: ChainSync;
}

/** Who wants it: the user is served first, and always gets the newest end checked. */
export type SyncInitiator = 'user' | 'app';

interface Entry {
  address: string;
  chainId: string;
  stored: StoredSync | null;
  state: ChainSync['state'];
  pagesFetched: number;
  error: AppError | null;
  run: Run | null;
  retry: RetryLater;
}

interface Run {
  initiator: SyncInitiator;
  abort: AbortController;
  ended: Promise<void>;
}

/** More at once would only share the same budget of calls. */
const maxRuns = 2;

/** What the app checks on its own is not checked again within this time. */
const headFreshForMs = 60_000;

/** Fetches the histories of the watched addresses and tells how far it has come. */
export class SyncService {
  readonly #deps: SyncServiceDeps;
  readonly #entries = new Map<string, Entry>();
  readonly #changes: Listeners<SyncChange> = createListeners();
  #queue: { entry: Entry; initiator: SyncInitiator; begin: () => void }[] = [];
  #running = 0;

  constructor(deps: SyncServiceDeps) {
    this.#deps = deps;
  }

  /** Reads from the store how far each history has come; once, at start. */
  async load(): Promise<void> {
    for (const { address, chainId, sync } of await this.#deps.store.listSyncs()) {
      const entry = this.#entry(address, chainId);
      entry.stored = sync;
      entry.state = restingState(sync);
    }
  }

  /** Calls with every page saved and every change of state. Returns the function that ends it. */
  onChange(listener: (change: SyncChange) => void): () => void {
    return this.#changes.add(listener);
  }

  status(address: string, chainId: string): ChainSync {
    return viewOf(this.#entries.get(keyOf(address, chainId)));
  }

  /** The chains of an address of which anything is stored or under way. */
  knownChains(address: string): string[] {
    return [...this.#entries.values()]
      .filter((entry) => entry.address === address)
      .map(({ chainId }) => chainId);
  }

  /** Starts a run, or goes on where the last one ended; nothing happens while one is under way. */
  start(address: string, chainId: string, initiator: SyncInitiator): void {
    const entry = this.#entry(address, chainId);
    entry.retry.cancel();
    if (entry.run !== null) {
      this.#hasten(entry, initiator);
      return;
    }
    if (initiator === 'app' && isComplete(entry.stored) && this.#isHeadFresh(entry)) {
      this.#end(entry, ok(null));
      return;
    }
    const abort = new AbortController();
    const begun = new Promise<void>((resolve) => {
      this.#queue.push({ entry, initiator, begin: resolve });
      abort.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    const run: Run = { initiator, abort, ended: begun.then(() => this.#run(entry, run)) };
    entry.run = run;
    entry.state = 'running';
    entry.error = null;
    entry.pagesFetched = 0;
    this.#publish(entry);
    this.#beginNext();
  }

  /** Stops the run, if one is under way; what it has saved stays. Resolves when it has stopped. */
  async cancel(address: string, chainId: string): Promise<void> {
    const entry = this.#entries.get(keyOf(address, chainId));
    if (entry === undefined) return;
    entry.retry.cancel();
    entry.run?.abort.abort();
    await entry.run?.ended;
  }

  /** Stops all runs of an address; resolves when they have stopped. */
  async cancelAll(address: string): Promise<void> {
    await Promise.all(this.knownChains(address).map((chainId) => this.cancel(address, chainId)));
  }

  /** Nothing is stored of the address any more. Its runs have been stopped. */
  forget(address: string): void {
    for (const chainId of this.knownChains(address)) this.#entries.delete(keyOf(address, chainId));
  }

  /** Stops everything; for the end of the app. */
  async stop(): Promise<void> {
    await Promise.all([...this.#entries.values()].map((entry) => this.cancel(entry.address, entry.chainId)));
  }

  /** The service answers again: goes on with what failed for want of an answer. */
  reconnected(): void {
    for (const entry of this.#entries.values()) {
      if (entry.retry.isPlanned) this.start(entry.address, entry.chainId, 'app');
    }
  }

  /** Rows of the address and chain have changed by other means than a run. */
  rowsChanged(address: string, chainId: string): void {
    const entry = this.#entries.get(keyOf(address, chainId));
    if (entry !== undefined) this.#publish(entry);
  }

  #entry(address: string, chainId: string): Entry {
    const key = keyOf(address, chainId);
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      entry = {
        address,
        chainId,
        stored: null,
        state: 'never',
        pagesFetched: 0,
        error: null,
        run: null,
        retry: new RetryLater(this.#deps.timers),
      };
      this.#entries.set(key, entry);
    }
    return entry;
  }

  #isHeadFresh(entry: Entry): boolean {
    const checkedAtMs = entry.stored?.checkedAtMs ?? null;
    if (checkedAtMs === null) return false;
    const ageMs = this.#deps.clock.nowMs() - checkedAtMs;
    return ageMs >= 0 && ageMs < headFreshForMs;
  }

  /** The user wants what the app has queued already: it moves to the front. */
  #hasten(entry: Entry, initiator: SyncInitiator): void {
    if (initiator !== 'user') return;
    for (const queued of this.#queue) if (queued.entry === entry) queued.initiator = 'user';
    if (entry.run !== null) entry.run.initiator = 'user';
  }

  #beginNext(): void {
    while (this.#running < maxRuns) {
      const next = this.#queue.find(({ initiator }) => initiator === 'user') ?? this.#queue[0];
      if (next === undefined) return;
      this.#queue = this.#queue.filter((queued) => queued !== next);
      this.#running += 1;
      next.begin();
    }
  }

  async #run(entry: Entry, run: Run): Promise<void> {
    const { initiator, abort } = run;
    const wasQueued = this.#queue.some((queued) => queued.entry === entry);
    if (wasQueued) {
      // Cancelled before its turn.
      this.#queue = this.#queue.filter((queued) => queued.entry !== entry);
      this.#end(entry, err({ code: 'cancelled', message: 'Fetching was stopped.' }));
      return;
    }
    const firstPriority: Priority = initiator === 'user' ? 'user' : 'completion';
    let result: Result<null>;
    try {
      result = await runSync(this.#deps, {
        address: entry.address,
        chainId: entry.chainId,
        signal: abort.signal,
        firstPriority,
        headFreshForMs: initiator === 'user' ? 0 : headFreshForMs,
        onSaved: (stored, pages) => {
          entry.stored = stored;
          entry.pagesFetched += pages;
          this.#publish(entry);
        },
      });
    } catch (cause) {
      const error = errorOfThrown(cause, () => this.#deps.log.error('sync.failed', cause));
      result = err(error);
    }
    this.#running -= 1;
    this.#end(entry, result);
    this.#beginNext();
  }

  #end(entry: Entry, result: Result<null>): void {
    entry.run = null;
    entry.state = restingState(entry.stored);
    entry.error = null;
    if (result.ok) {
      entry.retry.succeeded();
    } else if (result.error.code !== 'cancelled') {
      // Being offline changes nothing about what is known, so the state stays what it was.
      if (result.error.code !== 'unreachable') entry.state = 'failed';
      entry.error = result.error;
      entry.retry.failed(result.error, () => this.start(entry.address, entry.chainId, 'app'));
    }
    this.#publish(entry);
  }

  #publish(entry: Entry): void {
    const { address, chainId } = entry;
    this.#changes.emit({ address, chainId, sync: viewOf(entry) });
  }
}

function keyOf(address: string, chainId: string): string {
  return `${chainId} ${address}`;
}

/** Nothing is missing between the newest and the first transaction of the address. */
function isComplete(stored: StoredSync | null): boolean {
  return stored !== null && stored.reachedStart && stored.covered.length <= 1;
}

/** The state of a history that nothing is being done about. */
function restingState(stored: StoredSync | null): ChainSync['state'] {
  if (stored === null) return 'never';
  return isComplete(stored) ? 'complete' : 'stopped';
}

function viewOf(entry: Entry | undefined): ChainSync {
  const stored = entry?.stored ?? null;
  return {
    state: entry?.state ?? 'never',
    rowCount: stored?.rowCount ?? 0,
    pagesFetched: entry?.pagesFetched ?? 0,
    covered: stored?.covered ?? [],
    reachedStart: isComplete(stored),
    newestTimestampMs: stored?.newestTimestampMs ?? null,
    oldestTimestampMs: stored?.oldestTimestampMs ?? null,
    checkedAtMs: stored?.checkedAtMs ?? null,
    error: entry?.error ?? null,
  };
}
