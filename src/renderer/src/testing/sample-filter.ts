import type { Names } from '../../../main/adapters/storage/activity/filter-match.ts';
import { compileFilter } from '../../../main/adapters/storage/testing/compile-filter.ts';
import type { MatchedRow } from '../../../main/adapters/storage/testing/row-values.ts';
import { facetsOf } from '../../../shared/activity/facets.ts';
import type { ActivityFilter } from '../../../shared/activity/filter.ts';
import type { ReadableRow } from '../../../shared/activity/types.ts';
import type { World } from './sample-world.ts';

/** A row of the sample world as filters read it. */
export function matched(row: ReadableRow): MatchedRow {
  const facets = facetsOf(row, row.unread.length > 0, { symbol: null, decimals: 18 });
  const { spam, valueThen } = row.marks;
  return { ...row, blockNumber: BigInt(row.blockNumber), facets: { ...facets, valueThen }, spam };
}

export function namesOf({ snapshot: { watchlist, book } }: World): Names {
  return {
    watched: new Map(watchlist.map((entry) => [entry.address.toLowerCase(), entry])),
    book: new Map(book.map(({ address, name }) => [address.toLowerCase(), name])),
  };
}

/** Rows of the sample world that pass the pills and the text, including hidden ones. */
export function matchingRows(world: World, filter: ActivityFilter): ReadableRow[] {
  const isMeant = compileFilter(filter, namesOf(world));
  return world.rows.filter((row) => isMeant(matched(row)));
}
