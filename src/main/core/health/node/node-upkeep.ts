import type { HealthSettings } from '../../../../shared/settings.ts';
import type { HealthStore, StoredPoll } from '../../health-ports.ts';
import type { Clock, Log, Timers } from '../../ports.ts';
import { startSureTime, sureTime, type SureTime } from './sure-time.ts';

const firstAfterMs = 30_000;
const everyMs = 3_600_000;
/** Between two slices the store answers whoever waits. */
const pauseMs = 50;
/** A report is stored as it came and once more in the messages of its runs. */
const copies = 2;
/** This share of the room of a node may be stored before the limits are applied again. */
const storedShare = 0.1;
const dayMs = 86_400_000;
const bytesPerMegabyte = 1_000_000;

/**
 * Keeps the history within the limits of the settings: calls `maintain` of the store in slices, an hour after it last had
 * nothing to do.
 */
export function createNodeUpkeep(ports: {
  store: Pick<HealthStore, 'maintain'>;
  clock: Clock;
  timers: Timers;
  log: Log;
  limits: () => Pick<HealthSettings, 'keepDays' | 'keepMegabytesPerNode'>;
}) {
  const { store, clock, timers, log, limits } = ports;
  let cancel: (() => void) | null = null;
  let running: Promise<void> | null = null;
  let isStopped = true;
  let changesOfLimits = 0;
  let storedBytes = 0;
  let sure: SureTime = startSureTime(null, readClocks());

  function readClocks() {
    return { nowMs: clock.nowMs(), steadyMs: clock.monotonicMs() };
  }

  function plan(afterMs: number): void {
    cancel?.();
    cancel = timers.after(afterMs, () => {
      running = slice();
    });
  }

  async function slice(): Promise<void> {
    let hasMore = false;
    const changesBefore = changesOfLimits;
    storedBytes = 0;
    try {
      const { keepDays, keepMegabytesPerNode } = limits();
      sure = sureTime(sure, readClocks());
      const { sureMs, last } = sure;
      hasMore = await store.maintain({
        nowMs: last.nowMs,
        // Days that the clock may only have been set ahead by are kept as well.
        keepDays: keepDays + Math.floor(last.nowMs / dayMs) - Math.floor(sureMs / dayMs),
        keepBytesPerNode: keepMegabytesPerNode * bytesPerMegabyte,
      });
    } catch (error) {
      log.error('node.maintain', error);
    }
    running = null;
    if (!isStopped) plan(hasMore || changesOfLimits !== changesBefore ? pauseMs : everyMs);
  }

  return {
    /** `seenMs`: time of the last poll that an earlier start has stored; null without one. */
    start(seenMs: number | null): void {
      isStopped = false;
      sure = startSureTime(seenMs, readClocks());
      plan(firstAfterMs);
    },
    /** The limits have changed: they are applied at once. */
    limitsChanged(): void {
      changesOfLimits += 1;
      // A slice under way plans the next one by itself.
      if (!isStopped && running === null) plan(0);
    },
    /** A poll was stored. Where polls are large, what they take too much is not left for an hour. */
    recorded({ reportJson }: Pick<StoredPoll, 'reportJson'>): void {
      storedBytes += copies * (reportJson?.length ?? 0);
      if (storedBytes < storedShare * limits().keepMegabytesPerNode * bytesPerMegabyte) return;
      if (!isStopped && running === null) plan(0);
    },
    /** Ends when nothing is under way. */
    async stop(): Promise<void> {
      isStopped = true;
      cancel?.();
      await running;
    },
  };
}
