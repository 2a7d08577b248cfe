import { createHash } from 'node:crypto';
import { isId } from '../../../../../shared/base58.ts';

/**
 * Ids as nodes write them: 32 bytes and the last four bytes of their SHA-256, in base 58. The checksum need not be
 * stored, and ids of accepted blocks are most of what cannot be compressed in a node's reports.
 */

const digits = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
export const idBytes = 32;
const wholeBytes = idBytes + 4;

/** The 32 bytes of an id, if `writeId` turns them into exactly this text; otherwise null. */
export function readId(text: string): Uint8Array | null {
  if (!isId(text)) return null;
  let number = 0n;
  for (const digit of text) number = number * 58n + BigInt(digits.indexOf(digit));
  const hex = number.toString(16).padStart(2 * wholeBytes, '0');
  const bytes = Buffer.from(hex, 'hex').subarray(0, idBytes);
  return writeId(bytes) === text ? bytes : null;
}

export function writeId(bytes: Uint8Array): string {
  const checksum = createHash('sha256').update(bytes).digest().subarray(-4);
  const whole = Buffer.concat([bytes, checksum]);
  let text = '';
  for (let number = BigInt(`0x${whole.toString('hex')}`); number > 0n; number /= 58n) {
    text = (digits[Number(number % 58n)] ?? '') + text;
  }
  // Each leading zero byte is written as the digit for 0.
  const zeros = whole.findIndex((byte) => byte !== 0);
  return '1'.repeat(Math.max(0, zeros)) + text;
}
