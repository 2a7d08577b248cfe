import { compareDecimals, parseDecimal, type Decimal } from '../../../../../shared/amounts.ts';
import { orderedToken, type ActivityFilter } from '../../../../../shared/activity/filter.ts';
import { wholeUnits } from '../../sqlite/bounds.ts';
import type { Columns } from './columns.ts';
import { readByIds, type IndexRows } from './index-rows.ts';
import { tableOfToken, type PillSources } from './pills.ts';
import { at } from './row-order.ts';

/** What rows are ordered by, without its sign. */
export interface Figure {
  /** The nearest double, whose sign means nothing; NaN if it is not known. */
  roughly: (slot: number) => number;
  /** Whether it has more digits than a double can hold. */
  isLong: (slot: number) => boolean;
  /** The same to the last digit, for each of these rows. */
  exactly: (slots: readonly number[]) => Decimal[];
}

/** What rows are ordered by, in one word: equal for two orders that differ in their direction only; null for time. */
export function figureName(filter: ActivityFilter): string | null {
  const { order } = filter;
  if (order === undefined || order.by === 'time') return null;
  return order.by === 'fee' ? 'fee' : `amount ${orderedToken(filter) ?? ''}`.trimEnd();
}

/** The figure with the name that `figureName` gives. */
export function figureNamed(name: string, sources: PillSources): Figure {
  const { columns } = sources;
  if (name === 'fee') {
    const roughly = (slot: number) => at(columns.fee, slot);
    const exactly = exactlyBy(sources, ({ fee }, place) => parseDecimal(fee[place] ?? ''));
    return { roughly, isLong: (slot) => roughly(slot) < 0, exactly };
  }
  const token = name.slice('amount '.length);
  if (token === '') {
    const exactly = exactlyBy(sources, ({ value }, place) => parseDecimal(value[place] ?? ''));
    const isLong = (slot: number) => columns.part('longValue', slot) === 1;
    return { roughly: (slot) => at(columns.value, slot), isLong, exactly };
  }
  let table: Uint8Array = new Uint8Array(0);
  let describedCount = 0;
  const roughly = (slot: number) => {
    // A token may be described anew, in rows that come later.
    if (sources.facets.tokens.size !== describedCount) {
      table = tableOfToken(sources, token);
      describedCount = sources.facets.tokens.size;
    }
    return largestAmount(columns, slot, table);
  };
  const exactly = exactlyBy(sources, ({ tokens }, place) =>
    (tokens[place] ?? [])
      .filter(([ref]) => table[ref] === 1)
      .map(
        ([ref, amount]) => wholeUnits(amount, sources.facets.tokenOf(sources.reader, ref).decimals) ?? zero,
      )
      .reduce((a, b) => (compareDecimals(a, b) < 0 ? b : a), zero),
  );
  return { roughly, isLong: (slot) => roughly(slot) < 0, exactly };
}

const zero: Decimal = { digits: 0n, scale: 0 };

/** Rows whose texts are read at a time. */
const rowsAtOnce = 1_000;

function exactlyBy(
  { reader, columns }: PillSources,
  read: (rows: IndexRows, place: number) => Decimal | null,
): Figure['exactly'] {
  return (slots) => {
    const found = new Map<number, Decimal>();
    const ids = slots.map((slot) => at(columns.numbers.id, slot));
    for (let from = 0; from < ids.length; from += rowsAtOnce) {
      const rows = readByIds(reader, ids.slice(from, from + rowsAtOnce));
      rows?.numbers.id.forEach((id, place) => found.set(id, unsigned(read(rows, place) ?? zero)));
    }
    return ids.map((id) => found.get(id) ?? zero);
  };
}

function unsigned({ digits, scale }: Decimal): Decimal {
  return { digits: digits < 0n ? -digits : digits, scale };
}

/** Of the amounts of a token in a row the largest, in the form of `TokenPool.amounts`. */
function largestAmount({ tokenStart, tokenCount, tokens }: Columns, slot: number, table: Uint8Array): number {
  const start = tokenStart[slot] ?? 0;
  const end = start + (tokenCount[slot] ?? 0);
  let largest = NaN;
  for (let place = start; place < end; place += 1) {
    if (table[tokens.refs[place] ?? 0] !== 1) continue;
    const amount = tokens.amounts[place] ?? 0;
    const isLarger = Math.abs(amount) > Math.abs(largest) || Number.isNaN(largest);
    if (isLarger || (amount < 0 && amount === -largest)) largest = amount;
  }
  return largest;
}
