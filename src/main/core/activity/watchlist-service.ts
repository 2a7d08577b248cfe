import { checkAddress } from '../../../shared/activity/address.ts';
import { readStoredChains } from '../../../shared/activity/stored.ts';
import type { WatchedAddress } from '../../../shared/activity/types.ts';
import { addressChains } from '../../../shared/endpoints/data/address-chains.ts';
import { plainText } from '../../../shared/endpoints/error-answer.ts';
import type { ChainRecord } from '../../../shared/endpoints/records.ts';
import { AppFailure, err, ok, type AppError, type Result } from '../../../shared/errors.ts';
import type { Priority } from '../endpoints/budget.ts';
import type { ServiceClient } from '../endpoints/service-client.ts';
import { createListeners, type Listeners } from '../listeners.ts';
import type { Clock, Log, StoredAddress, StoredChains, Timers, WatchlistStore } from '../ports.ts';
import { RetryLater } from './retry-later.ts';
import type { SyncInitiator, SyncService } from './sync-service.ts';
import { viewOfChain, viewOfUnlistedChain } from './watchlist-views.ts';

export interface WatchlistServiceDeps {
  store: WatchlistStore;
  service: ServiceClient;
  sync: SyncService;
  clock: Clock;
  timers: Timers;
  log: Log;
}

/** How long the limits of the service may hold a request back before the reason is shown instead. */
const userMayWaitMs = 2_000;
const appMayWaitMs = 90_000;

interface Watched {
  stored: StoredAddress;
  chains: ChainRecord[];
  unindexedIds: string[];
  chainsFetchedAtMs: number | null;
  chainsError: AppError | null;
  loading: { done: Promise<Result<null>>; abort: AbortController } | null;
  retry: RetryLater;
  /** Nothing new is begun for it. */
  isLeaving: boolean;
}

/** The watched addresses, their chains, and with them which histories are fetched. */
export class WatchlistService {
  readonly #deps: WatchlistServiceDeps;
  readonly #watched = new Map<string, Watched>();
  readonly #changes: Listeners<WatchedAddress[]> = createListeners();
  #lastWrite: Promise<unknown> = Promise.resolve();

  constructor(deps: WatchlistServiceDeps) {
    this.#deps = deps;
    deps.service.onConnectionChange(({ state }) => {
      if (state === 'online') this.#reconnected();
    });
  }

  /** Reads the list from the store; once, at start, after `SyncService.load`. Rejects when the store fails. */
  async load(): Promise<void> {
    for (const stored of await this.#deps.store.list()) {
      const chains = await this.#deps.store.readChains(stored.address);
      const watched = this.#newlyWatched(stored);
      if (chains !== null) this.#takeChains(watched, chains);
      this.#watched.set(stored.address, watched);
    }
    this.#publish();
  }

  /**
   * Brings chains and histories up to date where they may have changed: at start, and when the app has been away.
   * Resolves when the chains are known; the histories go on.
   */
  async refreshAll(): Promise<void> {
    await Promise.all([...this.#watched.values()].map((watched) => this.#refresh(watched, 'app', false)));
  }

  /** Stops all that is under way or planned; for the end of the app. */
  async stop(): Promise<void> {
    for (const watched of this.#watched.values()) watched.isLeaving = true;
    await this.#stopAll();
  }

  /** Another service is set: what is under way with the old one ends, and the new one is asked for the chains. */
  async serviceChanged(): Promise<void> {
    await this.#stopAll();
    for (const watched of this.#watched.values()) watched.chainsFetchedAtMs = null;
    this.#publish();
    await this.refreshAll();
  }

  async #stopAll(): Promise<void> {
    for (const watched of this.#watched.values()) {
      watched.retry.cancel();
      watched.loading?.abort.abort();
      await watched.loading?.done;
    }
    await this.#deps.sync.stop();
  }

  /** In the order in which they were added. */
  views(): WatchedAddress[] {
    return [...this.#watched.values()].map((watched) => this.#view(watched));
  }

  /** Calls with every change of an address, a label or the chains. Returns the function that ends it. */
  onChange(listener: (watchlist: WatchedAddress[]) => void): () => void {
    return this.#changes.add(listener);
  }

  /** Watches an address, and begins to fetch its chains and their histories. */
  async add(address: string, label: string | null): Promise<Result<WatchedAddress>> {
    const check = checkAddress(address);
    if (!check.ok) return invalid(addressProblem(check));
    return await this.#inTurn(async () => {
      if (this.#watched.has(check.address)) return invalid('This address is watched already.');
      const stored: StoredAddress = {
        address: check.address,
        label: cleanLabel(label),
        addedAtMs: this.#deps.clock.nowMs(),
      };
      const saved = await this.#guard(() => this.#deps.store.put(stored));
      if (!saved.ok) return saved;
      const watched = this.#newlyWatched(stored);
      this.#watched.set(stored.address, watched);
      // Goes on by itself: its end shows in the views.
      void this.#refresh(watched, 'user', true);
      return ok(this.#view(watched));
    });
  }

  /** Sets or, with null, takes away the label. */
  async rename(address: string, label: string | null): Promise<Result<null>> {
    return await this.#inTurn(async () => {
      const watched = this.#find(address);
      if (watched === undefined) return notWatched();
      const stored = { ...watched.stored, label: cleanLabel(label) };
      const saved = await this.#guard(() => this.#deps.store.put(stored));
      if (!saved.ok) return saved;
      watched.stored = stored;
      this.#publish();
      return ok(null);
    });
  }

  /** Stops watching and deletes what is stored of the address. */
  async remove(address: string): Promise<Result<null>> {
    return await this.#inTurn(async () => {
      const watched = this.#find(address);
      if (watched === undefined) return notWatched();
      watched.isLeaving = true;
      watched.retry.cancel();
      watched.loading?.abort.abort();
      await watched.loading?.done;
      await this.#deps.sync.cancelAll(watched.stored.address);
      const removed = await this.#guard(() => this.#deps.store.remove(watched.stored.address));
      watched.isLeaving = false;
      if (!removed.ok) return removed;
      this.#deps.sync.forget(watched.stored.address);
      this.#watched.delete(watched.stored.address);
      this.#publish();
      return ok(null);
    });
  }

  /** Asks for the chains of an address, however fresh they are, and goes on with their histories. */
  async refreshChains(address: string): Promise<Result<null>> {
    const watched = this.#find(address);
    if (watched === undefined || watched.isLeaving) return notWatched();
    return await this.#refresh(watched, 'user', true);
  }

  /** Fetches the history of one chain on the user's wish; progress shows in the changes of the sync service. */
  sync(address: string, chainId: string): Result<null> {
    const watched = this.#find(address);
    if (watched === undefined || watched.isLeaving) return notWatched();
    if (!this.#view(watched).chains.some((chain) => chain.chainId === chainId)) {
      return invalid('The address has no history on this chain.');
    }
    this.#deps.sync.start(watched.stored.address, chainId, 'user');
    return ok(null);
  }

  async #refresh(watched: Watched, initiator: SyncInitiator, force: boolean): Promise<Result<null>> {
    let result: Result<null> = ok(null);
    if (force || !this.#areChainsFresh(watched)) {
      const priority: Priority = initiator === 'user' ? 'user' : 'completion';
      result = await this.#loadChains(watched, priority);
      if (!result.ok && result.error.code === 'cancelled') return result;
    }
    if (watched.isLeaving || this.#watched.get(watched.stored.address) !== watched) return result;
    for (const chain of watched.chains) {
      // The service has said that it cannot answer for such a chain now.
      if (chain.status === 'UNAVAILABLE') continue;
      this.#deps.sync.start(watched.stored.address, chain.chainId, initiator);
    }
    return result;
  }

  /** The service answers again: goes on with what failed for want of an answer. */
  #reconnected(): void {
    for (const watched of this.#watched.values()) {
      if (watched.retry.isPlanned) void this.#refresh(watched, 'app', true);
    }
    this.#deps.sync.reconnected();
  }

  async #loadChains(watched: Watched, priority: Priority): Promise<Result<null>> {
    if (watched.loading === null) {
      const abort = new AbortController();
      const done = this.#fetchChains(watched, priority, abort.signal).then((result) => {
        watched.loading = null;
        watched.chainsError = result.ok || result.error.code === 'cancelled' ? null : result.error;
        if (result.ok) watched.retry.succeeded();
        else watched.retry.failed(result.error, () => void this.#refresh(watched, 'app', true));
        this.#publish();
        return result;
      });
      watched.loading = { done, abort };
      this.#publish();
    }
    return await watched.loading.done;
  }

  async #fetchChains(watched: Watched, priority: Priority, signal: AbortSignal): Promise<Result<null>> {
    const { address } = watched.stored;
    const fetched = await this.#deps.service.fetch(
      addressChains,
      { address },
      { priority, signal, mayWaitMs: priority === 'user' ? userMayWaitMs : appMayWaitMs },
    );
    if (!fetched.ok) return fetched;
    if (signal.aborted) return err({ code: 'cancelled', message: 'The address is being removed.' });
    const { data, fetchedAtMs } = fetched.value;
    const chains: StoredChains = {
      indexedJson: JSON.stringify(data.indexedChains ?? []),
      unindexedIds: data.unindexedChains ?? [],
      fetchedAtMs,
    };
    const saved = await this.#guard(() => this.#deps.store.writeChains(address, chains));
    if (!saved.ok) return saved;
    this.#takeChains(watched, chains);
    return ok(null);
  }

  #takeChains(watched: Watched, stored: StoredChains): void {
    const chains = readStoredChains(stored.indexedJson);
    if (chains === null) {
      this.#deps.log.warn('chains.unreadable');
      return;
    }
    watched.chains = chains;
    watched.unindexedIds = stored.unindexedIds;
    watched.chainsFetchedAtMs = stored.fetchedAtMs;
  }

  #areChainsFresh(watched: Watched): boolean {
    if (watched.chainsFetchedAtMs === null) return false;
    const ageMs = this.#deps.clock.nowMs() - watched.chainsFetchedAtMs;
    return ageMs >= 0 && ageMs < addressChains.freshForMs;
  }

  #view(watched: Watched): WatchedAddress {
    const { address, label, addedAtMs } = watched.stored;
    const { sync } = this.#deps;
    const listed = new Set(watched.chains.map(({ chainId }) => chainId));
    const unlisted = sync.knownChains(address).filter((chainId) => !listed.has(chainId));
    return {
      address,
      label,
      addedAtMs,
      chains: [
        ...watched.chains.map((chain) => viewOfChain(chain, sync.status(address, chain.chainId))),
        ...unlisted.map((chainId) => viewOfUnlistedChain(chainId, sync.status(address, chainId))),
      ],
      unindexedChainIds: watched.unindexedIds,
      chainsFetchedAtMs: watched.chainsFetchedAtMs,
      chainsLoading: watched.loading !== null,
      chainsError: watched.chainsError,
    };
  }

  #newlyWatched(stored: StoredAddress): Watched {
    return {
      stored,
      chains: [],
      unindexedIds: [],
      chainsFetchedAtMs: null,
      chainsError: null,
      loading: null,
      retry: new RetryLater(this.#deps.timers),
      isLeaving: false,
    };
  }

  #find(address: string): Watched | undefined {
    const check = checkAddress(address);
    return check.ok ? this.#watched.get(check.address) : undefined;
  }

  #publish(): void {
    this.#changes.emit(this.views());
  }

  /** Changes of the list happen one after the other: adding while the same address is being removed, for example. */
  async #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const turn = this.#lastWrite.then(change);
    this.#lastWrite = turn.then(
      () => undefined,
      () => undefined,
    );
    return await turn;
  }

  async #guard(write: () => Promise<void>): Promise<Result<null>> {
    try {
      await write();
      return ok(null);
    } catch (cause) {
      const ref = this.#deps.log.error('watchlist.write-failed', cause);
      return err(
        cause instanceof AppFailure
          ? cause.error
          : { code: 'internal', message: 'The list could not be stored.', ref },
      );
    }
  }
}

/** One line without control characters; null for nothing. */
function cleanLabel(label: string | null): string | null {
  const text = plainText(label ?? '');
  return text === '' ? null : text;
}

function addressProblem(check: Exclude<ReturnType<typeof checkAddress>, { ok: true }>): string {
  switch (check.reason) {
    case 'empty':
      return 'Enter an address.';
    case 'not-an-address':
      return 'This is not an address: 0x and 40 hexadecimal digits.';
    case 'wrong-checksum':
      return `A character is wrong: upper and lower case do not match. If all digits are right, the address is ${check.checksummed}.`;
  }
}

function invalid(message: string): Result<never> {
  return err({ code: 'invalid-params', message, issues: [message] });
}

function notWatched(): Result<never> {
  return invalid('This address is not watched.');
}
