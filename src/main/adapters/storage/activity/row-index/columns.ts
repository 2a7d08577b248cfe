/** Numbers so small that they share the column `bits`. */
export const bitParts = {
  kind: { sql: 'kind', shift: 0, mask: 7 },
  direction: { sql: 'direction', shift: 3, mask: 7 },
  status: { sql: 'status', shift: 6, mask: 3 },
  // The lower bit: it is complete. The upper one: a part of it could not be read.
  completeness: { sql: 'is_complete | (has_unread_parts << 1)', shift: 8, mask: 3 },
  // Why it is hidden (`reasonBits`); 0 while it is shown. Seven rules and the user's decision have room.
  reasons: { sql: 'reasons', shift: 10, mask: 255 },
  // Digits of the value are more than a double tells apart; not read, but found when the value is.
  longValue: { sql: null, shift: 18, mask: 1 },
} as const;

const bitsSql = Object.values(bitParts)
  .flatMap(({ sql, shift }) => (sql === null ? [] : `((${sql}) << ${shift})`))
  .join(' | ');

/**
 * What is kept of each row in memory, for filters to pass over: numbers, a row at the same place (slot) of each array. This
 * table is all that the SQL which reads them, the arrays and their filling depend on.
 */
export const numberColumns = {
  id: { sql: 'id', array: Float64Array },
  timestampMs: { sql: 'timestamp_ms', array: Float64Array },
  // Halves of the block number: a loop over numbers is many times faster than one over `bigint`.
  blockHigh: { sql: 'block_number >> 32', array: Int32Array },
  blockLow: { sql: 'block_number & 4294967295', array: Uint32Array },
  blockIndex: { sql: 'block_index', array: Float64Array },
  address: { sql: 'address_ref', array: Uint32Array },
  chain: { sql: 'chain_ref', array: Uint32Array },
  // Numbers of facets; 0 for none.
  counterparty: { sql: 'coalesce(counterparty_ref, 0)', array: Uint32Array },
  method: { sql: 'coalesce(method_ref, 0)', array: Uint32Array },
  bits: { sql: bitsSql, array: Uint32Array },
} as const;

export type NumberColumn = keyof typeof numberColumns;

// The keys of the table above, as its type says.
export const columnNames = Object.keys(numberColumns) as NumberColumn[];

type ColumnArrays = { [Name in NumberColumn]: InstanceType<(typeof numberColumns)[Name]['array']> };

/** Tokens of all rows one after the other; a row knows where its own begin. */
interface TokenPool {
  refs: Uint32Array;
  /** Whole units as the nearest double; NaN when not known; negative for one with more digits than a double tells apart. */
  amounts: Float64Array;
  used: number;
}

/** The arrays. Slots are given in the order of arrival and never change; one is given up only with all others. */
export class Columns {
  size = 0;
  #capacity = 0;
  numbers = arraysOf(0);
  value = new Float64Array(0);
  tokenStart = new Uint32Array(0);
  tokenCount = new Uint16Array(0);
  readonly tokens: TokenPool = { refs: new Uint32Array(0), amounts: new Float64Array(0), used: 0 };

  /** A new slot, all of whose numbers are still to be written. */
  add(): number {
    if (this.size === this.#capacity) this.#grow();
    this.size += 1;
    return this.size - 1;
  }

  part(name: keyof typeof bitParts, slot: number): number {
    const { shift, mask } = bitParts[name];
    return ((this.numbers.bits[slot] ?? 0) >>> shift) & mask;
  }

  /** Writes the tokens of a row, over those that it had where they have room. */
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

  #grow(): void {
    const capacity = enlarged(this.#capacity);
    this.#capacity = capacity;
    this.numbers = arraysOf(capacity, this.numbers);
    this.value = grown(this.value, new Float64Array(capacity));
    this.tokenStart = grown(this.tokenStart, new Uint32Array(capacity));
    this.tokenCount = grown(this.tokenCount, new Uint16Array(capacity));
  }
}

function arraysOf(capacity: number, before?: ColumnArrays): ColumnArrays {
  const arrays = columnNames.map((name) => {
    const array = new numberColumns[name].array(capacity);
    if (before !== undefined) array.set(before[name]);
    return [name, array];
  });
  // An array of its kind for each column of the table.
  return Object.fromEntries(arrays) as ColumnArrays;
}

function enlarged(capacity: number): number {
  return Math.max(1024, Math.ceil(capacity * 1.5));
}

function grown<A extends Uint16Array | Uint32Array | Float64Array>(from: A, to: A): A {
  to.set(from);
  return to;
}
