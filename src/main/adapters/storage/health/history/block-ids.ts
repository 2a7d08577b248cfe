import { createHash } from 'node:crypto';

/**
 * Ids as nodes write them: 32 bytes and the last four bytes of their SHA-256, in base 58. The checksum tells nothing, and the
 * ids of accepted blocks are the largest part of what a node says that cannot be foreseen.
 */

const digits = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const valueOf = new Map(Array.from(digits, (digit, value) => [digit, value]));
export const idBytes = 32;
const checksumBytes = 4;
const wholeBytes = idBytes + checksumBytes;
/** So many digits fit into a number that is exact. */
const groupDigits = 9;
const groupValue = 58n ** BigInt(groupDigits);

/** The 32 bytes of an id that `writeId` writes as exactly this text; null for any other text. */
export function readId(text: string): Uint8Array | null {
  if (text.length < 36 || text.length > 50) return null;
  let number = 0n;
  // The first group is the one that is not full.
  for (let at = 0, end = text.length % groupDigits; end <= text.length; at = end, end += groupDigits) {
    let group = 0;
    for (let i = at; i < end; i += 1) {
      const value = valueOf.get(text[i] ?? '');
      if (value === undefined) return null;
      group = group * 58 + value;
    }
    number = number * groupValue + BigInt(group);
  }
  const hex = number.toString(16).padStart(wholeBytes * 2, '0');
  if (hex.length > wholeBytes * 2) return null;
  const whole = Buffer.from(hex, 'hex');
  const bytes = whole.subarray(0, idBytes);
  if (!checksumOf(bytes).equals(whole.subarray(idBytes)) || zerosOf(whole) !== onesOf(text)) return null;
  return bytes;
}

export function writeId(bytes: Uint8Array): string {
  const whole = Buffer.concat([bytes, checksumOf(bytes)]);
  let number = BigInt(`0x${whole.toString('hex')}`);
  let text = '';
  while (number > 0n) {
    text = groupText(Number(number % groupValue)) + text;
    number /= groupValue;
  }
  // The first group is not full.
  text = text.replace(/^1*/, '');
  return '1'.repeat(zerosOf(whole)) + text;
}

function groupText(group: number): string {
  let text = '';
  for (let rest = group, i = 0; i < groupDigits; i += 1) {
    text = (digits[rest % 58] ?? '') + text;
    rest = Math.floor(rest / 58);
  }
  return text;
}

function checksumOf(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest().subarray(-checksumBytes);
}

/** Zero bytes at the beginning, each of which is written as the digit 1. */
function zerosOf(bytes: Uint8Array): number {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first < 0 ? bytes.length : first;
}

function onesOf(text: string): number {
  return /^1*/.exec(text)?.[0].length ?? 0;
}
