/** Tags as they are typed: parted by commas, each once, without empty ones, no longer than a tag may be. */
export function splitTags(text: string): string[] {
  const tags = text.split(',').map((tag) => tag.trim().slice(0, 50));
  return [...new Set(tags)].filter((tag) => tag !== '').slice(0, 20);
}
