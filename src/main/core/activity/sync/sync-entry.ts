import type { ChainSync, SyncWhat } from '../../../../shared/activity/types.ts';
import type { AppError, Result } from '../../../../shared/errors.ts';
import type { ListRef, StoredSync } from '../../activity-ports.ts';
import type { Blocks } from '../../../../shared/activity/blocks.ts';
import { isYounger } from '../../age.ts';
import type { RetryLater } from './retry-later.ts';

/** Who started it: the user's runs go first and always check the newest end. */
export type SyncInitiator = 'user' | 'app';

/** One list of one address on one chain, and the state of its sync. */
export interface Entry {
  ref: ListRef;
  stored: StoredSync | null;
  state: ChainSync['state'];
  stoppedByUser: boolean;
  pagesFetched: number;
  error: AppError | null;
  run: Run | null;
  /** What the last run had to do; a retry does the same. */
  what: SyncWhat;
  /** What the user asked for and has not got yet, so that the next run counts as the user's, whoever starts it. */
  owed: SyncWhat | null;
  retry: RetryLater;
}

/** A run that is under way or queued. */
export interface Run {
  initiator: SyncInitiator;
  what: SyncWhat;
  /** Fetch only these blocks, proven or not (`askAgain`); the caller handles the result. */
  again: Blocks | null;
  /** The app's run does not check the newest end, as that was done recently. */
  skipsHead: boolean;
  /** What to do after this run, when more was asked for in the meantime. */
  next: SyncWhat | null;
  abort: AbortController;
  ended: Promise<Result<null>>;
}

/** The app does not check the newest end again within this time; shorter than the user's shortest interval. */
export const headFreshForMs = 45_000;

export const isHeadFresh = ({ stored }: Entry, nowMs: number): boolean =>
  isYounger(stored?.checkedAtMs ?? null, nowMs, headFreshForMs);

export const keyOf = ({ address, chainId, list }: ListRef): string => `${chainId} ${address} ${list}`;

/** Whether no blocks are missing between the newest and the first element. */
export const isComplete = (stored: StoredSync | null): boolean =>
  stored !== null && stored.reachedStart && stored.covered.length <= 1;

/** Whether anything of the list is stored; the user's wish alone is not. */
const isBegun = (stored: StoredSync | null): boolean =>
  stored !== null && (stored.rowCount > 0 || stored.covered.length > 0);

/** Whether the app goes on with it by itself: it was interrupted, or the user waits for it. */
export const isUnfinished = ({ stored, owed }: Entry): boolean =>
  owed !== null || (isBegun(stored) && !isComplete(stored));

/** The state of a list without a run. */
export function restingState({ stored, stoppedByUser }: Entry): ChainSync['state'] {
  if (isComplete(stored)) return 'complete';
  return isBegun(stored) || stoppedByUser ? 'stopped' : 'never';
}

/** A list of which nothing is known. */
export const untouched = {
  ...{ stored: null, state: 'never', stoppedByUser: false, pagesFetched: 0, error: null },
  ...{ run: null, what: 'all', owed: null },
} satisfies Omit<Entry, 'ref' | 'retry'>;

type Viewed = Pick<Entry, 'stored' | 'state' | 'pagesFetched' | 'error' | 'stoppedByUser'>;

export function viewOf({ stored, state, pagesFetched, error, stoppedByUser }: Viewed = untouched): ChainSync {
  return {
    ...{ state, pagesFetched, error, stoppedByUser },
    rowCount: stored?.rowCount ?? 0,
    covered: stored?.covered ?? [],
    reachedStart: isComplete(stored),
    newestTimestampMs: stored?.newestTimestampMs ?? null,
    oldestTimestampMs: stored?.oldestTimestampMs ?? null,
    checkedAtMs: stored?.checkedAtMs ?? null,
  };
}
