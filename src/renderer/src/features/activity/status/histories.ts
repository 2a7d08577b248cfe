import type { ActivityFilter } from '../../../../../shared/activity/filter.ts';
import type { WatchedAddress, WatchedChain } from '../../../../../shared/activity/types.ts';
import { concernsHistory } from '../../../state/filter-choice.ts';

/** The history of one address on one chain. */
export interface History {
  address: string;
  label: string | null;
  chain: WatchedChain;
}

/** The histories that rows which pass the filter can come from, in the order of the watchlist. */
export function historiesIn(watchlist: readonly WatchedAddress[], filter: ActivityFilter): History[] {
  return watchlist.flatMap(({ address, label, chains }) =>
    chains
      .filter((chain) => concernsHistory(filter, address, chain.chainId))
      .map((chain) => ({ address, label, chain })),
  );
}
