import { createFakeTime } from '../../health/testing/fake-ports.ts';
import { SyncService, type SyncChange } from '../sync-service.ts';
import { WatchlistService } from '../watchlist-service.ts';
import { createTestClient, silentLog } from './house.ts';
import { createMemoryStores, type MemoryStores } from './memory-stores.ts';
import { createPagingService, type PagingServiceOptions } from './paging-service.ts';

/** A watchlist with everything below it, on a made-up service; the same stores again are a restart. */
export function buildWatchHouse(
  options: PagingServiceOptions = {},
  stores: MemoryStores = createMemoryStores(),
  time = createFakeTime(),
) {
  const paging = createPagingService(options);
  const service = createTestClient(paging.client, time);
  const deps = { service, clock: time.clock, timers: time.timers, log: silentLog };
  const sync = new SyncService({ ...deps, store: stores.activity });
  const watchlist = new WatchlistService({ ...deps, store: stores.watchlist, sync });
  const changes: SyncChange[] = [];
  sync.onChange((change) => changes.push(change));
  /** Lets everything come to rest that needs no time to pass. */
  const rest = async () => {
    for (let turn = 0; turn < 20; turn += 1) await time.settle();
  };
  return { time, paging, stores, service, sync, watchlist, changes, rest };
}
