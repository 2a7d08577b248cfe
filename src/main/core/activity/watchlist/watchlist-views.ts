import type { NativeToken } from '../../../../shared/activity/legs.ts';
import type { WatchedAddress, WatchedChain } from '../../../../shared/activity/types.ts';
import { knownDecimals } from '../../../../shared/amounts.ts';
import type { ChainRecord } from '../../../../shared/endpoints/records.ts';
import { cleanText } from '../../../../shared/text.ts';

/** The state of a chain of an address, from the sync service and the watchlist. */
export type ChainSyncs = Pick<WatchedChain, 'sync' | 'otherLists' | 'newSinceMs'>;

/** The name is shown in many places, so it is cut; Explore shows the service's full answer. */
const longestName = 100;

/** Converts a chain of a watched address for the window; if the service no longer lists it, only its id is known. */
export function viewOfChain(chain: ChainRecord, syncs: ChainSyncs): WatchedChain {
  const native = nativeOf(chain);
  return {
    chainId: chain.chainId,
    blockchainId: chain.platformChainId ?? null,
    name: cleanText(chain.chainName ?? `Chain ${chain.chainId}`, longestName),
    isTestnet: chain.isTestnet ?? false,
    status: chain.status ?? null,
    nativeSymbol: native.symbol,
    nativeDecimals: native.decimals,
    explorerUrl: chain.explorerUrl ?? null,
    ...syncs,
  };
}

/** The native token according to a chain record. */
export function nativeOf(chain: ChainRecord | null): NativeToken {
  const token = chain?.networkToken;
  return { symbol: token?.symbol ?? null, decimals: knownDecimals(token?.decimals) };
}

/** When the service last answered something that is still stored. */
export function newestStoredAnswerMs(watchlist: readonly WatchedAddress[]): number | null {
  const times = watchlist.flatMap(({ chainsFetchedAtMs, chains }) => [
    chainsFetchedAtMs,
    ...chains.map(({ sync }) => sync.checkedAtMs),
  ]);
  return times.reduce((newest, time) => (time !== null && time > (newest ?? 0) ? time : newest), null);
}
