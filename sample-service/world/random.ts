/**
 * Randomness by position instead of sequence: every draw is a pure function of the seed and its place of use, so
 * the same seed makes the same world in any order of creation.
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

/** A number from 0, inclusive, to 1, exclusive. */
export function fraction(seed: number, a: number, b = 0, c = 0): number {
  return mix(seed, a, b, c) / 0x1_0000_0000;
}

/** A whole number from 0 to `limit - 1`. */
export function below(limit: number, seed: number, a: number, b = 0, c = 0): number {
  return Math.floor(fraction(seed, a, b, c) * limit);
}

/**
 * An amount in base units of a token with these decimals: mostly 0.01 to 5,000 in a few digits, sometimes with
 * all digits, and occasionally dust. Never zero.
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

/** The two hexadecimal digits of each byte, precomputed because identifiers are most of the output. */
const byteDigits = Array.from({ length: 0x100 }, (_, i) => i.toString(16).padStart(2, '0'));
const digitsOf = (byte: number) => byteDigits[byte & 0xff] ?? '';

/** Random 32-bit words in hexadecimal digits. */
export function randomHex(words: number, seed: number, a: number, b = 0): string {
  let text = '';
  for (let i = 0; i < words; i += 1) {
    const word = mix(seed, a, b, i);
    text += digitsOf(word >>> 24) + digitsOf(word >>> 16) + digitsOf(word >>> 8) + digitsOf(word);
  }
  return text;
}
