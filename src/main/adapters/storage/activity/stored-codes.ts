import { directionValues, kindValues, type CompletenessValue } from '../../../../shared/activity/filter.ts';

/** Values that are stored as their position in these lists: only append. */
export const storedKinds = kindValues;
export const storedDirections = directionValues;
export const storedStatuses = ['success', 'failed', 'unknown'] as const;
export const storedCompletenesses = ['partial', 'complete'] as const;
export const storedReorgs = ['reorganised', 'gone'] as const;
export const storedWhys = ['integrity', 'reorganised', 'gone'] as const;

/** The values of the field `completeness` for a row; one with an undecoded part never counts as complete. */
export function completenessValues(
  completeness: (typeof storedCompletenesses)[number],
  hasUnreadParts: boolean,
): CompletenessValue[] {
  if (!hasUnreadParts) return [completeness];
  return completeness === 'partial' ? ['partial', 'unread'] : ['unread'];
}
