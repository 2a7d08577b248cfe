import { checkAddress, type AddressCheck } from '../../../../shared/address.ts';
import { refuse } from '../../../../shared/errors.ts';
import { longest, tagLimits } from '../../../../shared/limits.ts';
import { cleanText } from '../../../../shared/text.ts';
import type { StoredAddress } from '../../activity-ports.ts';

export type AddressFields = Pick<StoredAddress, 'label' | 'tags' | 'colour' | 'paused'>;

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
  const cleanTags = tags.map((tag) => cleanText(tag, tagLimits.length)).filter((tag) => tag !== '');
  const cleanLabel = cleanText(label ?? '', longest.label) || null;
  return { ...stored, label: cleanLabel, tags: [...new Set(cleanTags)], colour, paused };
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
