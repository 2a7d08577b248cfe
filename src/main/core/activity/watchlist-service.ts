import { checkAddress } from '../../../shared/activity/address.ts';
import { readStoredChains } from '../../../shared/activity/stored.ts';
import type { NativeToken } from '../../../shared/activity/legs.ts';
import type {
  AddressColour,
  ListId,
  SyncPlan,
  SyncScope,
  SyncWhat,
  WatchedAddress,
  WatchedChain,
} from '../../../shared/activity/types.ts';
import { addressChains } from '../../../shared/endpoints/data/address-chains.ts';
import { plainText } from '../../../shared/endpoints/error-answer.ts';
import type { ChainRecord } from '../../../shared/endpoints/records.ts';
import { AppFailure, err, ok, type AppError, type Result } from '../../../shared/errors.ts';
import type { Priority } from '../endpoints/budget.ts';
import type { ServiceClient } from '../endpoints/service-client.ts';
import { createListeners, type Listeners } from '../listeners.ts';
import type { Clock, ListRef, Log, StoredAddress, StoredChains, Timers, WatchlistStore } from '../ports.ts';
import { RetryLater } from './retry-later.ts';
import { addressProblem } from './address-problem.ts';
import { planOf, type PlanLimits } from './plan.ts';
import { otherLists, type SyncInitiator, type SyncService } from './sync-service.ts';
import { nativeOf, viewOfChain, viewOfUnlistedChain } from './watchlist-views.ts';

export interface WatchlistServiceDeps {
  store: WatchlistStore;
  service: ServiceClient;
  sync: SyncService;
  clock: Clock;
  timers: Timers;
  log: Log;
  /** The present limits of the service. */
  limits: () => PlanLimits;
}

/** What the user says about an address. */
export interface AddressFields {
  label: string | null;
  tags: readonly string[];
  colour: AddressColour | null;
  paused: boolean;
}

/** How long the limits of the service may hold a request back before the reason is shown instead. */
const userMayWaitMs = 2_000;
const appMayWaitMs = 90_000;

interface Watched {
  stored: StoredAddress;
  chains: ChainRecord[];
  unindexedIds: string[];
  newSinceMs: Record<string, number>;
  /** The service has told its chains before. */
  hasChains: boolean;
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
   * Brings chains and histories up to date where they may have changed, those of paused addresses left out: at start,
   * when the app has been away, and in the rhythm of the user's. Resolves when the chains are known; the histories go on.
   */
  async refreshAll(): Promise<void> {
    const active = [...this.#watched.values()].filter(({ stored }) => !stored.paused);
    await Promise.all(active.map((watched) => this.#refresh(watched, 'app', false)));
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

  /**
   * Watches an address, and begins to fetch its chains and their histories, unless it is to be paused. History that was
   * kept when it was removed is there again.
   */
  async add(address: string, fields: Partial<AddressFields> = {}): Promise<Result<WatchedAddress>> {
    const check = checkAddress(address);
    if (!check.ok) return invalid(addressProblem(check));
    return await this.#inTurn(async () => {
      if (this.#watched.has(check.address)) return invalid('This address is watched already.');
      const stored: StoredAddress = {
        address: check.address,
        label: cleanLabel(fields.label ?? null),
        tags: cleanTags(fields.tags ?? []),
        colour: fields.colour ?? null,
        paused: fields.paused ?? false,
        addedAtMs: this.#deps.clock.nowMs(),
      };
      const watched = this.#newlyWatched(stored);
      const saved = await this.#guard(async () => {
        await this.#deps.store.put(stored);
        const chains = await this.#deps.store.readChains(stored.address);
        if (chains !== null) this.#takeChains(watched, chains);
        await this.#deps.sync.load();
      });
      if (!saved.ok) return saved;
      this.#watched.set(stored.address, watched);
      // Goes on by itself: its end shows in the views.
      if (stored.paused) this.#publish();
      else void this.#refresh(watched, 'user', true);
      return ok(this.#view(watched));
    });
  }

  /** Changes what the user says about an address. One that is no longer paused is brought up to date. */
  async update(address: string, fields: AddressFields): Promise<Result<null>> {
    return await this.#inTurn(async () => {
      const watched = this.#find(address);
      if (watched === undefined) return notWatched();
      const { label, tags, colour, paused } = fields;
      const wasPaused = watched.stored.paused;
      const stored = { ...watched.stored, label: cleanLabel(label), tags: cleanTags(tags), colour, paused };
      const saved = await this.#guard(() => this.#deps.store.put(stored));
      if (!saved.ok) return saved;
      watched.stored = stored;
      if (paused && !wasPaused) await this.#pause(watched);
      this.#publish();
      if (!paused && wasPaused) void this.#refresh(watched, 'app', false);
      return ok(null);
    });
  }

  /** Stops watching; `keepData` leaves what is stored of the address for when it is added again. */
  async remove(address: string, keepData: boolean): Promise<Result<null>> {
    return await this.#inTurn(async () => {
      const watched = this.#find(address);
      if (watched === undefined) return notWatched();
      watched.isLeaving = true;
      await this.#pause(watched);
      const removed = await this.#guard(() => this.#deps.store.remove(watched.stored.address, keepData));
      watched.isLeaving = false;
      if (!removed.ok) return removed;
      this.#deps.sync.forget(watched.stored.address);
      this.#watched.delete(watched.stored.address);
      this.#publish();
      return ok(null);
    });
  }

  /** Ends what is under way or planned for an address. */
  async #pause(watched: Watched): Promise<void> {
    watched.retry.cancel();
    watched.loading?.abort.abort();
    await watched.loading?.done;
    await this.#deps.sync.cancelAll(watched.stored.address);
  }

  /** Asks for the chains of an address, however fresh they are, and goes on with their histories. */
  async refreshChains(address: string): Promise<Result<null>> {
    const watched = this.#find(address);
    if (watched === undefined || watched.isLeaving) return notWatched();
    return await this.#refresh(watched, 'user', true);
  }

  /** Fetches what the user asks for; progress shows in the changes of the sync service. */
  sync(scope: SyncScope, what: SyncWhat): Result<null> {
    const meant = this.#refsOf(scope, what);
    if (!meant.ok) return meant;
    for (const ref of meant.value) this.#deps.sync.start(ref, 'user', what);
    return ok(null);
  }

  /** Stops fetching, until the user starts it again. */
  async cancelSync(scope: SyncScope): Promise<Result<null>> {
    const address = scope.address === null ? null : canonicalAddress(scope.address);
    return await this.#guard(() =>
      this.#deps.sync.stopForUser(
        (ref) =>
          (address === null || ref.address === address) &&
          (scope.chainId === null || ref.chainId === scope.chainId),
      ),
    );
  }

  /** What `sync` with the same arguments would cost. */
  plan(scope: SyncScope, what: SyncWhat): Result<SyncPlan> {
    const meant = this.#refsOf(scope, what);
    if (!meant.ok) return meant;
    const { sync, limits, clock } = this.#deps;
    const parts = meant.value.map((ref) => ({ ...ref, sync: sync.status(ref) }));
    return ok(planOf(parts, what, limits(), { nowMs: clock.nowMs(), callMs: sync.callMs() }));
  }

  /** A chain on which a watched address was active, as the service describes it. */
  chain(chainId: string): ChainRecord | null {
    for (const { chains } of this.#watched.values()) {
      const chain = chains.find((one) => one.chainId === chainId);
      if (chain !== undefined) return chain;
    }
    return null;
  }

  /** What is known of the own token of a chain. */
  native(chainId: string): NativeToken {
    return nativeOf(this.chain(chainId));
  }

  /**
   * The lists that are meant: of paused addresses, and of chains that the service cannot answer for now, only where they
   * are named. Lists of transactions come first: they are what the timeline shows.
   */
  #refsOf(scope: SyncScope, what: SyncWhat): Result<ListRef[]> {
    const named = scope.address === null ? null : this.#find(scope.address);
    if (named === undefined || named?.isLeaving === true) return notWatched();
    const meant =
      named === null ? [...this.#watched.values()].filter((watched) => isActive(watched)) : [named];
    const chains = meant.flatMap((watched) =>
      this.#view(watched)
        .chains.filter(({ chainId, status }) =>
          scope.chainId === null ? status !== 'UNAVAILABLE' : chainId === scope.chainId,
        )
        .map(({ chainId }) => ({ address: watched.stored.address, chainId })),
    );
    if (chains.length === 0 && scope.chainId !== null) {
      return invalid('The address has no history on this chain.');
    }
    const lists: readonly ListId[] = what === 'all' ? ['transactions', ...otherLists] : ['transactions'];
    return ok(lists.flatMap((list) => chains.map((chain) => ({ ...chain, list }))));
  }

  async #refresh(watched: Watched, initiator: SyncInitiator, force: boolean): Promise<Result<null>> {
    let result: Result<null> = ok(null);
    if (force || !this.#areChainsFresh(watched)) {
      const priority: Priority = initiator === 'user' ? 'user' : 'completion';
      result = await this.#loadChains(watched, priority);
      if (!result.ok && result.error.code === 'cancelled') return result;
    }
    if (watched.isLeaving || this.#watched.get(watched.stored.address) !== watched) return result;
    if (initiator === 'app' && watched.stored.paused) return result;
    for (const chain of watched.chains) {
      // The service has said that it cannot answer for such a chain now.
      if (chain.status === 'UNAVAILABLE') continue;
      const ref = { address: watched.stored.address, chainId: chain.chainId };
      this.#deps.sync.start({ ...ref, list: 'transactions' }, initiator);
      this.#goOnWithOthers(ref);
    }
    return result;
  }

  /**
   * The other lists are begun, and brought up to date, only when the user syncs everything; what was interrupted goes on
   * by itself.
   */
  #goOnWithOthers(ref: { address: string; chainId: string }): void {
    const { sync } = this.#deps;
    for (const list of otherLists) {
      const { state, error } = sync.status({ ...ref, list });
      const isInterrupted = state === 'stopped' || (state === 'never' && error !== null);
      if (isInterrupted) sync.start({ ...ref, list }, 'app');
    }
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
    const indexed = data.indexedChains ?? [];
    const unindexedIds = data.unindexedChains ?? [];
    const ids = [...indexed.map(({ chainId }) => chainId), ...unindexedIds];
    const chains: StoredChains = {
      indexedJson: JSON.stringify(indexed),
      unindexedIds,
      fetchedAtMs,
      newSinceMs: this.#newChains(watched, ids, fetchedAtMs),
    };
    const saved = await this.#guard(() => this.#deps.store.writeChains(address, chains));
    if (!saved.ok) return saved;
    this.#takeChains(watched, chains);
    return ok(null);
  }

  /** When each chain was first seen, of those that were not there at first. */
  #newChains(watched: Watched, ids: readonly string[], nowMs: number): Record<string, number> {
    if (!watched.hasChains) return {};
    const known = new Set([
      ...watched.chains.map(({ chainId }) => chainId),
      ...watched.unindexedIds,
      ...this.#deps.sync.knownChains(watched.stored.address),
    ]);
    const appeared = ids.filter((id) => !known.has(id) && watched.newSinceMs[id] === undefined);
    return { ...watched.newSinceMs, ...Object.fromEntries(appeared.map((id) => [id, nowMs])) };
  }

  #takeChains(watched: Watched, stored: StoredChains): void {
    const chains = readStoredChains(stored.indexedJson);
    if (chains === null) {
      this.#deps.log.warn('chains.unreadable');
      return;
    }
    watched.chains = chains;
    watched.unindexedIds = stored.unindexedIds;
    watched.newSinceMs = stored.newSinceMs;
    watched.hasChains = true;
    watched.chainsFetchedAtMs = stored.fetchedAtMs;
  }

  #areChainsFresh(watched: Watched): boolean {
    if (watched.chainsFetchedAtMs === null) return false;
    const ageMs = this.#deps.clock.nowMs() - watched.chainsFetchedAtMs;
    return ageMs >= 0 && ageMs < addressChains.freshForMs;
  }

  #view(watched: Watched): WatchedAddress {
    const { stored } = watched;
    return {
      ...stored,
      chains: this.#chainsOf(watched),
      unindexedChainIds: watched.unindexedIds,
      chainsFetchedAtMs: watched.chainsFetchedAtMs,
      chainsLoading: watched.loading !== null,
      chainsError: watched.chainsError,
    };
  }

  /** Those that the service lists, and those of which history is stored although it no longer does. */
  #chainsOf({ stored: { address }, chains, newSinceMs }: Watched): WatchedChain[] {
    const { sync } = this.#deps;
    const listed = new Set(chains.map(({ chainId }) => chainId));
    const unlisted = sync.knownChains(address).filter((chainId) => !listed.has(chainId));
    const syncsOf = (chainId: string) => ({
      sync: sync.status({ address, chainId, list: 'transactions' }),
      otherLists: otherLists.map((list) => ({ list, sync: sync.status({ address, chainId, list }) })),
      newSinceMs: newSinceMs[chainId] ?? null,
    });
    return [
      ...chains.map((chain) => viewOfChain(chain, syncsOf(chain.chainId))),
      ...unlisted.map((chainId) => viewOfUnlistedChain(chainId, syncsOf(chainId))),
    ];
  }

  #newlyWatched(stored: StoredAddress): Watched {
    return {
      stored,
      chains: [],
      unindexedIds: [],
      newSinceMs: {},
      hasChains: false,
      chainsFetchedAtMs: null,
      chainsError: null,
      loading: null,
      retry: new RetryLater(this.#deps.timers),
      isLeaving: false,
    };
  }

  #find(address: string): Watched | undefined {
    return this.#watched.get(canonicalAddress(address));
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

/** Each tag once, one line each, in the order given. */
function cleanTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => plainText(tag)).filter((tag) => tag !== ''))];
}

function isActive({ isLeaving, stored }: Watched): boolean {
  return !isLeaving && !stored.paused;
}

function canonicalAddress(address: string): string {
  const check = checkAddress(address);
  return check.ok ? check.address : address;
}

function invalid(message: string): Result<never> {
  return err({ code: 'invalid-params', message, issues: [message] });
}

function notWatched(): Result<never> {
  return invalid('This address is not watched.');
}
