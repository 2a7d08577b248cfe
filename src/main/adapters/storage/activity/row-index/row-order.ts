import type { Columns, NumberArray } from './columns.ts';

/**
 * The slots of all rows in the order of the timeline, newest first. New rows are collected in a tail, which is sorted
 * and merged when the order is needed.
 */
export class RowOrder {
  readonly #columns: Columns;
  /** Sorted runs, each at least about twice as long as the next. */
  #runs: Uint32Array[] = [];
  #tail: number[] = [];

  constructor(columns: Columns) {
    this.#columns = columns;
  }

  add(slot: number): void {
    this.#tail.push(slot);
  }

  /** Sorts the tail and merges short runs: a little work now and then instead of much at the end. */
  settle(): void {
    if (this.#tail.length > 0) {
      this.#runs.push(Uint32Array.from(this.#tail.sort((a, b) => this.compare(a, b))));
      this.#tail = [];
    }
    for (;;) {
      const last = this.#runs.at(-1);
      const before = this.#runs.at(-2);
      if (last === undefined || before === undefined || before.length > 2 * last.length) return;
      this.#runs.splice(-2, 2, this.#merge(before, last));
    }
  }

  all(): Uint32Array {
    this.settle();
    while (this.#runs.length > 1) {
      const [before, last] = this.#runs.splice(-2, 2);
      if (before !== undefined && last !== undefined) this.#runs.push(this.#merge(before, last));
    }
    return this.#runs[0] ?? new Uint32Array(0);
  }

  arrays(): readonly Uint32Array[] {
    return this.#runs;
  }

  /** Those `count` rows at which the mask has 1. */
  pick(count: number, mask: Uint8Array, isOldestFirst: boolean): Uint32Array {
    const slots = count <= fewRows ? this.#few(count, mask) : this.#many(count, mask);
    return isOldestFirst ? slots.reverse() : slots;
  }

  #few(count: number, mask: Uint8Array): Uint32Array {
    const slots = new Uint32Array(count);
    for (let slot = 0, taken = 0; taken < count; slot += 1) if (mask[slot] === 1) slots[taken++] = slot;
    return slots.sort((a, b) => this.compare(a, b));
  }

  #many(count: number, mask: Uint8Array): Uint32Array {
    const all = this.all();
    const slots = new Uint32Array(count);
    for (let place = 0, taken = 0; taken < count && place < all.length; place += 1) {
      const slot = all[place] ?? 0;
      // Without a branch: the next one takes this place if it was not meant.
      slots[taken] = slot;
      taken += mask[slot] ?? 0;
    }
    return slots;
  }

  /** Negative if `a` comes first. */
  compare(a: number, b: number): number {
    const c = this.#columns.numbers;
    return (
      at(c.timestampMs, b) - at(c.timestampMs, a) ||
      at(c.blockHigh, b) - at(c.blockHigh, a) ||
      at(c.blockLow, b) - at(c.blockLow, a) ||
      at(c.blockIndex, b) - at(c.blockIndex, a) ||
      at(c.id, b) - at(c.id, a)
    );
  }

  /** The first position in `run`, starting at `from`, whose row does not come before `slot`. */
  #placeIn(run: Uint32Array, slot: number, from: number): number {
    let low = from;
    let high = run.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.compare(at(run, middle), slot) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #merge(long: Uint32Array, short: Uint32Array): Uint32Array {
    const merged = new Uint32Array(long.length + short.length);
    // When one run is much shorter, its rows are placed one by one and the stretches between them copied.
    const isFew = short.length * 32 < long.length;
    let from = 0;
    let filled = 0;
    for (const slot of short) {
      let place = from;
      if (isFew) place = this.#placeIn(long, slot, from);
      else while (place < long.length && this.compare(at(long, place), slot) < 0) place += 1;
      merged.set(long.subarray(from, place), filled);
      filled += place - from;
      merged[filled] = slot;
      filled += 1;
      from = place;
    }
    merged.set(long.subarray(from), filled);
    return merged;
  }
}

/** So many are sorted sooner than found in the order of all. */
const fewRows = 2_000;

/** Element access for typed arrays; the index must exist. */
export function at(values: NumberArray, place: number): number {
  return values[place] ?? 0;
}
