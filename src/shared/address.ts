import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** What is wrong with a text that should be an address; `checksummed` is the correct spelling, if there is one. */
export type AddressCheck =
  | { ok: true; address: string }
  | { ok: false; reason: 'empty' | 'not-an-address' }
  | { ok: false; reason: 'wrong-checksum'; checksummed: string };

/** Whether a text is an address in any spelling, with a correct checksum or not. */
export const isAddress = (text: string): boolean => /^0x[0-9a-f]{40}$/i.test(text);

/** Checksum spelling of an address; other text stays as it is. For text from the service, not from users. */
export const spellAddress = (text: string): string => (isAddress(text) ? toChecksumAddress(text) : text);

/** Applies the mixed-case spelling of EIP-55 to `0x` and 40 hexadecimal digits in any case. */
export function toChecksumAddress(address: string): string {
  const digits = address.slice(2).toLowerCase();
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)));
  const spelled = digits.replace(/[a-f]/g, (letter, at: number) =>
    parseInt(hash.charAt(at), 16) >= 8 ? letter.toUpperCase() : letter,
  );
  return `0x${spelled}`;
}

/**
 * Checks an address that a person typed or pasted. All lower or upper case has no checksum and is accepted; mixed case
 * must match, because a wrong checksum means that a digit was mistyped.
 */
export function checkAddress(input: string): AddressCheck {
  const text = input.trim();
  if (text === '') return { ok: false, reason: 'empty' };
  if (!isAddress(text)) return { ok: false, reason: 'not-an-address' };
  const digits = text.slice(2);
  const checksummed = toChecksumAddress(text);
  const isSingleCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  if (isSingleCase || checksummed.slice(2) === digits) return { ok: true, address: checksummed };
  return { ok: false, reason: 'wrong-checksum', checksummed };
}
