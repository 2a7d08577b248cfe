import { createHash } from 'node:crypto';

/**
 * Ids as nodes write them: 32 bytes and the last four bytes of their SHA-256, in base 58. The checksum tells nothing, and the
 * ids of accepted blocks are the largest part of what a node says that cannot be foreseen.
 */

const digits = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const valueOf = new Map([...digits].map((digit, value) => [digit, BigInt(value)]));
export const idBytes = 32;
const checksumBytes = 4;

/** The 32 bytes of an id that `writeId` writes as exactly this text; null for any other text. */
export function readId(text: string): Uint8Array | null {
  if (text.length < 40 || text.length > 50) return null;
  let number = 0n;
  for (const character of text) {
    const value = valueOf.get(character);
    if (value === undefined) return null;
    number = number * 58n + value;
  }
  const hex = number.toString(16).padStart((idBytes + checksumBytes) * 2, '0');
  if (hex.length > (idBytes + checksumBytes) * 2) return null;
  const bytes = Buffer.from(hex.slice(0, idBytes * 2), 'hex');
  return writeId(bytes) === text ? bytes : null;
}

export function writeId(bytes: Uint8Array): string {
  const whole = Buffer.concat([bytes, createHash('sha256').update(bytes).digest().subarray(-checksumBytes)]);
  let number = BigInt(`0x${whole.toString('hex')}`);
  let text = '';
  while (number > 0n) {
    text = (digits[Number(number % 58n)] ?? '') + text;
    number /= 58n;
  }
  for (const byte of whole) {
    if (byte !== 0) break;
    text = `1${text}`;
  }
  return text;
}
