import { ActivityState } from '../activity/activity-state.ts';
import { SqlActivityStore } from '../activity/activity.ts';
import { SqlAnswerStore } from '../explore/answers.ts';
import { SqlBookStore } from '../activity/book.ts';
import { SqlHealthStore } from '../health/health.ts';
import { SqlRunStore } from '../explore/runs.ts';
import type { SqlDatabase } from '../sqlite/sql.ts';
import { SqlWatchlistStore } from '../activity/watchlist.ts';

/** All stores over one database, whose layout must be the newest. */
export function createSqlStores(database: SqlDatabase) {
  const activity = new ActivityState(database);
  return {
    answers: new SqlAnswerStore(database),
    watchlist: new SqlWatchlistStore(activity),
    book: new SqlBookStore(activity),
    activity: new SqlActivityStore(activity),
    health: new SqlHealthStore(database),
    runs: new SqlRunStore(database),
    /** Ends what is done in slices, before the database is closed. */
    stop: () => activity.stop(),
  };
}
