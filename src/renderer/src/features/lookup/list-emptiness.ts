import type { AppError } from '../../../../shared/errors.ts';

/** Why a list of the service is empty. */
export type ListEmptiness = 'none' | 'unread' | 'not-indexed' | 'unknown' | 'offline' | 'failed';

interface ListFacts {
  count: number;
  loaded: boolean;
  atEnd: boolean;
  error: AppError | null;
  /** Elements that could not be read were left out. */
  isLeftOut: boolean;
  /** The service has said elsewhere that it does not index the chain. */
  isUnindexed: boolean;
}

/** Null where there is something to show, or the answer is still awaited. Waiting for a rate limit counts as failed. */
export function listEmptiness(facts: ListFacts): ListEmptiness | null {
  const { count, loaded, atEnd, error, isLeftOut, isUnindexed } = facts;
  if (count > 0) return null;
  if (loaded) {
    // An empty page proves nothing while another page follows.
    if (!atEnd) return null;
    if (isLeftOut) return 'unread';
    return isUnindexed ? 'not-indexed' : 'none';
  }
  if (error === null) return null;
  if (error.code === 'unreachable') return 'offline';
  if (error.code === 'not-found') return isUnindexed ? 'not-indexed' : 'unknown';
  return 'failed';
}
