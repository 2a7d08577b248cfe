import { sha256 } from '@noble/hashes/sha2.js';
import { hexToBytes } from '@noble/hashes/utils.js';
import { hexToWords, mix, scramble, unscramble, wordsToHex, type WordPair } from './random.ts';

/**
 * Addresses and hashes that carry what they stand for: 64 bits, scrambled, followed by a check that depends on them. So
 * any identifier that the service ever gave out can be read back without a table, and a made-up one is recognised.
 */

/** The digits of an identifier of `wordCount` 32-bit words; `salt` tells kinds of identifiers apart. */
export function encodeIdentifier(seed: number, salt: number, payload: WordPair, wordCount: number): string {
  const [high, low] = scramble(seed ^ salt, payload);
  const words = [high, low];
  for (let i = 2; i < wordCount; i += 1) words.push(mix(seed ^ salt, high, low, i));
  return wordsToHex(words);
}

/** What `encodeIdentifier` was given, or null for digits that it did not make. */
export function decodeIdentifier(seed: number, salt: number, digits: string): WordPair | null {
  const words = hexToWords(digits);
  const [high, low] = words;
  if (high === undefined || low === undefined) return null;
  for (let i = 2; i < words.length; i += 1) {
    if (words[i] !== mix(seed ^ salt, high, low, i)) return null;
  }
  return unscramble(seed ^ salt, [high, low]);
}

const base58Alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Base 58 with a four-byte checksum: the spelling of blockchain, subnet and node ids. */
export function cb58(bytes: Uint8Array): string {
  const withCheck = new Uint8Array(bytes.length + 4);
  withCheck.set(bytes);
  withCheck.set(sha256(bytes).slice(-4), bytes.length);
  let number = 0n;
  for (const byte of withCheck) number = (number << 8n) | BigInt(byte);
  let text = '';
  while (number > 0n) {
    text = base58Alphabet.charAt(Number(number % 58n)) + text;
    number /= 58n;
  }
  for (const byte of withCheck) {
    if (byte !== 0) break;
    text = `1${text}`;
  }
  return text;
}

/** A 32-byte id in its usual spelling, such as a blockchain or subnet id. */
export function sampleId(seed: number, salt: number, index: number): string {
  return cb58(hexToBytes(encodeIdentifier(seed, salt, [salt, index], 8)));
}

/** `NodeID-` and a 20-byte id. */
export function sampleNodeId(seed: number, index: number): string {
  return `NodeID-${cb58(hexToBytes(encodeIdentifier(seed, 0x40de, [0, index], 5)))}`;
}
