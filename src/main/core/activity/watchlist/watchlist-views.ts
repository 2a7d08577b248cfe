import type { NativeToken } from '../../../../shared/activity/legs.ts';
import type { WatchedAddress, WatchedChain } from '../../../../shared/activity/types.ts';
import { knownDecimals } from '../../../../shared/amounts.ts';
import type { ChainRecord } from '../../../../shared/endpoints/records.ts';
import { cleanText } from '../../../../shared/text.ts';

/** What the sync service and the watchlist know of a chain of an address. */
export type ChainSyncs = Pick<WatchedChain, 'sync' | 'otherLists' | 'newSinceMs'>;

/** Letters of the name of a chain: it stands in many places; the answer of the service, in Explore, has all of it. */
const longestName = 100;

/** A chain of a watched address as the window shows it; of one that the service no longer lists only the id is known. */
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

/** What a chain record says of the chain's own token. */
export function nativeOf(chain: ChainRecord | null): NativeToken {
  const token = chain?.networkToken;
  return { symbol: token?.symbol ?? null, decimals: knownDecimals(token?.decimals) };
}

/** When the service last told something that is still stored. */
export function newestStoredAnswerMs(watchlist: readonly WatchedAddress[]): number | null {
  const times = watchlist.flatMap(({ chainsFetchedAtMs, chains }) => [
    chainsFetchedAtMs,
    ...chains.map(({ sync }) => sync.checkedAtMs),
  ]);
  return times.reduce((newest, time) => (time !== null && time > (newest ?? 0) ? time : newest), null);
}
