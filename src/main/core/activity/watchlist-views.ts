import type { ChainSync, WatchedChain } from '../../../shared/activity/types.ts';
import { knownDecimals } from '../../../shared/amounts.ts';
import type { ChainRecord } from '../../../shared/endpoints/records.ts';

/** A chain of a watched address as the window shows it. */
export function viewOfChain(chain: ChainRecord, sync: ChainSync): WatchedChain {
  return {
    chainId: chain.chainId,
    name: chain.chainName ?? `Chain ${chain.chainId}`,
    isTestnet: chain.isTestnet ?? false,
    status: chain.status ?? null,
    nativeSymbol: chain.networkToken?.symbol ?? null,
    nativeDecimals: knownDecimals(chain.networkToken?.decimals),
    explorerUrl: chain.explorerUrl ?? null,
    sync,
  };
}

/** A chain of which history is stored although the service no longer lists it. */
export function viewOfUnlistedChain(chainId: string, sync: ChainSync): WatchedChain {
  return {
    chainId,
    name: `Chain ${chainId}`,
    isTestnet: false,
    status: null,
    nativeSymbol: null,
    nativeDecimals: null,
    explorerUrl: null,
    sync,
  };
}
