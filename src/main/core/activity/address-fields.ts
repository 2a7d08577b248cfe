import type { AddressColour } from '../../../shared/activity/types.ts';
import { plainText } from '../../../shared/endpoints/error-answer.ts';

/** What the user says about an address. */
export interface AddressFields {
  label: string | null;
  tags: readonly string[];
  colour: AddressColour | null;
  paused: boolean;
}

/** One line without control characters; null for nothing. */
export function cleanLabel(label: string | null): string | null {
  const text = plainText(label ?? '');
  return text === '' ? null : text;
}

/** Each tag once, one line each, in the order given. */
export function cleanTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => plainText(tag)).filter((tag) => tag !== ''))];
}
