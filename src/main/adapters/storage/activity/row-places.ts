import type { CompletenessValue } from '../../../../shared/activity/filter.ts';

/** What is stored of a row by its place in a list; the lists may only be added to. */
export const storedKinds = [
  'transfer',
  'token-transfer',
  'nft-transfer',
  'exchange',
  'contract-call',
  'contract-creation',
] as const;
export const storedDirections = ['in', 'out', 'both', 'self', 'none'] as const;
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
