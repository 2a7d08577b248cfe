import { LookAlikes } from '../../../../shared/activity/look-alike.ts';
import type { BookService } from '../watchlist/book-service.ts';
import type { ExportNames } from './export-lines.ts';
import type { WatchlistService } from '../watchlist/watchlist-service.ts';

/**
 * Names of addresses and chains for an export, cached because every row needs them; `forget` must be called when the
 * watchlist or the book has changed.
 */
export function exportNames(
  watchlist: WatchlistService,
  book: BookService,
): ExportNames & { forget: () => void } {
  let names: Map<string, string> | null = null;
  let lookAlikes: LookAlikes | null = null;
  const collect = () =>
    new Map([
      ...book.list().map(({ address, name }): [string, string] => [address.toLowerCase(), name]),
      ...watchlist
        .views()
        .flatMap(({ address, label }): [string, string][] =>
          label === null ? [] : [[address.toLowerCase(), label]],
        ),
    ]);
  return {
    forget: () => {
      names = null;
      lookAlikes = null;
    },
    nameOf: (address) => (names ??= collect()).get(address.toLowerCase()) ?? null,
    chainName: (chainId) => watchlist.chain(chainId)?.chainName ?? null,
    nativeToken: (chainId) => watchlist.native(chainId),
    lookAlikes: () =>
      (lookAlikes ??= new LookAlikes([...watchlist.views(), ...book.list()].map(({ address }) => address))),
  };
}
