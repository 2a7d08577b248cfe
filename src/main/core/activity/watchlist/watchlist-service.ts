// The room of the watchlist: addresses, the chains they were active on, names of the user's, and lists of them as files. It
// uses the rooms of the sync and of endpoints.

import { spellAddress } from '../../../../shared/activity/address.ts';
import type { NativeToken } from '../../../../shared/activity/legs.ts';
import type {
  SyncPlan,
  SyncScope,
  SyncWhat,
  WatchedAddress,
  WatchedChain,
} from '../../../../shared/activity/types.ts';
import type { ChainRecord } from '../../../../shared/endpoints/records.ts';
import { ok, refuse, unwrap, type Result } from '../../../../shared/errors.ts';
import { Turns } from '../../../../shared/turns.ts';
import type { ServiceClient } from '../../endpoints/service-client.ts';
import { createListeners, type Listeners } from '../../listeners.ts';
import type { ListRef, StoredAddress, StoredChains, WatchlistStore } from '../../activity-ports.ts';
import type { Clock, Log, Timers } from '../../ports.ts';
import { RetryLater } from '../sync/retry-later.ts';
import { AddressChains } from './address-chains.ts';
import { checkedAddress, cleanLabel, cleanTags, type AddressFields } from './address-fields.ts';
import { otherLists } from '../sync/lists.ts';
import { planOf, type PlanLimits } from '../sync/plan.ts';
import { listsOf } from '../sync/sync-scope.ts';
import type { SyncService } from '../sync/sync-service.ts';
import { nativeOf, viewOfChain } from './watchlist-views.ts';

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

interface Watched {
  stored: StoredAddress;
  chains: AddressChains;
  retry: RetryLater;
  /** Nothing new is begun for it. */
  isLeaving: boolean;
}

/** The watched addresses, their chains, and with them which histories are fetched. */
export class WatchlistService {
  readonly #deps: WatchlistServiceDeps;
  readonly #watched = new Map<string, Watched>();
  readonly #changes: Listeners<WatchedAddress[]> = createListeners();
  /** Changes of the list, one after the other: adding while the same address is being removed, for example. */
  readonly #changesOfList = new Turns();

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
    for (const watched of this.#watched.values()) watched.chains.expire();
    this.#publish();
    await this.refreshAll();
  }

  async #stopAll(): Promise<void> {
    for (const watched of this.#watched.values()) {
      watched.retry.cancel();
      await watched.chains.cancel();
    }
    await this.#deps.sync.stop();
  }

  /** In the order in which they were added. */
  views(): WatchedAddress[] {
    return [...this.#watched.values()].map((watched) => this.#view(watched));
  }

  /** What the user says about an address; null for one that is not watched. */
  fieldsOf(address: string): AddressFields | null {
    const watched = this.#watched.get(spellAddress(address));
    if (watched === undefined) return null;
    const { label, tags, colour, paused } = watched.stored;
    return { label, tags, colour, paused };
  }

  /** Calls with every change of an address, a label or the chains. Returns the function that ends it. */
  onChange(listener: (watchlist: WatchedAddress[]) => void): () => void {
    return this.#changes.add(listener);
  }

  /**
   * Watches an address, and begins to fetch its chains and their histories, unless it is to be paused. History that was
   * kept when it was removed is there again.
   */
  async add(address: string, fields: Partial<AddressFields> = {}): Promise<WatchedAddress> {
    const checked = checkedAddress(address);
    return await this.#changesOfList.take(async () => {
      if (this.#watched.has(checked)) refuse('This address is watched already.');
      const stored: StoredAddress = {
        address: checked,
        label: cleanLabel(fields.label ?? null),
        tags: cleanTags(fields.tags ?? []),
        colour: fields.colour ?? null,
        paused: fields.paused ?? false,
        addedAtMs: this.#deps.clock.nowMs(),
      };
      const watched = this.#newlyWatched(stored);
      await this.#deps.store.put(stored);
      const chains = await this.#deps.store.readChains(stored.address);
      if (chains !== null) {
        this.#takeChains(watched, chains);
        await this.#deps.sync.load();
      }
      this.#watched.set(stored.address, watched);
      // Goes on by itself: its end shows in the views.
      if (stored.paused) this.#publish();
      else void this.#refresh(watched, 'user', true);
      return this.#view(watched);
    });
  }

  /** Changes what the user says about an address. One that is no longer paused is brought up to date. */
  async update(address: string, fields: AddressFields): Promise<null> {
    return await this.#changesOfList.take(async () => {
      const watched = this.#find(address);
      const { label, tags, colour, paused } = fields;
      const wasPaused = watched.stored.paused;
      const stored = { ...watched.stored, label: cleanLabel(label), tags: cleanTags(tags), colour, paused };
      await this.#deps.store.put(stored);
      watched.stored = stored;
      if (paused && !wasPaused) await this.#pause(watched);
      this.#publish();
      if (!paused && wasPaused) void this.#refresh(watched, 'app', false);
      return null;
    });
  }

  /** Stops watching; `keepData` leaves what is stored of the address for when it is added again. */
  async remove(address: string, keepData: boolean): Promise<null> {
    return await this.#changesOfList.take(async () => {
      const watched = this.#find(address);
      watched.isLeaving = true;
      await this.#pause(watched);
      try {
        await this.#deps.store.remove(watched.stored.address, keepData);
      } finally {
        watched.isLeaving = false;
      }
      this.#deps.sync.forget(watched.stored.address);
      this.#watched.delete(watched.stored.address);
      this.#publish();
      return null;
    });
  }

  /** Ends what is under way or planned for an address. */
  async #pause(watched: Watched): Promise<void> {
    watched.retry.cancel();
    await watched.chains.cancel();
    await this.#deps.sync.cancelAll(watched.stored.address);
  }

  /** Asks for the chains of an address, however fresh they are, and goes on with their histories. */
  async refreshChains(address: string): Promise<null> {
    const watched = this.#find(address);
    if (watched.isLeaving) notWatched();
    return unwrap(await this.#refresh(watched, 'user', true));
  }

  /** The chains of an address that are on the screen: of what waits, their histories are fetched first. */
  showing(address: string, chainIds: readonly string[]): void {
    this.#deps.sync.showing(spellAddress(address), chainIds);
  }

  /** Fetches what the user asks for; progress shows in the changes of the sync service. */
  sync(scope: SyncScope, what: SyncWhat): null {
    for (const ref of this.#listsOf(scope, what)) this.#deps.sync.start(ref, 'user', what);
    return null;
  }

  /** Stops fetching, until the user starts it again. */
  async cancelSync(scope: SyncScope): Promise<null> {
    const address = scope.address === null ? null : spellAddress(scope.address);
    await this.#deps.sync.stopForUser(
      (ref) =>
        (address === null || ref.address === address) &&
        (scope.chainId === null || ref.chainId === scope.chainId),
    );
    return null;
  }

  /** What `sync` with the same arguments would cost. */
  plan(scope: SyncScope, what: SyncWhat): SyncPlan {
    const { sync, limits, clock } = this.#deps;
    const parts = this.#listsOf(scope, what).map((ref) => ({ ...ref, sync: sync.status(ref) }));
    return planOf(parts, what, limits(), { nowMs: clock.nowMs(), callMs: sync.callMs() });
  }

  /** A chain on which a watched address was active, as the service describes it. */
  chain(chainId: string): ChainRecord | null {
    for (const { chains } of this.#watched.values()) {
      const chain = chains.list.find((one) => one.chainId === chainId);
      if (chain !== undefined) return chain;
    }
    return null;
  }

  /** What is known of the own token of a chain. */
  native(chainId: string): NativeToken {
    return nativeOf(this.chain(chainId));
  }

  #listsOf(scope: SyncScope, what: SyncWhat): ListRef[] {
    const named = scope.address === null ? null : this.#find(scope.address);
    if (named?.isLeaving === true) notWatched();
    const present = [...this.#watched.values()].filter(({ isLeaving }) => !isLeaving);
    const lists = listsOf(
      present.map((watched) => this.#view(watched)),
      { ...scope, address: named?.stored.address ?? null },
      what,
    );
    if (lists.length === 0 && scope.chainId !== null) refuse('The address has no history on this chain.');
    return lists;
  }

  async #refresh(watched: Watched, initiator: 'user' | 'app', force: boolean): Promise<Result<null>> {
    let result: Result<null> = ok(null);
    if (force || !watched.chains.isFresh()) {
      result = await this.#loadChains(watched, initiator === 'user');
      if (!result.ok && result.error.code === 'cancelled') return result;
    }
    if (watched.isLeaving || this.#watched.get(watched.stored.address) !== watched) return result;
    if (initiator === 'app' && watched.stored.paused) return result;
    for (const chain of watched.chains.list) {
      // The service has said that it cannot answer for such a chain now.
      if (chain.status === 'UNAVAILABLE') continue;
      const ref = { address: watched.stored.address, chainId: chain.chainId, list: 'transactions' } as const;
      // To ask for the chains is not to start again what was stopped.
      if (!this.#deps.sync.status(ref).stoppedByUser) this.#deps.sync.start(ref, initiator);
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

  async #loadChains(watched: Watched, isUrgent: boolean): Promise<Result<null>> {
    const { chains, retry } = watched;
    // Who joins a request that is under way leaves its end to the one who began it.
    const isFirst = !chains.isLoading;
    const result = await chains.load(isUrgent);
    if (!isFirst) return result;
    if (result.ok) retry.succeeded();
    else retry.failed(result.error, () => void this.#refresh(watched, 'app', true));
    this.#publish();
    return result;
  }

  #takeChains(watched: Watched, stored: StoredChains): void {
    if (!watched.chains.take(stored)) this.#deps.log.warn('chains.unreadable');
  }

  #view(watched: Watched): WatchedAddress {
    const { stored, chains } = watched;
    return {
      ...stored,
      chains: this.#chainsOf(watched),
      unindexedChainIds: chains.unindexedIds,
      chainsFetchedAtMs: chains.fetchedAtMs,
      chainsLoading: chains.isLoading,
      chainsError: chains.error,
    };
  }

  /** Those that the service lists, and those of which history is stored although it no longer does. */
  #chainsOf({ stored: { address }, chains }: Watched): WatchedChain[] {
    const { sync } = this.#deps;
    const listed = new Set(chains.list.map(({ chainId }) => chainId));
    const unlisted = sync.knownChains(address).filter((chainId) => !listed.has(chainId));
    const syncsOf = (chainId: string) => ({
      sync: sync.status({ address, chainId, list: 'transactions' }),
      otherLists: otherLists.map((list) => ({ list, sync: sync.status({ address, chainId, list }) })),
      newSinceMs: chains.newSinceMs(chainId),
    });
    const all = [...chains.list, ...unlisted.map((chainId): ChainRecord => ({ chainId }))];
    return all.map((chain) => viewOfChain(chain, syncsOf(chain.chainId)));
  }

  #newlyWatched(stored: StoredAddress): Watched {
    const { address } = stored;
    const { store, sync, service, clock, timers, log } = this.#deps;
    const chains = new AddressChains({
      address,
      service,
      clock,
      save: (answer) => store.writeChains(address, answer),
      log,
      knownChains: () => sync.knownChains(address),
      changed: () => this.#publish(),
    });
    return { stored, chains, retry: new RetryLater(timers), isLeaving: false };
  }

  #find(address: string): Watched {
    return this.#watched.get(spellAddress(address)) ?? notWatched();
  }

  #publish(): void {
    this.#changes.emit(this.views());
  }
}

function notWatched(): never {
  return refuse('This address is not watched.');
}
