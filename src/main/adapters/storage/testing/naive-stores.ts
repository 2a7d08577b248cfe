import type { ServedStores, StorePorts } from '../store-ports.ts';
import { portsInProcess } from './memory-stores.ts';
import { NaiveActivity, NaiveBookStore, NaiveWatchlistStore } from './naive-activity.ts';
import { NaiveHealthStore } from './naive-health.ts';
import { NaiveActivityStore } from './naive-rows.ts';

/** Stores without SQLite, which answer the slow and plain way; they have only what properties of the real ones ask. */
export function createNaiveStores(): StorePorts {
  const kept = new NaiveActivity();
  const stores = {
    watchlist: new NaiveWatchlistStore(kept),
    book: new NaiveBookStore(kept),
    activity: new NaiveActivityStore(kept),
    health: new NaiveHealthStore(),
  };
  // Whatever else is called fails with `no method`.
  return portsInProcess(stores as unknown as ServedStores);
}
