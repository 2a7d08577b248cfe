import { listed, shortName } from '../../../../shared/health/names.ts';

/** Names of checks for a sentence: the first three, cleaned for display, and how many more there are. */
export function nameList(names: readonly string[]): string {
  return listed(names.map((name) => shortName(name)));
}

/** `1 check`, `2 checks`. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`;
}
