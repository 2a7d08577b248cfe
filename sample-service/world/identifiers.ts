import { sha256 } from '@noble/hashes/sha2.js';
import { hexToBytes } from '@noble/hashes/utils.js';
import { randomHex } from './random.ts';

export const zeroAddress = `0x${'0'.repeat(40)}`;

/** An address in lower case; `salt` tells kinds of addresses apart. */
export function sampleAddress(seed: number, salt: number, index: number): string {
  return `0x${randomHex(5, seed ^ 0xadd4, salt, index)}`;
}

/** Another address that begins and ends like one. */
export function lookAlike(seed: number, address: string, salt: number, index: number): string {
  return address.slice(0, 6) + randomHex(4, seed ^ 0x100c, salt, index) + address.slice(-4);
}

/** A hash of 32 bytes. */
export function sampleHash(seed: number, salt: number, index: number): string {
  return `0x${randomHex(8, seed ^ 0x7a54, salt, index)}`;
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

/** A 32-byte id in its usual spelling, such as a blockchain, subnet or block id. */
export function sampleId(seed: number, salt: number, index: number): string {
  return cb58(hexToBytes(randomHex(8, seed, salt, index)));
}

/** `NodeID-` and a 20-byte id. */
export function sampleNodeId(seed: number, index: number): string {
  return `NodeID-${cb58(hexToBytes(randomHex(5, seed, 0x40de, index)))}`;
}
