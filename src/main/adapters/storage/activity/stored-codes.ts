import { directionValues, kindValues, type CompletenessValue } from '../../../../shared/activity/filter.ts';

/** What of a row is stored as a number: its place in one of these lists, which may only be added to. */
export const storedKinds = kindValues;
export const storedDirections = directionValues;
export const storedStatuses = ['success', 'failed', 'unknown'] as const;
export const storedCompletenesses = ['partial', 'complete'] as const;
export const storedReorgs = ['reorganised', 'gone'] as const;
export const storedWhys = ['integrity', 'reorganised', 'gone'] as const;

/** The values of the field `completeness` that a row has: one with a part that could not be read is never complete. */
export function completenessValues(
  completeness: (typeof storedCompletenesses)[number],
  hasUnreadParts: boolean,
): CompletenessValue[] {
  if (!hasUnreadParts) return [completeness];
  return completeness === 'partial' ? ['partial', 'unread'] : ['unread'];
}
