import { SqlActivityStore } from './activity.ts';
import { SqlAnswerStore } from './answers.ts';
import { SqlHealthStore } from './health.ts';
import { SqlRunStore } from './runs.ts';
import type { SqlDatabase } from './sql.ts';
import type { SynchronousStores } from './store-ports.ts';
import { SqlWatchlistStore } from './watchlist.ts';

/** All stores over one database, whose layout must be the newest. */
export function createSqlStores(database: SqlDatabase): SynchronousStores {
  return {
    answers: new SqlAnswerStore(database),
    watchlist: new SqlWatchlistStore(database),
    activity: new SqlActivityStore(database),
    health: new SqlHealthStore(database),
    runs: new SqlRunStore(database),
  };
}
