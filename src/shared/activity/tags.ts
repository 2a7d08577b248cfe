/** Maximum number and length of an address's tags. */
export const tagLimits = { count: 20, length: 50 } as const;

/** Splits a text into tags at `separator`: without duplicates and empty ones, within the limits. */
export function splitTags(text: string, separator: ',' | ';'): string[] {
  const tags = text.split(separator).map((tag) => tag.trim().slice(0, tagLimits.length).trim());
  return [...new Set(tags)].filter((tag) => tag !== '').slice(0, tagLimits.count);
}
