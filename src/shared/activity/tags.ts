import { tagLimits } from '../limits.ts';

/** Splits a text into tags at `separator`: without duplicates and empty ones, within the limits. */
export function splitTags(text: string, separator: ',' | ';'): string[] {
  const tags = text.split(separator).map((tag) => tag.trim().slice(0, tagLimits.length).trim());
  return [...new Set(tags)].filter((tag) => tag !== '').slice(0, tagLimits.count);
}
