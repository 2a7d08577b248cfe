import type { NativeToken } from '../../../../shared/activity/legs.ts';
import { otherLists, type WatchedAddress, type WatchedChain } from '../../../../shared/activity/types.ts';
import { knownDecimals } from '../../../../shared/amounts.ts';
import type { ChainRecord } from '../../../../shared/endpoints/records.ts';
import { cleanText } from '../../../../shared/text.ts';
import type { SyncService } from '../sync/sync-service.ts';
import type { AddressChains } from './address-chains.ts';

/** The name is shown in many places, so it is cut; Explore shows the service's full answer. */
const longestName = 100;

/** The chains that the service lists for an address, and others that have stored history. */
export function viewsOfChains(address: string, chains: AddressChains, sync: SyncService): WatchedChain[] {
  const listed = new Set(chains.list.map(({ chainId }) => chainId));
  // Of one that the service no longer lists, only the id is known.
  const unlisted = sync.knownChains(address).filter((chainId) => !listed.has(chainId));
  const all = [...chains.list, ...unlisted.map((chainId): ChainRecord => ({ chainId }))];
  return all.map((chain) => ({
    chainId: chain.chainId,
    blockchainId: chain.platformChainId ?? null,
    name: cleanText(chain.chainName ?? `Chain ${chain.chainId}`, longestName),
    isTestnet: chain.isTestnet ?? false,
    status: chain.status ?? null,
    nativeSymbol: nativeOf(chain).symbol,
    nativeDecimals: nativeOf(chain).decimals,
    explorerUrl: chain.explorerUrl ?? null,
    sync: sync.status({ address, chainId: chain.chainId, list: 'transactions' }),
    otherLists: otherLists.map((list) => ({
      list,
      sync: sync.status({ address, chainId: chain.chainId, list }),
    })),
    newSinceMs: chains.newSinceMs(chain.chainId),
  }));
}

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
