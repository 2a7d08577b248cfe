import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** What is wrong with a text that should be an address; `checksummed` is the right spelling where there is one. */
export type AddressCheck =
  | { ok: true; address: string }
  | { ok: false; reason: 'empty' | 'not-an-address' }
  | { ok: false; reason: 'wrong-checksum'; checksummed: string };

/** The mixed-case spelling of EIP-55 for 40 hexadecimal digits after `0x`, in any case. */
export function toChecksumAddress(address: string): string {
  const digits = address.slice(2).toLowerCase();
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)));
  let spelled = '0x';
  for (let i = 0; i < digits.length; i += 1) {
    const digit = digits.charAt(i);
    spelled += parseInt(hash.charAt(i), 16) >= 8 ? digit.toUpperCase() : digit;
  }
  return spelled;
}

/**
 * Checks what a person typed or pasted. All lower or all upper case carries no checksum and is accepted; mixed case
 * must be right, because a wrong one means that a digit was mistyped.
 */
export function checkAddress(input: string): AddressCheck {
  const text = input.trim();
  if (text === '') return { ok: false, reason: 'empty' };
  if (!/^0x[0-9a-fA-F]{40}$/i.test(text)) return { ok: false, reason: 'not-an-address' };
  const digits = text.slice(2);
  const checksummed = toChecksumAddress(text);
  const isSingleCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  if (isSingleCase || checksummed.slice(2) === digits) return { ok: true, address: checksummed };
  return { ok: false, reason: 'wrong-checksum', checksummed };
}

/** The checksummed spelling; what is no address stays as it is. */
export function canonicalAddress(address: string): string {
  const check = checkAddress(address);
  return check.ok ? check.address : address;
}
