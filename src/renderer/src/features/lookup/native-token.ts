import type { NativeToken } from '../../../../shared/activity/legs.ts';
import type { WatchedAddress } from '../../../../shared/activity/types.ts';

/** What watched addresses tell about the own token of a chain; nothing where none of them is on it. */
export function nativeTokenOf(watchlist: readonly WatchedAddress[], chainId: string | null): NativeToken {
  const chain = watchlist.flatMap(({ chains }) => chains).find((known) => known.chainId === chainId);
  return { symbol: chain?.nativeSymbol ?? null, decimals: chain?.nativeDecimals ?? null };
}
