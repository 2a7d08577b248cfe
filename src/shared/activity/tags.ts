import { tagLimits } from '../limits.ts';

/**
 * Splits a text into tags at commas, as a person writes them, and at semicolons, as files have them: so that no tag has
 * either. Without duplicates and empty ones, within the limits.
 */
export function splitTags(text: string): string[] {
  const tags = text.split(/[,;]/).map((tag) => tag.trim().slice(0, tagLimits.length).trim());
  return [...new Set(tags)].filter((tag) => tag !== '').slice(0, tagLimits.count);
}
