/** Tags of an address, as many and as long as there may be. */
export const tagLimits = { count: 20, length: 50 } as const;

/** Tags out of a text in which `separator` parts them: each once, without empty ones, within the limits. */
export function splitTags(text: string, separator: ',' | ';'): string[] {
  const tags = text.split(separator).map((tag) => tag.trim().slice(0, tagLimits.length).trim());
  return [...new Set(tags)].filter((tag) => tag !== '').slice(0, tagLimits.count);
}
