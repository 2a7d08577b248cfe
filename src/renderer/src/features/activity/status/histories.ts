import type { ActivityFilter } from '../../../../../shared/activity/filter.ts';
import type { WatchedAddress, WatchedChain } from '../../../../../shared/activity/types.ts';
import { call } from '../../../bridge.ts';
import { concernsHistory } from '../../../state/filter-choice.ts';
import type { Messages } from '../../../state/messages.svelte.ts';

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

/** Fetches what is newer of each, until one fails; that is told. */
export async function fetchNewer(
  messages: Messages,
  scopes: readonly { address: string; chainId: string }[],
): Promise<void> {
  for (const scope of scopes) {
    if ((await messages.report(call('activity.sync', { scope, what: 'newer' }))) === null) return;
  }
}
