import type { WatchedChain } from '../../../../shared/activity/types.ts';
import type { TransactionDetail } from '../../../../shared/endpoints/records.ts';

/** What fees and native amounts are counted in; null where nobody said. */
export interface NativeToken {
  symbol: string | null;
  decimals: number | null;
}

/** From the transaction itself when it is complete, else from its chain. */
export function nativeTokenOf(transaction: TransactionDetail, chain: WatchedChain | null): NativeToken {
  const token = transaction.networkTokenDetails?.networkToken;
  return {
    symbol: token?.symbol ?? chain?.nativeSymbol ?? null,
    decimals: token?.decimals ?? chain?.nativeDecimals ?? null,
  };
}
