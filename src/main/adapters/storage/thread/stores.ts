import type { Timers } from '../../../core/ports.ts';
import { ActivityState, readContext } from '../activity/activity-state.ts';
import { createActivityStore } from '../activity/activity.ts';
import { createAlertStore } from '../alerts/alerts.ts';
import { createAnswerStore } from '../explore/answers.ts';
import { createBookStore } from '../activity/book.ts';
import { createHealthStore } from '../health/health.ts';
import { createRunStore } from '../explore/runs.ts';
import type { SqlDatabase } from '../sqlite/sql.ts';
import { createWatchlistStore } from '../activity/watchlist.ts';

/** All stores over one database, which must have the latest layout. */
export function createSqlStores(database: SqlDatabase, timers: Timers) {
  const activity = new ActivityState(database, timers);
  return {
    alerts: createAlertStore(database),
    answers: createAnswerStore(database),
    watchlist: createWatchlistStore(activity),
    book: createBookStore(activity),
    activity: createActivityStore(activity),
    health: createHealthStore(database),
    runs: createRunStore(database),
    /** Aborts work that is done in slices; call before closing the database. */
    stop: () => activity.stop(),
  };
}

/** Reads what the app, or all that is stored of a service, does not open without. */
export function readForStart(database: SqlDatabase, timers: Timers): void {
  const activity = new ActivityState(database, timers);
  const watchlist = createWatchlistStore(activity);
  createHealthStore(database).listNodes();
  for (const { address } of watchlist.list()) watchlist.readChains(address);
  createActivityStore(activity).listSyncs();
  readContext(database);
}
