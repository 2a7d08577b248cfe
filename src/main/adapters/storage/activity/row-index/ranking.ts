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
  /** The nearest double, whose sign means nothing; NaN if it is not known. */
  roughly: (slot: number) => number;
  /** Whether it has more digits than a double can hold. */
  isLong: (slot: number) => boolean;
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
    const roughly = (slot: number) => at(columns.fee, slot);
    const exactly = (slot: number) => exactFee(sources, slot) ?? zero;
    return { roughly, isLong: (slot) => roughly(slot) < 0, exactly };
  }
  if (token === null) {
    const isLong = (slot: number) => columns.part('longValue', slot) === 1;
    const exactly = (slot: number) => unsigned(exactValue(sources, slot) ?? zero);
    return { roughly: (slot) => at(columns.value, slot), isLong, exactly };
  }
  const table = tableOfToken(sources, token);
  const roughly = (slot: number) => largestAmount(columns, slot, table);
  const exactly = (slot: number) =>
    exactAmounts(sources, slot, token).reduce((a, b) => (compareDecimals(a, b) < 0 ? b : a), zero);
  return { roughly, isLong: (slot) => roughly(slot) < 0, exactly };
}

const zero: Decimal = { digits: 0n, scale: 0 };

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

function rankBy({ roughly, isLong, exactly }: Figure, slots: Uint32Array, ascending: boolean): RankedSlots {
  const sizes = new Float64Array(slots.length);
  const known = new Uint32Array(slots.length);
  const unknown = new Uint32Array(slots.length);
  let count = 0;
  let unrankedCount = 0;
  for (let n = 0; n < slots.length; n += 1) {
    const slot = slots[n] ?? 0;
    const size = Math.abs(roughly(slot));
    if (Number.isNaN(size)) {
      unknown[unrankedCount] = slot;
      unrankedCount += 1;
    } else {
      known[count] = slot;
      sizes[count] = size;
      count += 1;
    }
  }
  const order = placesBySize(sizes.subarray(0, count), ascending);
  const ranked = new Uint32Array(slots.length);
  for (let from = 0; from < count;) {
    const size = sizes[order[from] ?? 0] ?? 0;
    let to = from;
    for (; to < count && (sizes[order[to] ?? 0] ?? 0) === size; to += 1)
      ranked[to] = known[order[to] ?? 0] ?? 0;
    // Doubles that are equal are told apart by all of their digits.
    if (to - from > 1 && ranked.subarray(from, to).some(isLong)) {
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

const digitBits = 11;
const digitMask = 2 ** digitBits - 1;

/**
 * The places of these sizes, which are not negative, in their order; equal ones keep theirs. Such doubles have the order of
 * their bits, so they are sorted by a few of these at a time, which takes a fraction of the time of comparisons: by the upper
 * half, and then those that are equal in it.
 */
function placesBySize(sizes: Float64Array<ArrayBuffer>, ascending: boolean): Uint32Array {
  const halves = new Uint32Array(sizes.buffer, sizes.byteOffset, sizes.length * 2);
  let keys = new Uint32Array(sizes.length);
  let places = new Uint32Array(sizes.length);
  for (let place = 0; place < places.length; place += 1) {
    const upper = halves[place * 2 + 1] ?? 0;
    keys[place] = ascending ? upper : ~upper;
    places[place] = place;
  }
  let nextKeys = new Uint32Array(sizes.length);
  let nextPlaces = new Uint32Array(sizes.length);
  for (let shift = 0; shift < 32; shift += digitBits) {
    const starts = new Uint32Array(digitMask + 2);
    for (let n = 0; n < keys.length; n += 1) {
      const digit = ((keys[n] ?? 0) >>> shift) & digitMask;
      starts[digit + 1] = (starts[digit + 1] ?? 0) + 1;
    }
    for (let digit = 1; digit < starts.length; digit += 1)
      starts[digit] = (starts[digit] ?? 0) + (starts[digit - 1] ?? 0);
    for (let n = 0; n < keys.length; n += 1) {
      const key = keys[n] ?? 0;
      const digit = (key >>> shift) & digitMask;
      const to = starts[digit] ?? 0;
      starts[digit] = to + 1;
      nextKeys[to] = key;
      nextPlaces[to] = places[n] ?? 0;
    }
    [keys, nextKeys] = [nextKeys, keys];
    [places, nextPlaces] = [nextPlaces, places];
  }
  const compare = (a: number, b: number) =>
    ((sizes[a] ?? 0) - (sizes[b] ?? 0)) * (ascending ? 1 : -1) || a - b;
  for (let from = 0, to = 1; to <= keys.length; to += 1) {
    if (to < keys.length && keys[to] === keys[from]) continue;
    if (to - from > 1) sortRun(places, from, to, compare);
    from = to;
  }
  return places;
}

/** Most runs are short, or in order. */
function sortRun(
  places: Uint32Array,
  from: number,
  to: number,
  compare: (a: number, b: number) => number,
): void {
  for (let n = from + 1; n < to; n += 1) {
    const place = places[n] ?? 0;
    if (compare(places[n - 1] ?? 0, place) < 0) continue;
    if (to - from > 32) {
      places.subarray(from, to).sort(compare);
      return;
    }
    let hole = n;
    for (; hole > from && compare(places[hole - 1] ?? 0, place) > 0; hole -= 1)
      places[hole] = places[hole - 1] ?? 0;
    places[hole] = place;
  }
}
