import { cleanText } from '../../../../shared/text.ts';

/** Names of checks for a sentence: the first three, cleaned for display, and how many more there are. */
export function nameList(names: readonly string[]): string {
  const shown = names.slice(0, 3).map((name) => cleanText(name, 80) || '(no name)');
  const more = names.length - shown.length;
  if (more > 0) return `${shown.join(', ')} and ${more} more`;
  const last = shown.pop() ?? '';
  return shown.length === 0 ? last : `${shown.join(', ')} and ${last}`;
}

/** `1 check`, `2 checks`. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`;
}
