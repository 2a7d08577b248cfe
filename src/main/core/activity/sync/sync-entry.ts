import type { ChainSync, SyncWhat } from '../../../../shared/activity/types.ts';
import type { AppError, Result } from '../../../../shared/errors.ts';
import type { ListRef, StoredSync } from '../../activity-ports.ts';
import type { Blocks } from '../../../../shared/activity/blocks.ts';
import type { RetryLater } from './retry-later.ts';

/** Who wants it: the user is served first, and always gets the newest end checked. */
export type SyncInitiator = 'user' | 'app';

/** One list of one address on one chain, and what is being done about it. */
export interface Entry {
  ref: ListRef;
  stored: StoredSync | null;
  state: ChainSync['state'];
  stoppedByUser: boolean;
  pagesFetched: number;
  error: AppError | null;
  run: Run | null;
  /** What the last run was to do: a further attempt is at the same. */
  what: SyncWhat;
  /** The user has asked for it and did not get it: whoever starts the next run does so for the user. */
  isOwed: boolean;
  retry: RetryLater;
}

/** A run that is under way or waits for its turn. */
export interface Run {
  initiator: SyncInitiator;
  what: SyncWhat;
  /** Only these blocks, proven or not (`askAgain`); the run's end is its caller's affair. */
  again: Blocks | null;
  /** The newest end was seen so lately that the app does not look at it again. */
  skipsHead: boolean;
  /** Asked for while the run was under way with less: done when it has ended. */
  next: SyncWhat | null;
  abort: AbortController;
  ended: Promise<Result<null>>;
}

export function keyOf({ address, chainId, list }: ListRef): string {
  return `${chainId} ${address} ${list}`;
}

/** Nothing is missing between the newest and the first element of the list. */
export function isComplete(stored: StoredSync | null): boolean {
  return stored !== null && stored.reachedStart && stored.covered.length <= 1;
}

/** The state of a list that nothing is being done about. */
export function restingState({ stored, stoppedByUser }: Entry): ChainSync['state'] {
  if (isComplete(stored)) return 'complete';
  return stored === null && !stoppedByUser ? 'never' : 'stopped';
}

export function viewOf(entry: Entry | undefined): ChainSync {
  const stored = entry?.stored ?? null;
  return {
    state: entry?.state ?? 'never',
    rowCount: stored?.rowCount ?? 0,
    pagesFetched: entry?.pagesFetched ?? 0,
    covered: stored?.covered ?? [],
    reachedStart: isComplete(stored),
    newestTimestampMs: stored?.newestTimestampMs ?? null,
    oldestTimestampMs: stored?.oldestTimestampMs ?? null,
    checkedAtMs: stored?.checkedAtMs ?? null,
    error: entry?.error ?? null,
    stoppedByUser: entry?.stoppedByUser ?? false,
  };
}
