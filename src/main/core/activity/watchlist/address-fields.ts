import type { AddressColour } from '../../../../shared/activity/types.ts';
import { cleanText } from '../../../../shared/text.ts';

/** What the user says about an address. */
export interface AddressFields {
  label: string | null;
  tags: readonly string[];
  colour: AddressColour | null;
  paused: boolean;
}

/** Letters of a label, a tag, or a name in the book. */
export const longestName = 300;

/** One line without control characters; null for nothing. */
export function cleanLabel(label: string | null): string | null {
  const text = cleanText(label ?? '', longestName);
  return text === '' ? null : text;
}

/** Each tag once, one line each, in the order given. */
export function cleanTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => cleanText(tag, longestName)).filter((tag) => tag !== ''))];
}
