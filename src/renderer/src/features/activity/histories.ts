import type { WatchedAddress, WatchedChain } from '../../../../shared/activity/types.ts';
import type { ActivityFilter } from '../../state/navigation.svelte.ts';

/** The history of one address on one chain. */
export interface History {
  address: string;
  label: string | null;
  chain: WatchedChain;
}

/** The histories that pass the filter, in the order of the watchlist. */
export function historiesIn(watchlist: readonly WatchedAddress[], filter: ActivityFilter): History[] {
  return watchlist
    .filter((entry) => filter.address === null || entry.address === filter.address)
    .flatMap(({ address, label, chains }) =>
      chains
        .filter((chain) => filter.chainId === null || chain.chainId === filter.chainId)
        .map((chain) => ({ address, label, chain })),
    );
}
