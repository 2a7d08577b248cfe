import type { ActivityStore } from '../../activity-ports.ts';
import type { Log, Timers } from '../../ports.ts';

/** Long enough for the window to have shown the newest rows, for which the store needs nothing prepared. */
const afterMs = 3_000;

/** Has the store prepare itself for filters and far places soon after the start, before someone waits for it. */
export function prepareLater({
  store,
  timers,
  log,
}: {
  store: Pick<ActivityStore, 'prepare'>;
  timers: Timers;
  log: Log;
}): () => void {
  let isCancelled = false;
  const cancel = timers.after(afterMs, () => {
    store.prepare().catch((cause: unknown) => {
      // A store that is closed meanwhile ends what it was at.
      if (!isCancelled) log.error('activity.prepare-failed', cause);
    });
  });
  return () => {
    isCancelled = true;
    cancel();
  };
}
