import type { HealthSettings } from '../../../shared/settings.ts';
import type { HealthStore } from '../health-ports.ts';
import type { Clock, Log, Timers } from '../ports.ts';

const firstAfterMs = 30_000;
const everyMs = 3_600_000;
/** Between two slices the store answers whoever waits. */
const pauseMs = 50;
const bytesPerMegabyte = 1_000_000;

/** Keeps the history within the limits of the settings. */
export interface NodeUpkeep {
  start(): void;
  /** The limits have changed: they are applied at once. */
  limitsChanged(): void;
  /** Ends when nothing is under way. */
  stop(): Promise<void>;
}

/** Calls `maintain` of the store in slices, an hour after it last had nothing to do. */
export function createNodeUpkeep(ports: {
  store: Pick<HealthStore, 'maintain'>;
  clock: Clock;
  timers: Timers;
  log: Log;
  limits: () => Pick<HealthSettings, 'keepDays' | 'keepMegabytesPerNode'>;
}): NodeUpkeep {
  const { store, clock, timers, log, limits } = ports;
  let cancel: (() => void) | null = null;
  let running: Promise<void> | null = null;
  let isStopped = true;
  let changesOfLimits = 0;

  function plan(afterMs: number): void {
    cancel?.();
    cancel = timers.after(afterMs, () => {
      running = slice();
    });
  }

  async function slice(): Promise<void> {
    let hasMore = false;
    const changesBefore = changesOfLimits;
    try {
      const { keepDays, keepMegabytesPerNode } = limits();
      const keepBytesPerNode = keepMegabytesPerNode * bytesPerMegabyte;
      hasMore = await store.maintain({ nowMs: clock.nowMs(), keepDays, keepBytesPerNode });
    } catch (error) {
      log.error('node.maintain', error);
    }
    running = null;
    if (!isStopped) plan(hasMore || changesOfLimits !== changesBefore ? pauseMs : everyMs);
  }

  return {
    start() {
      isStopped = false;
      plan(firstAfterMs);
    },
    limitsChanged() {
      changesOfLimits += 1;
      // A slice under way plans the next one by itself.
      if (!isStopped && running === null) plan(0);
    },
    async stop() {
      isStopped = true;
      cancel?.();
      await running;
    },
  };
}
