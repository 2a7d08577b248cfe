import type { ChainSync } from '../../../../shared/activity/types.ts';
import { formatCount, formatPlural } from '../../ui/text/format.ts';
import type { Tone } from '../../ui/text/tone.ts';

/** A word and a shape for the state of the history on one chain. */
export interface SyncMark {
  tone: Tone;
  word: string;
}

export function syncMark(sync: ChainSync): SyncMark {
  switch (sync.state) {
    case 'never':
      return { tone: 'none', word: 'Not fetched' };
    case 'running':
      return { tone: 'running', word: 'Fetching' };
    case 'failed':
      return sync.error?.code === 'rate-limited'
        ? { tone: 'warn', word: 'Waiting' }
        : { tone: 'fail', word: 'Failed' };
    case 'stopped':
      return { tone: 'idle', word: 'Stopped' };
    case 'complete':
      return { tone: 'pass', word: 'Complete' };
  }
}

/** How much of the history is in the store, in words. */
export function coverageWords(sync: ChainSync): string {
  return sync.stoppedByUser
    ? `${provenWords(sync)}; stopped by you, so not checked for new activity`
    : provenWords(sync);
}

function provenWords(sync: ChainSync): string {
  if (sync.state === 'never') return 'not fetched yet';
  if (sync.reachedStart) {
    // The failed run was to fetch something newer than all that is stored.
    return sync.state === 'failed'
      ? 'list complete except for the newest transactions'
      : 'list complete back to the first transaction';
  }
  const [oldest] = sync.covered;
  if (oldest === undefined) return 'transactions may still be missing';
  const holes = sync.covered.length - 1;
  const missing = holes > 0 ? ` and has ${formatPlural(holes, 'gap')}` : '';
  return oldest.fromBlock === '0'
    ? `list reaches back to the first transaction${missing}`
    : `list lacks older transactions${missing}`;
}

/** The state of several histories together. */
export interface SyncSummary {
  running: number;
  whole: number;
  /** Stopped by the user, so they are not looked after. */
  stopped: number;
  total: number;
}

export function summarize(syncs: readonly ChainSync[]): SyncSummary {
  const count = (test: (sync: ChainSync) => boolean) => syncs.filter(test).length;
  return {
    running: count((sync) => sync.state === 'running'),
    whole: count((sync) => sync.reachedStart && sync.state !== 'failed'),
    stopped: count((sync) => sync.stoppedByUser),
    total: syncs.length,
  };
}

/** `fetching 1 of 3 histories…`: one line for all shown histories; empty without any. */
export function progressWords(summary: SyncSummary, only: ChainSync | null): string {
  if (summary.running > 0) {
    return summary.total > 1
      ? `fetching ${summary.running} of ${formatPlural(summary.total, 'history', 'histories')}…`
      : 'fetching…';
  }
  if (only !== null) return coverageWords(only);
  if (summary.total === 0) return '';
  if (summary.whole === summary.total) return 'list complete back to the first transaction';
  const stopped = summary.stopped === 0 ? '' : `, ${formatCount(summary.stopped)} stopped by you`;
  return `${formatCount(summary.whole)} of ${formatPlural(summary.total, 'history', 'histories')} complete${stopped}`;
}
