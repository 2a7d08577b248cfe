import { compareTexts } from '../../sqlite/cursor.ts';
import type { Columns } from './columns.ts';

/** As index-rows.ts shortens a hash. */
const regularHash = /^=0x[0-9a-f]{24}$/;

/**
 * The places of all rows in the order of the timeline, newest first. New rows wait in a tail that is sorted and merged
 * when the order is asked for.
 */
export class RowOrder {
  readonly #columns: Columns;
  /** Hashes that are not spelled as a hash is; there should be none. */
  readonly #oddHashes = new Map<number, string>();
  readonly #readHash: (rowId: number) => string;
  /** Sorted runs, each at least about twice as long as the next one. */
  #runs: Uint32Array[] = [];
  #tail: number[] = [];

  /** `readHash` gives the whole hash of a row, which is needed only where the first digits do not decide. */
  constructor(columns: Columns, readHash: (rowId: number) => string) {
    this.#columns = columns;
    this.#readHash = readHash;
  }

  /** `hash` is as `IndexRows` has it. */
  putHash(slot: number, rowId: number, hash: string): void {
    if (regularHash.test(hash)) {
      this.#columns.hashHigh[slot] = Number.parseInt(hash.slice(3, 11), 16);
      this.#columns.hashLow[slot] = Number.parseInt(hash.slice(11, 19), 16);
      this.#columns.hashTail[slot] = Number.parseInt(hash.slice(19), 16);
      this.#oddHashes.delete(slot);
    } else {
      this.#oddHashes.set(slot, hash.startsWith('=') ? this.#readHash(rowId) : hash);
    }
  }

  oddHashes(): ReadonlyMap<number, string> {
    return this.#oddHashes;
  }

  add(slot: number): void {
    this.#tail.push(slot);
  }

  /** Sorts what was added, and merges what is short: a little work now and then in place of much at the end. */
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

  /** Negative where `a` comes first. */
  compare(a: number, b: number): number {
    const c = this.#columns;
    return (
      at(c.timestampMs, b) - at(c.timestampMs, a) ||
      at(c.blockHigh, b) - at(c.blockHigh, a) ||
      at(c.blockLow, b) - at(c.blockLow, a) ||
      at(c.blockIndex, b) - at(c.blockIndex, a) ||
      this.#compareHashes(a, b) ||
      at(c.id, b) - at(c.id, a)
    );
  }

  #compareHashes(a: number, b: number): number {
    const c = this.#columns;
    const isOdd = this.#oddHashes.size > 0 && (this.#oddHashes.has(a) || this.#oddHashes.has(b));
    if (!isOdd) {
      const difference = at(c.hashHigh, b) - at(c.hashHigh, a) || at(c.hashLow, b) - at(c.hashLow, a);
      if (difference !== 0) return difference;
      // Rows of one block and index with the same 24 digits are of one transaction, which several addresses have.
      if (at(c.hashTail, a) === at(c.hashTail, b)) return 0;
    }
    return compareTexts(this.#hashOf(b), this.#hashOf(a));
  }

  #hashOf(slot: number): string {
    return this.#oddHashes.get(slot) ?? this.#readHash(at(this.#columns.id, slot));
  }

  /** The first place of `run`, from `from` on, whose row does not come before `slot`. */
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
    // A few rows find their places one by one; between them whole stretches are copied.
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

/** An element that is there. */
export function at(values: Float64Array | Uint32Array | Int32Array, place: number): number {
  return values[place] ?? 0;
}
