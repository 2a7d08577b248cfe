import type { ActivityStore } from '../../activity-ports.ts';
import type { Log, Timers } from '../../ports.ts';

/** Long enough for the window to show the newest rows, which need no preparation. */
const afterMs = 3_000;

/** Prepares the store for filters and distant positions soon after the start, before somebody waits for them. */
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
      // Closing the store in the meantime aborts the preparation.
      if (!isCancelled) log.error('activity.prepare-failed', cause);
    });
  });
  return () => {
    isCancelled = true;
    cancel();
  };
}
