import { directionValues, kindValues, type CompletenessValue } from '../../../../shared/activity/filter.ts';

/** Values that are stored as their position in these lists: only append. */
export const storedKinds = kindValues;
export const storedDirections = directionValues;
export const storedStatuses = ['success', 'failed', 'unknown'] as const;
export const storedCompletenesses = ['partial', 'complete'] as const;
export const storedReorgs = ['reorganised', 'gone'] as const;
export const storedWhys = ['integrity', 'reorganised', 'gone'] as const;

/** In SQL, the value whose position in `values` is stored in the column; null for none. */
export function wordOf<Column extends string>(column: Column, values: readonly string[]) {
  const cases = values.map((value, place) => `WHEN ${place} THEN '${value}'`);
  return `CASE ${column} ${cases.join(' ')} END` as const;
}

/** The values of the field `completeness` for a row; one with an undecoded part never counts as complete. */
export function completenessValues(
  completeness: (typeof storedCompletenesses)[number],
  hasUnreadParts: boolean,
): CompletenessValue[] {
  if (!hasUnreadParts) return [completeness];
  return completeness === 'partial' ? ['partial', 'unread'] : ['unread'];
}
