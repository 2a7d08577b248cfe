/**
 * Randomness by position instead of by sequence: every draw is a pure function of the seed and of where it is used, so any
 * transaction can be made on its own, in any order, as often as needed, without keeping one.
 */

/** 32 random bits for a place given by up to four whole numbers; numbers beyond 32 bits must be split by the caller. */
export function mix(seed: number, a: number, b = 0, c = 0): number {
  let hash = absorb(seed ^ 0x2545f491, a);
  hash = absorb(hash, b);
  hash = absorb(hash, c);
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x7feb352d);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x846ca68b);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function absorb(hash: number, word: number): number {
  let mixed = Math.imul(word ^ (word >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
  mixed ^= mixed >>> 13;
  const sum = Math.imul(hash ^ mixed, 0x297a2d39);
  return (sum ^ (sum >>> 14)) + 0x632be5ab;
}

/** A whole number from 0 to `limit - 1`. */
export function below(limit: number, seed: number, a: number, b = 0, c = 0): number {
  return Math.floor((mix(seed, a, b, c) / 0x1_0000_0000) * limit);
}

/**
 * An amount in base units of a token with so many decimals: mostly 0.01 to 5,000 of it in a few digits, sometimes with
 * every digit in use, and now and then dust. Never zero.
 */
export function amount(decimals: number, seed: number, a: number, b = 0): bigint {
  const draw = mix(seed, a, b, 91);
  if (draw % 50 === 0) return BigInt(1 + below(5000, seed, a, b, 92));
  const exponent = decimals - 5 + below(5, seed, a, b, 93);
  const mantissa = BigInt(1 + below(9999, seed, a, b, 94));
  if (exponent <= 0) return mantissa / 10n ** BigInt(-exponent) || 1n;
  const step = 10n ** BigInt(exponent);
  const noise = (BigInt(mix(seed, a, b, 95)) << 32n) | BigInt(mix(seed, a, b, 96));
  return mantissa * step + (draw % 4 === 0 ? noise % step : 0n);
}

/** Two 32-bit words: enough to carry what an identifier stands for. */
export type WordPair = readonly [number, number];

/** A keyed permutation of 64 bits: makes counting numbers look random and can be undone by `unscramble`. */
export function scramble(seed: number, [high, low]: WordPair): WordPair {
  let left = high >>> 0;
  let right = low >>> 0;
  for (let round = 0; round < 4; round += 1) {
    [left, right] = [right, (left ^ mix(seed, right, round, 0x5c)) >>> 0];
  }
  return [left, right];
}

export function unscramble(seed: number, [high, low]: WordPair): WordPair {
  let left = high;
  let right = low;
  for (let round = 3; round >= 0; round -= 1) {
    [left, right] = [(right ^ mix(seed, left, round, 0x5c)) >>> 0, left];
  }
  return [left, right];
}

/** The four digits of each 16-bit number: identifiers are most of what the service writes. */
const halfWordDigits = Array.from({ length: 0x1_0000 }, (_, i) => i.toString(16).padStart(4, '0'));

/** Eight hexadecimal digits a word. */
export function wordsToHex(words: readonly number[]): string {
  let text = '';
  for (const word of words) text += `${halfWordDigits[word >>> 16]}${halfWordDigits[word & 0xffff]}`;
  return text;
}

/** The words of a text of hexadecimal digits whose length is a multiple of eight. */
export function hexToWords(hex: string): number[] {
  const words: number[] = [];
  for (let i = 0; i < hex.length; i += 8) words.push(parseInt(hex.slice(i, i + 8), 16));
  return words;
}
