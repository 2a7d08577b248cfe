import { compareDecimals } from '../../../../../shared/amounts.ts';
import type { Figure } from './figures.ts';
import { rankBy, type Ranking } from './ranking.ts';
import { at, type RowOrder } from './row-order.ts';

/** Rows in the order that was asked for. */
export interface RankedSlots {
  slots: Uint32Array;
  /** Rows without the figure that they are ordered by: the last ones. */
  unrankedCount: number;
}

/** Above this share of rows that are new, all are sorted anew. */
const fewOf = 8;

/**
 * All rows by a figure. It is kept: whatever is asked for in this order, in either direction, is then one pass over it, as a
 * filter is; rows that come or change meanwhile are put into their places before.
 */
export class FigureOrder {
  readonly #figure: Figure;
  readonly #byTime: RowOrder;
  #ranking: Ranking = { slots: new Uint32Array(0), begins: new Uint8Array(0) };
  /** Rows with smaller slots are at their places, except for those that have changed. */
  #settled = 0;
  #changed = new Set<number>();
  /** The work of `#settle` that has begun. */
  #work: Iterator<void> | null = null;

  constructor(figure: Figure, byTime: RowOrder) {
    this.#figure = figure;
    this.#byTime = byTime;
  }

  /** These rows are new, or their figure may have changed. */
  put(slots: readonly number[]): void {
    for (const slot of slots) if (slot < this.#settled) this.#changed.add(slot);
  }

  /**
   * Does a part of the work that puts the rows that came or changed into their places. `size`: the number of all slots.
   * Returns whether there is more.
   */
  settleMore(size: number): boolean {
    this.#work ??= this.#settle(size);
    try {
      if (this.#work.next().done !== true) return true;
    } catch (cause) {
      // A row could not be read: the next call begins anew.
      this.#work = null;
      this.#settled = 0;
      throw cause;
    }
    this.#work = null;
    return this.#newCount(size) > 0;
  }

  #newCount(size: number): number {
    return size - this.#settled + this.#changed.size;
  }

  *#settle(size: number): Generator<void, void> {
    const newCount = this.#newCount(size);
    const changed = this.#changed;
    const from = this.#settled;
    // What changes from here on is put into its place by the next work.
    this.#settled = size;
    this.#changed = new Set();
    if (newCount * fewOf > size) this.#ranking = yield* rankBy(this.#figure, this.#byTime.all());
    else if (newCount > 0) {
      const pending = [...changed];
      for (let slot = from; slot < size; slot += 1) pending.push(slot);
      pending.sort((a, b) => this.#byTime.compare(a, b));
      const few = yield* rankBy(this.#figure, Uint32Array.from(pending));
      // Rows that have changed meanwhile are not where their figures are now: no place is found by comparing with them.
      const again = this.#changed;
      this.#ranking = this.#without(new Set([...changed, ...again]));
      this.#merge(few.slots.filter((slot) => !again.has(slot)));
    }
  }

  /**
   * Those `total` rows at which the mask has 1, in this order; equal ones are newest first in either direction. The mask is
   * used up.
   */
  rank(total: number, mask: Uint8Array, ascending: boolean): RankedSlots {
    while (this.settleMore(mask.length)) continue;
    const { slots: all, begins } = this.#ranking;
    const ranked = new Uint32Array(total);
    let count = 0;
    const take = (from: number, to: number) => {
      for (let place = from; place < to && count < total; place += 1) {
        const slot = all[place] ?? 0;
        ranked[count] = slot;
        count += mask[slot] ?? 0;
        mask[slot] = 0;
      }
    };
    if (ascending) take(0, all.length);
    else {
      let to = all.length;
      for (let from = to - 1; from >= 0; from -= 1) {
        if (begins[from] === 0) continue;
        take(from, to);
        to = from;
      }
    }
    const unrankedCount = total - count;
    ranked.set(this.#byTime.pick(unrankedCount, mask, false), count);
    return { slots: ranked, unrankedCount };
  }

  arrays(): (Uint32Array | Uint8Array)[] {
    return [this.#ranking.slots, this.#ranking.begins];
  }

  #without(some: ReadonlySet<number>): Ranking {
    if (some.size === 0) return this.#ranking;
    const { slots, begins } = this.#ranking;
    const kept: Ranking = { slots: new Uint32Array(slots.length), begins: new Uint8Array(slots.length) };
    let count = 0;
    let begun = 0;
    for (let place = 0; place < slots.length; place += 1) {
      const slot = slots[place] ?? 0;
      begun |= begins[place] ?? 0;
      if (some.has(slot)) continue;
      kept.slots[count] = slot;
      kept.begins[count] = begun;
      begun = 0;
      count += 1;
    }
    return { slots: kept.slots.subarray(0, count), begins: kept.begins.subarray(0, count) };
  }

  /** Puts in rows that are not there yet, in this order. */
  #merge(few: Uint32Array): void {
    const { slots, begins } = this.#ranking;
    const merged = new Uint32Array(slots.length + few.length);
    const mergedBegins = new Uint8Array(merged.length);
    const compare = this.#comparison();
    let from = 0;
    let filled = 0;
    for (const slot of few) {
      let to = slots.length;
      for (let low = from; low < to;) {
        const middle = (low + to) >>> 1;
        const side = compare(at(slots, middle), slot) || this.#byTime.compare(at(slots, middle), slot);
        if (side < 0) low = middle + 1;
        else to = middle;
      }
      merged.set(slots.subarray(from, to), filled);
      mergedBegins.set(begins.subarray(from, to), filled);
      // The row that now follows another one than before.
      if (to > from && filled > 0)
        mergedBegins[filled] = compare(at(merged, filled - 1), at(merged, filled)) < 0 ? 1 : 0;
      filled += to - from;
      merged[filled] = slot;
      mergedBegins[filled] = filled === 0 || compare(at(merged, filled - 1), slot) < 0 ? 1 : 0;
      filled += 1;
      from = to;
    }
    merged.set(slots.subarray(from), filled);
    mergedBegins.set(begins.subarray(from), filled);
    if (from < slots.length && filled > 0)
      mergedBegins[filled] = compare(at(merged, filled - 1), at(merged, filled)) < 0 ? 1 : 0;
    this.#ranking = { slots: merged, begins: mergedBegins };
  }

  /** Compares rows by their figure; what it reads from the store, it reads once. */
  #comparison(): (a: number, b: number) => number {
    const { roughly, isLong, exactly } = this.#figure;
    const read = new Map<number, ReturnType<Figure['exactly']>[number]>();
    const exact = (slot: number) => {
      const known = read.get(slot) ?? exactly([slot])[0] ?? { digits: 0n, scale: 0 };
      read.set(slot, known);
      return known;
    };
    return (a, b) => {
      const difference = Math.abs(roughly(a)) - Math.abs(roughly(b));
      if (difference !== 0 || !(isLong(a) || isLong(b))) return difference;
      return compareDecimals(exact(a), exact(b));
    };
  }
}
