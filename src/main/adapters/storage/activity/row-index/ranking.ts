import { compareDecimals } from '../../../../../shared/amounts.ts';
import type { Figure } from './figures.ts';

/** Rows by a figure, smallest first. */
export interface Ranking {
  slots: Uint32Array;
  /** At the place of each row: 1 if its figure is larger than that of the row before, or there is none; else 0. */
  begins: Uint8Array;
}

/** Doubles that are equal are told apart by all of their digits, read for about this many rows at a time. */
const doubtfulAtOnce = 10_000;

/**
 * Sorts the rows whose figure is known; equal ones stay as they are. Yields after each part of the work.
 */
export function* rankBy(figure: Figure, given: Uint32Array): Generator<void, Ranking> {
  const sizes = new Float64Array(given.length);
  const known = new Uint32Array(given.length);
  let count = 0;
  for (let n = 0; n < given.length; n += 1) {
    const slot = given[n] ?? 0;
    const size = Math.abs(figure.roughly(slot));
    if (Number.isNaN(size)) continue;
    known[count] = slot;
    sizes[count] = size;
    count += 1;
  }
  yield;
  const slots = yield* placesBySize(sizes.subarray(0, count));
  const begins = new Uint8Array(count);
  let sizeBefore = NaN;
  for (let place = 0; place < count; place += 1) {
    const n = slots[place] ?? 0;
    const size = sizes[n] ?? 0;
    slots[place] = known[n] ?? 0;
    begins[place] = size === sizeBefore ? 0 : 1;
    sizeBefore = size;
  }
  yield;
  let doubtful: [from: number, to: number][] = [];
  let doubtfulCount = 0;
  for (let from = 0, to = 1; from < count; from = to, to += 1) {
    while (to < count && begins[to] === 0) to += 1;
    if (to - from === 1 || !slots.subarray(from, to).some(figure.isLong)) continue;
    doubtful.push([from, to]);
    doubtfulCount += to - from;
    if (doubtfulCount < doubtfulAtOnce) continue;
    tellApart(figure, { slots, begins }, doubtful);
    doubtful = [];
    doubtfulCount = 0;
    yield;
  }
  tellApart(figure, { slots, begins }, doubtful);
  return { slots, begins };
}

function tellApart(figure: Figure, { slots, begins }: Ranking, runs: readonly [number, number][]): void {
  const sizes = figure.exactly(runs.flatMap(([from, to]) => [...slots.subarray(from, to)]));
  let read = 0;
  for (const [from, to] of runs) {
    const run = [...slots.subarray(from, to)].map((slot, n) => ({ slot, size: sizes[read + n] ?? none }));
    read += run.length;
    run.sort((a, b) => compareDecimals(a.size, b.size));
    run.forEach(({ slot, size }, n) => {
      const before = run[n - 1];
      slots[from + n] = slot;
      begins[from + n] = before === undefined || compareDecimals(before.size, size) < 0 ? 1 : 0;
    });
  }
}

const none = { digits: 0n, scale: 0 };

const digitBits = 11;
const digitMask = 2 ** digitBits - 1;

/**
 * The places of these sizes, which are not negative, in their order; equal ones keep theirs. Such doubles have the order of
 * their bits, so they are sorted by a few of these at a time, which takes a fraction of the time of comparisons: by the upper
 * half, and then those that are equal in it.
 */
function* placesBySize(sizes: Float64Array<ArrayBuffer>): Generator<void, Uint32Array> {
  const halves = new Uint32Array(sizes.buffer, sizes.byteOffset, sizes.length * 2);
  let keys = new Uint32Array(sizes.length);
  let places = new Uint32Array(sizes.length);
  for (let place = 0; place < places.length; place += 1) {
    keys[place] = halves[place * 2 + 1] ?? 0;
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
    yield;
  }
  const compare = (a: number, b: number) => (sizes[a] ?? 0) - (sizes[b] ?? 0) || a - b;
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
