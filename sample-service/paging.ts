import { mix } from './world/random.ts';

/** Where the next page begins: a transaction of a chain and, in lists of records, a place within it. */
export interface Cursor {
  /** Index of the chain; needed where a list runs over all of them. */
  readonly chain: number;
  readonly n: number;
  readonly part: number;
}

export interface PageTokens {
  /** An opaque token for the page that begins at `cursor` of the list that `query` names. */
  issue(cursor: Cursor, query: string): string;
  /** The cursor, or null for a token that is foreign, belongs to another query, or has expired. */
  redeem(token: string, query: string): Cursor | null;
}

const tokenPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const salt = 0x70c3;
const rounds = 6;
/** Halves of 61 bits: a whole word and 29 bits more; together the 122 free bits of a version 4 UUID. */
const lowMask = 0x1fff_ffff;

type Half = readonly [number, number];

/**
 * Tokens look like random UUIDs, as the public service's do, and are the encrypted cursor, query and time of issue: the
 * service keeps nothing for them and any number may be open at a time.
 */
export function createPageTokens(seed: number, ttlSeconds: number, nowSeconds: () => number): PageTokens {
  function scrambled(half: Half, round: number): Half {
    const [high, low] = half;
    return [mix(seed ^ salt, high, low, 2 * round), mix(seed ^ salt, high, low, 2 * round + 1) & lowMask];
  }

  function xor(a: Half, b: Half): Half {
    return [(a[0] ^ b[0]) >>> 0, (a[1] ^ b[1]) >>> 0];
  }

  return {
    issue(cursor, query) {
      const check = queryCheck(query);
      let left: Half = [cursor.n, (cursor.part << 17) | (cursor.chain << 9) | check[0]];
      let right: Half = [Math.floor(nowSeconds()) >>> 0, check[1]];
      for (let round = 0; round < rounds; round += 1) {
        [left, right] = [right, xor(left, scrambled(right, round))];
      }
      return toUuid(left, right);
    },
    redeem(token, query) {
      if (!tokenPattern.test(token)) return null;
      let [left, right] = fromUuid(token);
      for (let round = rounds - 1; round >= 0; round -= 1) {
        [left, right] = [xor(right, scrambled(left, round)), left];
      }
      const check = queryCheck(query);
      const ageSeconds = nowSeconds() - right[0];
      const isOurs = (left[1] & 0x1ff) === check[0] && right[1] === check[1];
      if (!isOurs || ageSeconds < 0 || ageSeconds >= ttlSeconds) return null;
      return { n: left[0], part: left[1] >>> 17, chain: (left[1] >>> 9) & 0xff };
    },
  };
}

/** 38 bits that depend on every character of the query. */
function queryCheck(query: string): Half {
  let first = 0;
  let second = 1;
  for (let i = 0; i < query.length; i += 1) {
    first = mix(first, query.charCodeAt(i), 1);
    second = mix(second, query.charCodeAt(i), 2);
  }
  return [first & 0x1ff, second & lowMask];
}

function toUuid(left: Half, right: Half): string {
  const bits =
    (BigInt(left[0]) << 90n) | (BigInt(left[1]) << 61n) | (BigInt(right[0]) << 29n) | BigInt(right[1]);
  const part = (shift: bigint, width: bigint) => (bits >> shift) & ((1n << width) - 1n);
  const hex = (value: bigint, length: number) => value.toString(16).padStart(length, '0');
  const variant = 0x8000n | part(48n, 14n);
  return [
    hex(part(90n, 32n), 8),
    hex(part(74n, 16n), 4),
    `4${hex(part(62n, 12n), 3)}`,
    hex(variant, 4),
    hex(part(0n, 48n), 12),
  ].join('-');
}

function fromUuid(token: string): [Half, Half] {
  const digits = token.replaceAll('-', '');
  const bits =
    (BigInt(`0x${digits.slice(0, 12)}`) << 74n) |
    (BigInt(`0x${digits.slice(13, 16)}`) << 62n) |
    ((BigInt(`0x${digits.slice(16, 20)}`) & 0x3fffn) << 48n) |
    BigInt(`0x${digits.slice(20)}`);
  const word = (shift: bigint, mask: number) => Number((bits >> shift) & BigInt(mask));
  return [
    [word(90n, 0xffff_ffff), word(61n, lowMask)],
    [word(29n, 0xffff_ffff), word(0n, lowMask)],
  ];
}

/** One page of a list, cut from an endless or long sequence; `next` is where the following page begins. */
export function takePage<T>(
  entries: Iterable<{ readonly at: Cursor; readonly item: T }>,
  size: number,
): { items: T[]; next: Cursor | null } {
  const items: T[] = [];
  for (const { at, item } of entries) {
    if (items.length === size) return { items, next: at };
    items.push(item);
  }
  return { items, next: null };
}
