import type { NativeToken } from '../../../../shared/activity/legs.ts';
import type { ActivityFilter } from '../../../../shared/activity/filter.ts';
import type { EventContract } from '../../../../shared/ipc/contract.ts';
import { createFakeRandom, createFakeTime } from '../../health/testing/fake-ports.ts';
import { ActivityRowsService } from '../completion/activity-rows.ts';
import { CompletionService } from '../completion/completion-service.ts';
import type { KeptCompletion } from '../completion/kept-completion.ts';
import type { PlanLimits } from '../sync/plan.ts';
import { SyncService } from '../sync/sync-service.ts';
import { WatchlistService } from '../watchlist/watchlist-service.ts';
import { asResults } from '../../testing/as-results.ts';
import { createTestClient, silentLog } from './harness.ts';
import { createPagingService, type PagingServiceOptions } from './paging-service.ts';
import { createTestStores, type TestStores } from './test-stores.ts';
import { createFakeEvents } from '../../testing/fake-events.ts';

const noLimits: PlanLimits = {
  share: {
    remainingThisMinute: null,
    limitPerMinute: null,
    remainingToday: null,
    limitPerDay: null,
    heldUntilMs: null,
  },
  callUnits: 20,
};

function keptInMemory(): KeptCompletion {
  let kept: ActivityFilter | null = null;
  return {
    read: () => kept,
    write: (filter) => {
      kept = filter;
    },
  };
}

/** A watchlist with all services below it and a fake service; passing the same stores again simulates a restart. */
export function buildWatchHarness(
  options: PagingServiceOptions = {},
  stores: TestStores = createTestStores(),
  time = createFakeTime(),
  kept = keptInMemory(),
) {
  const paging = createPagingService(options);
  const life = new AbortController();
  const service = createTestClient(paging.client, time, life.signal);
  const native = (chainId: string): NativeToken => watchlist.native(chainId);
  const events = createFakeEvents();
  const { emit } = events;
  const deps = { service, clock: time.clock, timers: time.timers, log: silentLog, native, emit };
  const activity = { ...deps, store: stores.activity };
  const sync = new SyncService({
    ...{ ...activity, random: createFakeRandom(), life: life.signal },
    mayFetch: (address, initiator) => watchlist.mayFetch(address, initiator),
  });
  const watchlist = new WatchlistService({ ...deps, store: stores.watchlist, sync, limits: () => noLimits });
  const rows = new ActivityRowsService({ ...activity, sync, answers: stores.answers });
  const completion = new CompletionService({ ...activity, rows, sync, kept });
  const changes: EventContract['activity.changed'][] = [];
  events.on('activity.changed', (change) => changes.push(change));
  /** Waits for everything that does not depend on time. */
  const rest = async () => {
    do {
      await stores.idle();
      await time.settle();
    } while (stores.isBusy());
  };
  return {
    kept,
    life,
    time,
    paging,
    stores,
    service,
    sync,
    events,
    /** For the services that use the watchlist. */
    list: watchlist,
    watchlist: asResults(watchlist),
    rows: asResults(rows),
    completion: asResults(completion),
    changes,
    rest,
  };
}
