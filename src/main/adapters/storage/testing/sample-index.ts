import { LookAlikes } from '../../../../shared/activity/look-alike.ts';
import { FacetTexts } from '../activity/facet-texts.ts';
import { bitParts } from '../activity/row-index/columns.ts';
import { numbersOf, type IndexRows } from '../activity/row-index/index-rows.ts';
import { RowIndex } from '../activity/row-index/row-index.ts';
import { storedDirections, storedKinds, storedStatuses } from '../activity/stored-codes.ts';
import type { SqlReader } from '../sqlite/sql.ts';

// An index of rows without a database.

export const alice = '0xA11ce00000000000000000000000000000000001';
export const bob = '0xB0b0000000000000000000000000000000000002';
export const shop = '0x5a0e000000000000000000000000000000000003';
export const stranger = '0xdead000000000000000000000000000000000004';

export interface Row {
  address?: 1 | 2;
  chain?: 1 | 2;
  kind?: (typeof storedKinds)[number];
  direction?: (typeof storedDirections)[number];
  status?: (typeof storedStatuses)[number];
  isComplete?: boolean;
  hasUnreadParts?: boolean;
  reasons?: number;
  /** Numbers of facets. */
  counterparty?: 1 | 2;
  method?: 3 | 4;
  tokens?: [5 | 6 | 7 | 8, string | null][];
  value?: string;
  fee?: string;
  block?: bigint;
  timestampMs?: number;
  hash?: string;
}

function bitsOf({
  kind = 'transfer',
  direction = 'in',
  status = 'success',
  isComplete = true,
  hasUnreadParts = false,
  reasons = 0,
}: Row): number {
  return (
    (storedKinds.indexOf(kind) << bitParts.kind.shift) |
    (storedDirections.indexOf(direction) << bitParts.direction.shift) |
    (storedStatuses.indexOf(status) << bitParts.status.shift) |
    ((Number(isComplete) | (Number(hasUnreadParts) << 1)) << bitParts.completeness.shift) |
    (reasons << bitParts.reasons.shift)
  );
}

export const hashOf = (digits: string) => `0x${digits.padEnd(64, '0')}`;

export function indexOf(rows: Record<string, Row>): RowIndex {
  const stored = Object.values(rows);
  const hashes = stored.map(({ hash }) => hash ?? hashOf('1'));
  const facets = new FacetTexts();
  facets.parties.set(1, { address: shop, name: 'The Shop' }).set(2, { address: stranger, name: null });
  facets.methods.set(3, 'swap').set(4, '0xdeadbeef');
  facets.tokens
    .set(5, { token: '1 native', symbol: 'ETH', name: null, decimals: 18 })
    .set(6, { token: '1 erc20 0xaa', symbol: 'USD', name: 'Dollar', decimals: 2 })
    .set(7, { token: '1 erc20 0xbb', symbol: null, name: 'Mystery', decimals: null })
    .set(8, { token: '1 erc721 0xcc 77', symbol: 'ITEM', name: null, decimals: 0 });
  const rowsAt = (places: readonly number[]): IndexRows => {
    const found = places.flatMap((place) => stored[place] ?? []);
    return {
      numbers: {
        id: places.map((place) => place + 1),
        timestampMs: found.map(({ timestampMs = 0 }) => timestampMs),
        blockHigh: found.map(({ block = 0n }) => Number(block >> 32n)),
        blockLow: found.map(({ block = 0n }) => Number(block & 0xffff_ffffn)),
        blockIndex: found.map(() => 0),
        address: found.map(({ address = 1 }) => address),
        chain: found.map(({ chain = 1 }) => chain),
        counterparty: found.map(({ counterparty = 0 }) => counterparty),
        method: found.map(({ method = 0 }) => method),
        bits: found.map(bitsOf),
      },
      tokens: found.map(({ tokens = [] }) => tokens),
      value: found.map(({ value = null }) => value),
      fee: found.map(({ fee = null }) => fee),
    };
  };
  // Rows are looked up by their id or by a list of ids, hashes by how they begin.
  const get: SqlReader['get'] = (_sql, [first, searched] = []) => {
    if (typeof searched === 'string') {
      const ids = hashes.flatMap((hash, at) => (hash.toLowerCase().startsWith(searched) ? at + 1 : []));
      return { ids: JSON.stringify(ids) };
    }
    if (typeof first === 'string') {
      const { numbers, ...others } = rowsAt(numbersOf({ ids: first }, 'ids').map((id) => id - 1));
      const lists = Object.entries({ ...numbers, ...others });
      return { last_id: 1, ...Object.fromEntries(lists.map(([name, list]) => [name, JSON.stringify(list)])) };
    }
    const row = stored[Number(first) - 1];
    if (row === undefined) return undefined;
    return {
      value_then: row.value ?? null,
      tokens_json: JSON.stringify(row.tokens ?? []),
    };
  };
  const reader: SqlReader = { get, all: () => [], iterate: () => [] };
  const index = new RowIndex(reader, facets, {
    watched: new Map([
      [1, alice],
      [2, bob],
    ]),
    chains: new Map([
      [1, '1'],
      [2, '43114'],
    ]),
    names: {
      watched: new Map([[alice.toLowerCase(), { label: 'Savings', tags: ['own', 'cold'] }]]),
      book: new Map([[stranger, 'Mallory']]),
    },
    lookAlikes: new LookAlikes([]),
    tokenDecisions: new Map(),
  });
  index.put(rowsAt(stored.map((_row, place) => place)));
  return index;
}
