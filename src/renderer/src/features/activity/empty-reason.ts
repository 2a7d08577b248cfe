import type { WatchedAddress, WatchedChain } from '../../../../shared/activity/types.ts';
import type { AppError } from '../../../../shared/errors.ts';
import type { ActivityFilter } from '../../state/navigation.svelte.ts';

/** One history that can be fetched. */
export interface HistoryRef {
  address: string;
  chainId: string;
}

/** Why no row is shown. Each is another fact, and asks for other words and another action. */
export type EmptyReason =
  | { kind: 'no-address' }
  | { kind: 'looking-for-chains' }
  | { kind: 'chains-unknown'; address: string; error: AppError | null }
  | { kind: 'not-indexed'; chainIds: string[] }
  | { kind: 'not-fetched'; histories: HistoryRef[] }
  | { kind: 'fetching' }
  | { kind: 'rate-limited'; error: Extract<AppError, { code: 'rate-limited' }>; histories: HistoryRef[] }
  | { kind: 'failed'; error: AppError; histories: HistoryRef[] }
  | { kind: 'filtered-out'; elsewhere: number }
  /** Without a chain the service knows of no activity at all; with chains all of their histories were fetched. */
  | { kind: 'no-transactions'; hasChains: boolean };

/** What an empty list means, given that the store has no row that passes the filter. */
export function emptyReason(watchlist: readonly WatchedAddress[], filter: ActivityFilter): EmptyReason {
  if (watchlist.length === 0) return { kind: 'no-address' };
  const scope = watchlist.filter((entry) => filter.address === null || entry.address === filter.address);
  const chains = scope.flatMap((entry) =>
    entry.chains
      .filter((chain) => filter.chainId === null || chain.chainId === filter.chainId)
      .map((chain) => ({ address: entry.address, chain })),
  );
  return chains.length > 0 ? reasonOfChains(chains) : reasonWithoutChains(watchlist, scope, filter);
}

function reasonOfChains(chains: readonly { address: string; chain: WatchedChain }[]): EmptyReason {
  const inState = (state: WatchedChain['sync']['state']) =>
    chains.filter(({ chain }) => chain.sync.state === state);
  const refs = (some: typeof chains): HistoryRef[] =>
    some.map(({ address, chain }) => ({ address, chainId: chain.chainId }));

  if (inState('running').length > 0) return { kind: 'fetching' };
  const failed = inState('failed');
  const waiting = failed.map(({ chain }) => chain.sync.error).find((error) => error?.code === 'rate-limited');
  if (waiting?.code === 'rate-limited') {
    return { kind: 'rate-limited', error: waiting, histories: refs(failed) };
  }
  const error = failed[0]?.chain.sync.error ?? null;
  if (error !== null) return { kind: 'failed', error, histories: refs(failed) };
  const unfetched = [...inState('never'), ...inState('stopped'), ...failed];
  if (unfetched.length > 0) return { kind: 'not-fetched', histories: refs(unfetched) };
  return { kind: 'no-transactions', hasChains: true };
}

function reasonWithoutChains(
  watchlist: readonly WatchedAddress[],
  scope: readonly WatchedAddress[],
  filter: ActivityFilter,
): EmptyReason {
  const unindexed = scope
    .flatMap((entry) => entry.unindexedChainIds)
    .filter((chainId) => filter.chainId === null || chainId === filter.chainId);
  if (unindexed.length > 0) return { kind: 'not-indexed', chainIds: [...new Set(unindexed)] };
  if (scope.some((entry) => entry.chainsLoading)) return { kind: 'looking-for-chains' };
  const unknown = scope.find((entry) => entry.chainsError !== null || entry.chainsFetchedAtMs === null);
  if (unknown !== undefined) {
    return { kind: 'chains-unknown', address: unknown.address, error: unknown.chainsError };
  }
  const elsewhere = watchlist
    .flatMap((entry) => entry.chains)
    .reduce((sum, chain) => sum + chain.sync.rowCount, 0);
  // An address without any chain has no history, whatever the others have.
  return filter.chainId !== null && elsewhere > 0
    ? { kind: 'filtered-out', elsewhere }
    : { kind: 'no-transactions', hasChains: false };
}
