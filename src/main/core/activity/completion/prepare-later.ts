import type { ActivityStore } from '../../activity-ports.ts';
import type { Ports } from '../../ports.ts';

/** Long enough for the window to show the newest rows, which need no preparation. */
const afterMs = 3_000;

interface PreparationDeps extends Pick<Ports, 'timers' | 'log'> {
  store: Pick<ActivityStore, 'prepare'>;
}

/** Prepares the store for filters and distant positions soon after rows are shown, before somebody waits for them. */
export function createPreparation({ store, timers, log }: PreparationDeps): { soon(): void; stop(): void } {
  let isStopped = false;
  let cancel: (() => void) | null = null;
  const prepare = (): void => {
    store.prepare().catch((cause: unknown) => {
      // Closing the store in the meantime aborts the preparation.
      if (!isStopped) log.error('activity.prepare-failed', cause);
    });
  };
  return {
    soon() {
      if (!isStopped) cancel ??= timers.after(afterMs, prepare);
    },
    stop() {
      isStopped = true;
      cancel?.();
    },
  };
}
