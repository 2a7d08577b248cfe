import { compareDecimals, type Decimal } from '../../../../../shared/amounts.ts';
import { orderedToken, type ActivityFilter } from '../../../../../shared/activity/filter.ts';
import type { Columns } from './columns.ts';
import { exactAmounts, exactFee, exactValue } from './exact.ts';
import { tableOfToken, type PillSources } from './pills.ts';
import { at } from './row-order.ts';

/** Rows in the order that was asked for. */
export interface RankedSlots {
  slots: Uint32Array;
  /** Rows without the figure that they are ordered by: the last ones. */
  unrankedCount: number;
}

/** What rows are ordered by, without its sign. */
interface Figure {
  /** The nearest double; NaN if it is not known; negative when it has more digits than a double can hold. */
  roughly: (slot: number) => number;
  exactly: (slot: number) => Decimal;
}

/** Puts rows that are newest first into the order of the filter. Equal ones stay newest first. */
export function rankSlots(slots: Uint32Array, filter: ActivityFilter, sources: PillSources): RankedSlots {
  const { order } = filter;
  if (order === undefined) return { slots, unrankedCount: 0 };
  if (order.by === 'time') return { slots: order.ascending ? slots.toReversed() : slots, unrankedCount: 0 };
  return rankBy(figureOf(order.by, orderedToken(filter), sources), slots, order.ascending);
}

function figureOf(by: 'amount' | 'fee', token: string | null, sources: PillSources): Figure {
  const { columns } = sources;
  if (by === 'fee') {
    const exactly = (slot: number) => exactFee(sources, slot) ?? zero;
    return { roughly: (slot) => at(columns.fee, slot), exactly };
  }
  if (token === null) {
    const roughly = (slot: number) => {
      const size = Math.abs(at(columns.value, slot));
      return columns.part('longValue', slot) === 0 ? size : -size;
    };
    return { roughly, exactly: (slot) => unsigned(exactValue(sources, slot) ?? zero) };
  }
  const table = tableOfToken(sources, token);
  return {
    roughly: (slot) => largestAmount(columns, slot, table),
    exactly: (slot) =>
      exactAmounts(sources, slot, token).reduce((a, b) => (compareDecimals(a, b) < 0 ? b : a), zero),
  };
}

const zero: Decimal = { digits: 0n, scale: 0 };

function unsigned({ digits, scale }: Decimal): Decimal {
  return { digits: digits < 0n ? -digits : digits, scale };
}

/** Of the amounts of a token in a row the largest, in the form of `TokenPool.amounts`. */
function largestAmount({ tokenStart, tokenCount, tokens }: Columns, slot: number, table: Uint8Array): number {
  const start = at(tokenStart, slot);
  const end = start + at(tokenCount, slot);
  let largest = NaN;
  for (let place = start; place < end; place += 1) {
    if (table[at(tokens.refs, place)] !== 1) continue;
    const amount = at(tokens.amounts, place);
    const isLarger = Math.abs(amount) > Math.abs(largest) || Number.isNaN(largest);
    if (isLarger || (amount < 0 && amount === -largest)) largest = amount;
  }
  return largest;
}

function rankBy({ roughly, exactly }: Figure, slots: Uint32Array, ascending: boolean): RankedSlots {
  const sizes = new Float64Array(slots.length);
  const isLong = new Uint8Array(slots.length);
  const known = new Uint32Array(slots.length);
  const unknown = new Uint32Array(slots.length);
  let count = 0;
  let unrankedCount = 0;
  for (const slot of slots) {
    const rough = roughly(slot);
    if (Number.isNaN(rough)) {
      unknown[unrankedCount] = slot;
      unrankedCount += 1;
      continue;
    }
    known[count] = slot;
    sizes[count] = Math.abs(rough);
    isLong[count] = rough < 0 ? 1 : 0;
    count += 1;
  }
  const order = placesBySize(sizes.subarray(0, count), ascending);
  const ranked = new Uint32Array(slots.length);
  for (let from = 0; from < count;) {
    let to = from;
    let isSure = true;
    for (; to < count && at(sizes, at(order, to)) === at(sizes, at(order, from)); to += 1) {
      const place = at(order, to);
      ranked[to] = at(known, place);
      if (isLong[place] === 1) isSure = false;
    }
    // Doubles that are equal are told apart by all of their digits.
    if (!isSure && to - from > 1) {
      const exact = [...ranked.subarray(from, to)].map((slot) => ({ slot, size: exactly(slot) }));
      exact.sort((a, b) => compareDecimals(a.size, b.size) * (ascending ? 1 : -1));
      ranked.set(
        exact.map(({ slot }) => slot),
        from,
      );
    }
    from = to;
  }
  ranked.set(unknown.subarray(0, unrankedCount), count);
  return { slots: ranked, unrankedCount };
}

const bucketCount = 65_536;

/**
 * The places of these sizes, which are not negative, in their order; equal ones keep theirs. Such doubles have the order of
 * their bits, so they are sorted by 16 bits at a time, which takes a million of them a tenth of the time of comparisons.
 */
function placesBySize(sizes: Float64Array<ArrayBuffer>, ascending: boolean): Uint32Array {
  const words = new Uint16Array(sizes.buffer, sizes.byteOffset, sizes.length * 4);
  let places = new Uint32Array(sizes.length);
  for (let place = 0; place < places.length; place += 1) places[place] = place;
  let next = new Uint32Array(sizes.length);
  for (let word = 0; word < 4; word += 1) {
    const starts = new Uint32Array(bucketCount);
    for (let n = word; n < words.length; n += 4) starts[words[n] ?? 0] = at(starts, words[n] ?? 0) + 1;
    let start = 0;
    for (let n = 0; n < bucketCount; n += 1) {
      const bucket = ascending ? n : bucketCount - 1 - n;
      const size = at(starts, bucket);
      starts[bucket] = start;
      start += size;
    }
    for (let n = 0; n < places.length; n += 1) {
      const place = at(places, n);
      const bucket = words[place * 4 + word] ?? 0;
      next[at(starts, bucket)] = place;
      starts[bucket] = at(starts, bucket) + 1;
    }
    [places, next] = [next, places];
  }
  return places;
}
