import { spellAddress } from '../../../../shared/address.ts';
import type { NativeToken } from '../../../../shared/activity/legs.ts';
import {
  otherLists,
  type SyncPlan,
  type SyncScope,
  type SyncWhat,
  type WatchedAddress,
} from '../../../../shared/activity/types.ts';
import type { ChainRecord } from '../../../../shared/endpoints/records.ts';
import { ok, refuse, unwrap, type Result } from '../../../../shared/errors.ts';
import { Turns } from '../../../../shared/turns.ts';
import type { ServiceClient } from '../../endpoints/service-client.ts';
import type { ListRef, StoredAddress, WatchlistStore } from '../../activity-ports.ts';
import type { Ports } from '../../ports.ts';
import type { Removal } from '../../removals.ts';
import { RetryLater } from '../sync/retry-later.ts';
import { AddressChains } from './address-chains.ts';
import { changedAddress, newAddress, type AddressFields } from './address-fields.ts';
import { planOf, type PlanLimits } from '../sync/plan.ts';
import { isIn, listsOf } from '../sync/sync-scope.ts';
import type { SyncInitiator } from '../sync/sync-entry.ts';
import type { SyncService } from '../sync/sync-service.ts';
import { nativeOf, viewsOfChains } from './watchlist-views.ts';

export interface WatchlistServiceDeps extends Pick<Ports, 'emit' | 'clock' | 'timers' | 'log'> {
  store: WatchlistStore;
  service: ServiceClient;
  sync: SyncService;
  /** The current rate limits of the service. */
  limits: () => PlanLimits;
}

const publishAtMostEveryMs = 200;

interface Watched {
  stored: StoredAddress;
  chains: AddressChains;
  retry: RetryLater;
  /** True once it is being removed: nothing new may be started for it. */
  isLeaving: boolean;
}

/** The watched addresses and their chains, which determine what histories are fetched. */
export class WatchlistService {
  readonly #deps: WatchlistServiceDeps;
  readonly #watched = new Map<string, Watched>();
  /** The last removal of each address that can still be put back; an earlier one has nothing left to do. */
  readonly #removals = new Map<string, { keepData: boolean }>();
  /** Changes to the list, one at a time: an address may be added while it is still being removed, for example. */
  readonly #changesOfList = new Turns();
  #publishedAtMs = -Infinity;
  #cancelPublish: (() => void) | null = null;

  constructor(deps: WatchlistServiceDeps) {
    this.#deps = deps;
    deps.service.onConnectionChange(({ state }) => {
      if (state !== 'online') return;
      for (const watched of this.#watched.values())
        if (watched.retry.isPlanned) void this.#refresh(watched, 'app', true);
      deps.sync.reconnected();
    });
  }

  /** Reads the list from the store; call once, at start, after `SyncService.load`. Rejects when the store fails. */
  async load(): Promise<void> {
    await this.#deps.store.removeLeft();
    for (const watched of await this.#loaded(await this.#deps.store.list()))
      this.#watched.set(watched.stored.address, watched);
    this.#publish();
  }

  /**
   * Updates chains and histories of all addresses, or of these, that are not paused: at start, after the app was away,
   * and at the user's interval. Resolves when the chains are known; fetching histories goes on.
   */
  async refreshAll(addresses: Iterable<string> = this.#watched.keys()): Promise<void> {
    const known = [...addresses].flatMap((address) => this.#watched.get(address) ?? []);
    const active = known.filter(({ stored }) => !stored.paused);
    await Promise.all(active.map((watched) => this.#refresh(watched, 'app', false)));
  }

  /** Stops all work, at the end of the service's life (`SyncServiceDeps`): nothing new is begun after that. */
  async stop(): Promise<void> {
    await Promise.all([this.#stopAll(), this.#changesOfList.settled()]);
    // An address may have been added meanwhile.
    await this.#stopAll();
  }

  /** The service is asked in another way from now on: what is under way begins again. */
  async serviceChanged(): Promise<void> {
    await this.#stopAll();
    await this.refreshAll();
  }

  async #stopAll(): Promise<void> {
    for (const watched of this.#watched.values()) {
      watched.retry.cancel();
      await watched.chains.cancel();
    }
    // No retry is planned any more, and what follows may take long.
    this.#publish();
    await this.#deps.sync.stop();
  }

  /** In the order in which they were added. */
  views(): WatchedAddress[] {
    const inOrder = [...this.#watched.values()].sort((a, b) => a.stored.addedAtMs - b.stored.addedAtMs);
    return inOrder.map((watched) => this.#view(watched));
  }

  /** The user's data about an address; null if it is not watched. */
  fieldsOf(address: string): AddressFields | null {
    const watched = this.#watched.get(spellAddress(address));
    if (watched === undefined) return null;
    const { label, tags, colour, paused } = watched.stored;
    return { label, tags, colour, paused };
  }

  /** Watches an address and, unless paused, fetches its chains and histories; data kept before is used. */
  async add(address: string, fields: Partial<AddressFields> = {}): Promise<WatchedAddress> {
    const stored = newAddress(address, fields, this.#deps.clock.nowMs());
    return await this.#changesOfList.take(() => this.#admit(stored));
  }

  /** Watches addresses, or changes those that are watched already: all or none of them. */
  async addMany(choose: () => ReadonlyMap<string, AddressFields>): Promise<void> {
    const nowMs = this.#deps.clock.nowMs();
    const storedOf = ([address, fields]: [string, AddressFields]): StoredAddress => {
      const known = this.#watched.get(address)?.stored;
      return known === undefined ? newAddress(address, fields, nowMs) : changedAddress(known, fields);
    };
    await this.#changesOfList.take(() => this.#put([...choose()].map(storedOf)));
  }

  /** Changes the user's data about an address. If it is no longer paused, it is updated. */
  async update(address: string, fields: AddressFields): Promise<void> {
    await this.#changesOfList.take(() => this.#put([changedAddress(this.#find(address).stored, fields)]));
  }

  /** Watches an address, anew or by undoing a removal. */
  async #admit(stored: StoredAddress, undone?: { keepData: boolean }): Promise<WatchedAddress> {
    if (this.#watched.has(stored.address)) refuse('You’re already watching this address.');
    if (undone === undefined || this.#removals.get(stored.address) === undone)
      await this.#put([stored], undone !== undefined);
    else refuse('You can’t undo this anymore: the address was removed again.');
    return this.#view(this.#find(stored.address));
  }

  async #put(all: readonly StoredAddress[], isUndone = false): Promise<void> {
    const { store, sync } = this.#deps;
    if (all.length === 0) return;
    const others = all.filter(({ address }) => !this.#watched.has(address));
    for (const { address } of isUndone ? [] : others)
      await this.#finish(address, this.#removals.get(address));
    await store.put(...all);
    for (const { address } of others) this.#removals.delete(address);
    const added = await this.#loaded(others);
    if (added.some(({ chains }) => chains.fetchedAtMs !== null)) await sync.load();
    for (const watched of added) this.#watched.set(watched.stored.address, watched);
    // Not awaited: the views show when it has ended.
    for (const watched of added) if (!watched.stored.paused) void this.#refresh(watched, 'user', true);
    for (const stored of all) {
      const watched = this.#find(stored.address);
      const { paused: wasPaused } = watched.stored;
      watched.stored = stored;
      if (stored.paused && !wasPaused) await this.#pause(watched);
      if (!stored.paused && wasPaused) void this.#refresh(watched, 'app', false);
    }
    this.#publish();
  }

  /** Stops watching; with `keepData`, the stored data is kept for when the address is added again. */
  async remove(address: string, keepData: boolean): Promise<Removal> {
    return await this.#changesOfList.take(async () => {
      const watched = this.#find(address);
      const { stored } = watched;
      watched.isLeaving = true;
      await this.#pause(watched);
      try {
        await this.#deps.store.remove(stored.address, keepData ? 'keep' : 'leave');
      } catch (cause) {
        // It stays, and goes on with what was stopped to remove it.
        watched.isLeaving = false;
        if (!stored.paused) void this.#refresh(watched, 'app', false);
        throw cause;
      }
      this.#deps.sync.forget(stored.address);
      this.#watched.delete(stored.address);
      const removal = { keepData };
      this.#removals.set(stored.address, removal);
      this.#publish();
      return {
        putBack: () => this.#changesOfList.take(() => this.#admit(stored, removal)),
        finish: () => this.#changesOfList.take(() => this.#finish(stored.address, removal)),
      };
    });
  }

  /** Ends a removal, unless the address was added or removed again since. */
  async #finish(address: string, removal: { keepData: boolean } | undefined): Promise<void> {
    if (removal === undefined || this.#removals.get(address) !== removal) return;
    if (!removal.keepData) await this.#deps.store.remove(address, 'delete');
    this.#removals.delete(address);
  }

  /** Stops all work and planned retries for an address. */
  async #pause(watched: Watched): Promise<void> {
    watched.retry.cancel();
    this.#publish();
    await watched.chains.cancel();
    await this.#deps.sync.cancelAll(watched.stored.address);
  }

  /** Whether lists of an address may be fetched (`SyncServiceDeps`). */
  mayFetch(address: string, initiator: SyncInitiator): boolean {
    const watched = this.#watched.get(address);
    return watched?.isLeaving !== true && (initiator === 'user' || watched?.stored.paused !== true);
  }

  /** Fetches the chains of an address even if they are fresh, and continues with their histories. */
  async refreshChains(address: string): Promise<void> {
    const watched = this.#find(address);
    if (watched.isLeaving) notWatched();
    unwrap(await this.#refresh(watched, 'user', true));
  }

  showing(address: string, chainIds: readonly string[]): void {
    this.#deps.sync.showing(spellAddress(address), chainIds);
  }

  /** Starts fetching; progress is reported by the sync service. */
  sync(scope: SyncScope, what: SyncWhat): void {
    for (const ref of this.#listsOf(scope, what)) this.#deps.sync.start(ref, 'user', what);
  }

  /** Stops fetching until the user starts it again. */
  async cancelSync(scope: SyncScope): Promise<void> {
    await this.#deps.sync.stopForUser(isIn(scope));
  }

  resumeSync(scope: SyncScope): void {
    this.#deps.sync.resumeForUser(isIn(scope));
  }

  /** The estimated cost of `sync` with the same arguments. */
  plan(scope: SyncScope, what: SyncWhat): SyncPlan {
    const { sync, limits, clock } = this.#deps;
    const parts = this.#listsOf(scope, what).map((ref) => ({ ...ref, sync: sync.status(ref) }));
    return planOf(parts, what, limits(), { nowMs: clock.nowMs(), callMs: sync.callMs() });
  }

  /** The service's records of the chains of all watched addresses; of a chain that several have, the first one counts. */
  *chains(): Generator<ChainRecord> {
    for (const { chains } of this.#watched.values()) yield* chains.list;
  }

  native(chainId: string): NativeToken {
    for (const chain of this.chains()) if (chain.chainId === chainId) return nativeOf(chain);
    return nativeOf(null);
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
    if (initiator === 'user') watched.retry.asked();
    let result: Result<null> = ok(null);
    if (force || !watched.chains.isFresh()) {
      result = await this.#loadChains(watched, initiator === 'user');
      if (!result.ok && result.error.code === 'cancelled') return result;
    }
    if (watched.isLeaving || this.#watched.get(watched.stored.address) !== watched) return result;
    if (initiator === 'app' && watched.stored.paused) return result;
    const { sync } = this.#deps;
    // For others, the service currently cannot answer.
    for (const { chainId } of watched.chains.list.filter(({ status }) => status !== 'UNAVAILABLE')) {
      const ref = { address: watched.stored.address, chainId, list: 'transactions' } as const;
      // Refreshing the chains must not restart what the user has stopped.
      if (!sync.status(ref).stoppedByUser) sync.start(ref, initiator);
      // The other lists are fetched only with everything; only interrupted ones go on by themselves.
      for (const list of otherLists)
        if (sync.isUnfinished({ ...ref, list })) sync.start({ ...ref, list }, 'app');
    }
    return result;
  }

  async #loadChains(watched: Watched, isUrgent: boolean): Promise<Result<null>> {
    const { chains, retry } = watched;
    // The caller of a request that is under way handles the result; otherwise this is the next try.
    if (chains.isLoading) return await chains.load(isUrgent);
    retry.cancel();
    const result = await chains.load(isUrgent);
    if (result.ok) retry.succeeded();
    else retry.failed(result.error, () => void this.#refresh(watched, 'app', true));
    this.#publishSoon();
    return result;
  }

  async #loaded(all: readonly StoredAddress[]): Promise<Watched[]> {
    const loaded: Watched[] = [];
    for (const stored of all) {
      const watched = this.#newlyWatched(stored);
      const chains = await this.#deps.store.readChains(stored.address);
      if (chains !== null && !watched.chains.take(chains)) this.#deps.log.warn('chains.unreadable');
      loaded.push(watched);
    }
    return loaded;
  }

  #view({ stored, chains, retry }: Watched): WatchedAddress {
    return {
      ...stored,
      chains: viewsOfChains(stored.address, chains, this.#deps.sync),
      unindexedChainIds: chains.unindexedIds,
      chainsFetchedAtMs: chains.fetchedAtMs,
      chainsLoading: chains.isLoading,
      chainsError: retry.timed(chains.error),
    };
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
      changed: () => this.#publishSoon(),
    });
    return { stored, chains, retry: new RetryLater({ clock, timers }), isLeaving: false };
  }

  #find(address: string): Watched {
    return this.#watched.get(spellAddress(address)) ?? notWatched();
  }

  /** The chains of many addresses are published together: each publishes the whole list. */
  #publishSoon(): void {
    const { clock, timers } = this.#deps;
    const waitMs = this.#publishedAtMs + publishAtMostEveryMs - clock.monotonicMs();
    if (waitMs <= 0) this.#publish();
    else this.#cancelPublish ??= timers.after(waitMs, () => this.#publish());
  }

  #publish(): void {
    this.#cancelPublish?.();
    this.#cancelPublish = null;
    this.#publishedAtMs = this.#deps.clock.monotonicMs();
    this.#deps.emit('watchlist.changed', this.views());
  }
}

function notWatched(): never {
  return refuse('You aren’t watching this address.');
}
