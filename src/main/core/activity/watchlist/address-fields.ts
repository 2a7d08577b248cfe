import { checkAddress, type AddressCheck } from '../../../../shared/activity/address.ts';
import type { AddressColour } from '../../../../shared/activity/types.ts';
import { refuse } from '../../../../shared/errors.ts';
import { cleanText } from '../../../../shared/text.ts';

/** What the user enters about an address. */
export interface AddressFields {
  label: string | null;
  tags: readonly string[];
  colour: AddressColour | null;
  paused: boolean;
}

/** Longest label, tag or name in the book, in characters. */
export const longestName = 300;

/** One line without control characters; null when nothing is left. */
export function cleanLabel(label: string | null): string | null {
  const text = cleanText(label ?? '', longestName);
  return text === '' ? null : text;
}

/** Cleans tags and removes duplicates, keeping their order. */
export function cleanTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => cleanText(tag, longestName)).filter((tag) => tag !== ''))];
}

/** The checksummed spelling of an address entered by the user; throws a refusal for anything else. */
export function checkedAddress(text: string): string {
  const check = checkAddress(text);
  return check.ok ? check.address : refuse(addressProblem(check));
}

/** Why a text is not accepted as an address; suggests the right spelling where only the checksum is wrong. */
function addressProblem(check: Exclude<AddressCheck, { ok: true }>): string {
  switch (check.reason) {
    case 'empty':
      return 'Enter an address.';
    case 'not-an-address':
      return 'This is not an address: 0x and 40 hexadecimal digits.';
    case 'wrong-checksum':
      return `A character is wrong: upper and lower case do not match. If all digits are right, the address is ${check.checksummed}.`;
  }
}
