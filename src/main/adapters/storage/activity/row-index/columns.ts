/** Small numbers that share the column `bits`. */
export const bitParts = {
  kind: { sql: 'kind', shift: 0, mask: 7 },
  direction: { sql: 'direction', shift: 3, mask: 7 },
  status: { sql: 'status', shift: 6, mask: 3 },
  // Lower bit: the row is complete. Upper bit: a part of it could not be decoded.
  completeness: { sql: 'is_complete | (has_unread_parts << 1)', shift: 8, mask: 3 },
  // Why the row is hidden (`reasonBits`); 0 while it is shown. Room for seven rules and the user's decision.
  reasons: { sql: 'reasons', shift: 10, mask: 255 },
  // The value has more digits than a double can hold. Not read from SQL, but set with the value.
  longValue: { sql: null, shift: 18, mask: 1 },
} as const;

const bitsSql = Object.values(bitParts)
  .flatMap(({ sql, shift }) => (sql === null ? [] : `((${sql}) << ${shift})`))
  .join(' | ');

/**
 * What is kept in memory of each row for filtering: numbers, with a row at the same index (slot) of each array. The SQL
 * that reads them, the arrays and the code that fills them are all derived from this table.
 */
export const numberColumns = {
  id: { sql: 'id', array: Float64Array },
  timestampMs: { sql: 'timestamp_ms', array: Float64Array },
  // Block numbers in two halves: a loop over numbers is many times faster than one over `bigint`.
  blockHigh: { sql: 'block_number >> 32', array: Int32Array },
  blockLow: { sql: 'block_number & 4294967295', array: Uint32Array },
  blockIndex: { sql: 'block_index', array: Float64Array },
  address: { sql: 'address_ref', array: Uint32Array },
  chain: { sql: 'chain_ref', array: Uint32Array },
  // Ids of facets; 0 for none.
  counterparty: { sql: 'coalesce(counterparty_ref, 0)', array: Uint32Array },
  method: { sql: 'coalesce(method_ref, 0)', array: Uint32Array },
  bits: { sql: bitsSql, array: Uint32Array },
} as const;

export type NumberColumn = keyof typeof numberColumns;

// `Object.keys` loses the type of the keys.
export const columnNames = Object.keys(numberColumns) as NumberColumn[];

export type NumberArray = Float64Array | Uint32Array | Int32Array;

type ColumnArrays = { [Name in NumberColumn]: InstanceType<(typeof numberColumns)[Name]['array']> };

/** The tokens of all rows with each amount, concatenated; each row has the position of its first one. */
interface TokenPool {
  refs: Uint32Array;
  /** Whole units as the nearest double; NaN if unknown; negative when it has more digits than a double can hold. */
  amounts: Float64Array;
  used: number;
}

/** The arrays. Slots are given in order of arrival, never change and are never reused. */
export class Columns {
  size = 0;
  #capacity = 0;
  numbers = arraysOf(0);
  value = new Float64Array(0);
  /** In base units, in the form of `TokenPool.amounts`. */
  fee = new Float64Array(0);
  tokenStart = new Uint32Array(0);
  tokenCount = new Uint32Array(0);
  readonly tokens: TokenPool = { refs: new Uint32Array(0), amounts: new Float64Array(0), used: 0 };

  /** Adds a slot; the caller must write all of its columns. */
  add(): number {
    if (this.size === this.#capacity) this.#grow();
    this.size += 1;
    return this.size - 1;
  }

  /** The row has another slot from now on: this one is in no result and in no order. */
  leave(slot: number): void {
    this.numbers.address[slot] = 0;
    this.value[slot] = NaN;
    this.fee[slot] = NaN;
    this.tokenCount[slot] = 0;
  }

  part(name: keyof typeof bitParts, slot: number): number {
    const { shift, mask } = bitParts[name];
    return ((this.numbers.bits[slot] ?? 0) >>> shift) & mask;
  }

  /** Writes a row's tokens, in place of its previous ones if they fit. */
  putTokens(
    slot: number,
    moved: readonly [number, string | null][],
    roughly: (token: [number, string | null]) => number,
  ): void {
    const { tokens } = this;
    let start = this.tokenStart[slot] ?? 0;
    if (moved.length > (this.tokenCount[slot] ?? 0)) {
      start = tokens.used;
      tokens.used += moved.length;
      while (tokens.used > tokens.refs.length) {
        const capacity = enlarged(tokens.refs.length);
        tokens.refs = grown(tokens.refs, new Uint32Array(capacity));
        tokens.amounts = grown(tokens.amounts, new Float64Array(capacity));
      }
    }
    for (let place = 0; place < moved.length; place += 1) {
      const token = moved[place];
      if (token === undefined) continue;
      tokens.refs[start + place] = token[0];
      tokens.amounts[start + place] = roughly(token);
    }
    this.tokenStart[slot] = start;
    this.tokenCount[slot] = moved.length;
  }

  arrays(): NumberArray[] {
    const { tokens, value, fee, tokenStart, tokenCount } = this;
    return [...Object.values(this.numbers), value, fee, tokenStart, tokenCount, tokens.refs, tokens.amounts];
  }

  #grow(): void {
    const capacity = enlarged(this.#capacity);
    this.#capacity = capacity;
    this.numbers = arraysOf(capacity, this.numbers);
    this.value = grown(this.value, new Float64Array(capacity));
    this.fee = grown(this.fee, new Float64Array(capacity));
    this.tokenStart = grown(this.tokenStart, new Uint32Array(capacity));
    this.tokenCount = grown(this.tokenCount, new Uint32Array(capacity));
  }
}

function arraysOf(capacity: number, before?: ColumnArrays): ColumnArrays {
  const arrays = columnNames.map((name) => {
    const array = new numberColumns[name].array(capacity);
    if (before !== undefined) array.set(before[name]);
    return [name, array];
  });
  // Each array has the type that the table gives.
  return Object.fromEntries(arrays) as ColumnArrays;
}

function enlarged(capacity: number): number {
  return Math.max(1024, Math.ceil(capacity * 1.25));
}

function grown<A extends Uint32Array | Float64Array>(from: A, to: A): A {
  to.set(from);
  return to;
}
