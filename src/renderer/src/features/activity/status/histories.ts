import { concernsHistory, type ActivityFilter } from '../../../../../shared/activity/filter.ts';
import type { WatchedAddress, WatchedChain } from '../../../../../shared/activity/types.ts';
import { call } from '../../../bridge.ts';
import type { Messages } from '../../../state/messages.svelte.ts';

/** The history of one address on one chain. */
export interface History {
  address: string;
  chainId: string;
  chain: WatchedChain;
}

/** The histories that rows which pass the filter can come from, in the order of the watchlist. */
export function historiesIn(watchlist: readonly WatchedAddress[], filter: ActivityFilter): History[] {
  return watchlist.flatMap(({ address, chains }) =>
    chains
      .map((chain) => ({ address, chainId: chain.chainId, chain }))
      .filter(({ chainId }) => concernsHistory(filter, address, chainId)),
  );
}

/** Fetches the newer part of each, until one fails; that failure is shown. */
export async function fetchNewer(
  messages: Messages,
  histories: readonly Pick<History, 'address' | 'chainId'>[],
): Promise<void> {
  for (const { address, chainId } of histories) {
    const scope = { address, chainId };
    if ((await messages.report(call('activity.sync', { scope, what: 'newer' }))) === null) return;
  }
}
