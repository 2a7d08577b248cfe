import { listed, shortName } from '../../../../shared/health/names.ts';

/** Names of checks for a sentence: the first three, cleaned for display, and how many more there are. */
export function nameList(names: readonly string[]): string {
  return listed(names.map((name) => shortName(name)));
}
