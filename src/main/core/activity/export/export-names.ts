import type { NativeToken } from '../../../../shared/activity/legs.ts';
import { LookAlikes } from '../../../../shared/activity/look-alike.ts';
import type { BookService } from '../watchlist/book-service.ts';
import type { WatchlistService } from '../watchlist/watchlist-service.ts';
import { nativeOf } from '../watchlist/watchlist-views.ts';

export interface ExportNames {
  /** The name of a watched address or of an entry in the book; null without one. */
  nameOf(address: string): string | null;
  chainName(chainId: string): string | null;
  nativeToken(chainId: string): NativeToken;
  /** Look-alikes of all watched addresses and of the book. */
  lookAlikes(): LookAlikes;
}

interface NameLists {
  /** Addresses in lower case; of two entries for the same, the last one counts. */
  names: [address: string, name: string][];
  /** Whom others may look like. */
  known: string[];
  chains: [chainId: string, chain: { name: string | null; native: NativeToken }][];
}

/** The names of the watchlist and the book; kept until `forget`, which must be called when either has changed. */
export function exportNames(watchlist: WatchlistService, book: BookService) {
  let json: string | null = null;
  const write = () => {
    const [watched, named] = [watchlist.views(), book.list()];
    const lists: NameLists = {
      names: [
        ...named.map(({ address, name }): [string, string] => [address.toLowerCase(), name]),
        ...watched.flatMap(({ address, label }): [string, string][] =>
          label === null ? [] : [[address.toLowerCase(), label]],
        ),
      ],
      known: [...watched, ...named].map(({ address }) => address),
      // In a map the last one counts.
      chains: [...watchlist.chains()]
        .reverse()
        .map((chain) => [chain.chainId, { name: chain.chainName ?? null, native: nativeOf(chain) }]),
    };
    return JSON.stringify(lists);
  };
  const written = () => (json ??= write());
  const now = () => readNames(written());
  return {
    forget: () => void (json = null),
    /** All of them as JSON, for `readNames`. */
    written,
    nameOf: (address: string) => now().nameOf(address),
    chainName: (chainId: string) => now().chainName(chainId),
    nativeToken: (chainId: string) => now().nativeToken(chainId),
    lookAlikes: () => now().lookAlikes(),
  };
}

let last: { json: string; names: ExportNames } | null = null;

/** The names that `exportNames` has written; read once for all rows. */
export function readNames(json: string): ExportNames {
  if (last?.json !== json) last = { json, names: namesOf(json) };
  return last.names;
}

function namesOf(json: string): ExportNames {
  // Written above.
  const lists = JSON.parse(json) as NameLists;
  const names = new Map(lists.names);
  const chains = new Map(lists.chains);
  const lookAlikes = new LookAlikes(lists.known);
  const unknown: NativeToken = { symbol: null, decimals: null };
  return {
    nameOf: (address) => names.get(address.toLowerCase()) ?? null,
    chainName: (chainId) => chains.get(chainId)?.name ?? null,
    nativeToken: (chainId) => chains.get(chainId)?.native ?? unknown,
    lookAlikes: () => lookAlikes,
  };
}
