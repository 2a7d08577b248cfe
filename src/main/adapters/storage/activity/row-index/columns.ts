/** Tokens of all rows one after the other; a row knows where its own begin. */
interface TokenPool {
  refs: Uint32Array;
  /** Whole units as the nearest double; NaN when not known; negative for one with more digits than a double tells apart. */
  amounts: Float64Array;
  used: number;
}

/** Places of the parts of `bits`. */
export const bitParts = {
  kind: { shift: 0, mask: 7 },
  direction: { shift: 3, mask: 7 },
  status: { shift: 6, mask: 3 },
  /** The lower bit: it is complete. The upper one: a part of it could not be read. */
  completeness: { shift: 8, mask: 3 },
  /** Digits of the value are more than a double tells apart. */
  longValue: { shift: 10, mask: 1 },
} as const;

const startOfHash = /^0x[0-9a-f]{16}$/;

/**
 * The columns of rows that filters look at, a row at the same place in each. Places are given in the order of arrival and
 * never change; a place is given up only with all others.
 */
export class Columns {
  size = 0;
  #capacity = 0;
  id = new Float64Array(0);
  timestampMs = new Float64Array(0);
  /** Halves of the block number: a loop over numbers is many times faster than one over `bigint`. */
  blockHigh = new Int32Array(0);
  blockLow = new Uint32Array(0);
  blockIndex = new Float64Array(0);
  /** The first 16 digits of the hash. */
  hashHigh = new Uint32Array(0);
  hashLow = new Uint32Array(0);
  /** Hashes that do not begin as a hash does; there should be none. */
  readonly oddHashes = new Map<number, string>();
  address = new Uint32Array(0);
  chain = new Uint32Array(0);
  bits = new Uint32Array(0);
  /** Number of the facet; 0 for none. */
  counterparty = new Uint32Array(0);
  method = new Uint32Array(0);
  value = new Float64Array(0);
  /** Why the row is hidden (`reasonBits`); 0 while it is shown. */
  reasons = new Uint8Array(0);
  tokenStart = new Uint32Array(0);
  tokenCount = new Uint16Array(0);
  readonly tokens: TokenPool = { refs: new Uint32Array(0), amounts: new Float64Array(0), used: 0 };

  /** A new place, all of whose fields are still to be written. */
  add(): number {
    if (this.size === this.#capacity) this.#grow();
    this.size += 1;
    return this.size - 1;
  }

  part(name: keyof typeof bitParts, slot: number): number {
    const { shift, mask } = bitParts[name];
    return ((this.bits[slot] ?? 0) >>> shift) & mask;
  }

  /** `hash` is as `IndexRows` has it. */
  putHash(slot: number, hash: string): void {
    if (startOfHash.test(hash)) {
      this.hashHigh[slot] = Number.parseInt(hash.slice(2, 10), 16);
      this.hashLow[slot] = Number.parseInt(hash.slice(10), 16);
      this.oddHashes.delete(slot);
    } else {
      this.oddHashes.set(slot, hash);
    }
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
        const capacity = Math.max(1024, Math.ceil(tokens.refs.length * 1.5));
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
    const capacity = Math.max(1024, Math.ceil(this.#capacity * 1.5));
    this.#capacity = capacity;
    this.id = grown(this.id, new Float64Array(capacity));
    this.timestampMs = grown(this.timestampMs, new Float64Array(capacity));
    this.blockHigh = grown(this.blockHigh, new Int32Array(capacity));
    this.blockLow = grown(this.blockLow, new Uint32Array(capacity));
    this.blockIndex = grown(this.blockIndex, new Float64Array(capacity));
    this.hashHigh = grown(this.hashHigh, new Uint32Array(capacity));
    this.hashLow = grown(this.hashLow, new Uint32Array(capacity));
    this.address = grown(this.address, new Uint32Array(capacity));
    this.chain = grown(this.chain, new Uint32Array(capacity));
    this.bits = grown(this.bits, new Uint32Array(capacity));
    this.counterparty = grown(this.counterparty, new Uint32Array(capacity));
    this.method = grown(this.method, new Uint32Array(capacity));
    this.value = grown(this.value, new Float64Array(capacity));
    this.reasons = grown(this.reasons, new Uint8Array(capacity));
    this.tokenStart = grown(this.tokenStart, new Uint32Array(capacity));
    this.tokenCount = grown(this.tokenCount, new Uint16Array(capacity));
  }
}

function grown<A extends Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array>(
  from: A,
  to: A,
): A {
  to.set(from);
  return to;
}
