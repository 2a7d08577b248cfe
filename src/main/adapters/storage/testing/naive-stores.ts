import type { ServedStores, StorePorts } from '../store-ports.ts';
import { portsInProcess } from './memory-stores.ts';
import { NaiveActivity, NaiveBookStore, NaiveWatchlistStore } from './naive-activity.ts';
import { NaiveHealthStore } from './naive-health.ts';
import { NaiveActivityStore } from './naive-rows.ts';

/** Simple, slow stores without SQLite; they only have the methods that property tests of the real ones use. */
export function createNaiveStores(): StorePorts {
  const kept = new NaiveActivity();
  const stores = {
    watchlist: new NaiveWatchlistStore(kept),
    book: new NaiveBookStore(kept),
    activity: new NaiveActivityStore(kept),
    health: new NaiveHealthStore(),
  };
  // Any other call fails with `no method`.
  return portsInProcess(stores as unknown as ServedStores);
}
