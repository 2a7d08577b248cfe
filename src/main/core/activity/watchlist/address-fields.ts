import { checkAddress, type AddressCheck } from '../../../../shared/address.ts';
import { refuse } from '../../../../shared/errors.ts';
import { longest, tagLimits } from '../../../../shared/limits.ts';
import { cleanText } from '../../../../shared/text.ts';
import type { StoredAddress } from '../../activity-ports.ts';

export type AddressFields = Pick<StoredAddress, 'label' | 'tags' | 'colour' | 'paused'>;

/** One line without control characters; null when nothing is left. */
function cleanLabel(label: string | null): string | null {
  const text = cleanText(label ?? '', longest.label);
  return text === '' ? null : text;
}

/** Cleans tags and removes duplicates, keeping their order. */
function cleanTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => cleanText(tag, tagLimits.length)).filter((tag) => tag !== ''))];
}

/** The checksummed spelling of an address entered by the user; throws a refusal for anything else. */
export function checkedAddress(text: string): string {
  const check = checkAddress(text);
  return check.ok ? check.address : refuse(addressProblem(check));
}

export function newAddress(
  address: string,
  { label = null, tags = [], colour = null, paused = false }: Partial<AddressFields>,
  addedAtMs: number,
): StoredAddress {
  const spelt = checkedAddress(address);
  const nothing = { label: null, tags: [], colour: null, paused };
  return changedAddress({ address: spelt, addedAtMs, ...nothing }, { label, tags, colour, paused });
}

/** A watched address with what the user now says of it. */
export function changedAddress(
  stored: StoredAddress,
  { label, tags, colour, paused }: AddressFields,
): StoredAddress {
  return { ...stored, label: cleanLabel(label), tags: cleanTags(tags), colour, paused };
}

/** Why a text is not accepted as an address; suggests the right spelling where only the checksum is wrong. */
function addressProblem(check: Exclude<AddressCheck, { ok: true }>): string {
  switch (check.reason) {
    case 'empty':
      return 'Enter an address.';
    case 'not-an-address':
      return 'This isn’t an address. Enter 0x and 40 hexadecimal digits.';
    case 'wrong-checksum':
      return `Wrong checksum: a character may be mistyped. If only the capitalisation is wrong, the correct address is ${check.checksummed}.`;
  }
}
