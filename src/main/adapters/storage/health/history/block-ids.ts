import { hash } from 'node:crypto';
import { isId } from '../../../../../shared/base58.ts';

/**
 * Ids as nodes write them: 32 bytes and the last four bytes of their SHA-256, in base 58. The checksum need not be
 * stored, and ids of accepted blocks are most of what cannot be compressed in a node's reports.
 */

const digits = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
export const idBytes = 32;
const wholeBytes = idBytes + 4;

/** As many digits at a time as a number holds exactly: far fewer calculations with whole ids. */
const groupSize = 9;
const group = 58n ** BigInt(groupSize);

/** The 32 bytes of an id, if `writeId` turns them into exactly this text; otherwise null. */
export function readId(text: string): Uint8Array | null {
  if (!isId(text)) return null;
  const padded = '1'.repeat(groupSize - 1 - ((text.length + groupSize - 1) % groupSize)) + text;
  let number = 0n;
  for (let at = 0; at < padded.length; at += groupSize) {
    let part = 0;
    for (const digit of padded.slice(at, at + groupSize)) part = part * 58 + digits.indexOf(digit);
    number = number * group + BigInt(part);
  }
  const hex = number.toString(16).padStart(2 * wholeBytes, '0');
  const bytes = Buffer.from(hex, 'hex').subarray(0, idBytes);
  return writeId(bytes) === text ? bytes : null;
}

export function writeId(bytes: Uint8Array): string {
  const whole = Buffer.concat([bytes, hash('sha256', bytes, 'buffer').subarray(-4)]);
  const written: string[] = [];
  for (let number = BigInt(`0x${whole.toString('hex')}`); number > 0n; number /= group) {
    let part = Number(number % group);
    for (let place = 0; place < groupSize; place += 1) {
      written.push(digits.charAt(part % 58));
      part = Math.floor(part / 58);
    }
  }
  // Each leading zero byte is written as the digit for 0.
  const zeros = whole.findIndex((byte) => byte !== 0);
  return '1'.repeat(Math.max(0, zeros)) + written.reverse().join('').replace(/^1+/, '');
}
