import type { HealthSettings } from '../../../../shared/settings.ts';
import { dayMs, hourMs } from '../../../../shared/time.ts';
import type { HealthStore, StoredPoll } from '../../health-ports.ts';
import type { Clock, Log, Timers } from '../../ports.ts';
import { startSureTime, sureTime, type SureTime } from './sure-time.ts';

const firstAfterMs = 30_000;
/** Pause between two slices, in which the store can answer others. */
const pauseMs = 50;
/** A report is stored as such and again in the messages of its runs. */
const copies = 2;
/** What a failure takes, with its errors. */
const episodeBytes = 400;
/** Stored since the last slice, as a share of a node's limit, that triggers the next slice early. */
const storedShare = 0.1;
const bytesPerMegabyte = 1_000_000;

/** Keeps the stored history within its limits: `maintain` in slices until all is done, and every hour. */
export function createNodeUpkeep(ports: {
  store: Pick<HealthStore, 'maintain'>;
  clock: Clock;
  timers: Timers;
  log: Log;
  limits: () => Pick<HealthSettings, 'keepDays' | 'keepMegabytesPerNode' | 'recoverAfter'>;
  /** Nothing is left to do after something was done: what was read of the past may be gone. */
  onDone: () => void;
}) {
  const { store, clock, timers, log, limits, onDone } = ports;
  let cancel: (() => void) | null = null;
  let running: Promise<void> | null = null;
  let isStopped = true;
  let changesOfLimits = 0;
  let storedBytes = 0;
  let hasDone = false;
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
      const { keepDays, keepMegabytesPerNode, recoverAfter } = limits();
      sure = sureTime(sure, readClocks());
      const { sureMs, last } = sure;
      hasMore = await store.maintain({
        nowMs: last.nowMs,
        // Also keep days that may only seem over because the clock was set ahead.
        keepDays: keepDays + Math.floor(last.nowMs / dayMs) - Math.floor(sureMs / dayMs),
        keepBytesPerNode: keepMegabytesPerNode * bytesPerMegabyte,
        recoverAfter,
      });
    } catch (error) {
      log.error('node.maintain', error);
    }
    running = null;
    if (hasDone && !hasMore) onDone();
    hasDone = hasMore;
    if (!isStopped) plan(hasMore || changesOfLimits !== changesBefore ? pauseMs : hourMs);
  }

  return {
    /** `seenMs` as in `startSureTime`. */
    start(seenMs: number | null): void {
      isStopped = false;
      sure = startSureTime(seenMs, readClocks());
      plan(firstAfterMs);
    },
    limitsChanged(): void {
      changesOfLimits += 1;
      // A slice under way plans the next one itself.
      if (!isStopped && running === null) plan(0);
    },
    /** Call for each stored poll; large reports trigger upkeep before the hour is over. */
    recorded({ reportJson, episodes }: Pick<StoredPoll, 'reportJson' | 'episodes'>): void {
      storedBytes += copies * (reportJson?.length ?? 0) + episodes.length * episodeBytes;
      if (storedBytes < storedShare * limits().keepMegabytesPerNode * bytesPerMegabyte) return;
      if (!isStopped && running === null) plan(0);
    },
    /** Resolves when no slice is under way. */
    async stop(): Promise<void> {
      isStopped = true;
      cancel?.();
      await running;
    },
  };
}
