import type { Direction, RowDescription } from './describe.ts';

/**
 * Columns that a pill chooses values of. `address`: watched address, checksummed. `tag`: of a watched address. `token`:
 * `CHAINID KEY`, chain id and `Asset.key`. `counterparty`: checksummed address. `method`: its name, or its hash where it has
 * none. `hidden`: a `HiddenReason`.
 */
export const choiceFields = [
  'address',
  'tag',
  'chain',
  'kind',
  'direction',
  'token',
  'counterparty',
  'method',
  'status',
  'completeness',
  'hidden',
] as const;

export type ChoiceField = (typeof choiceFields)[number];

/** Columns that a pill gives a range of. */
export type RangeField = 'amount' | 'value' | 'block' | 'time';

/** One condition. `not` turns it round; several values mean any of them. */
export type FilterPill =
  | { field: ChoiceField; not: boolean; values: string[] }
  /**
   * `min` inclusive, `max` inclusive; null is open. `amount`: decimal text in whole units of any token that moved for the
   * address (or of `token`, a value of the token field). `value`: decimal text in the currency of the stored prices.
   * `block`: digits. `time`: milliseconds since 1970 as digits.
   */
  | { field: RangeField; not: boolean; min: string | null; max: string | null; token?: string };

/** Which rows of the timeline are shown: those that every pill and the text let through. */
export interface ActivityFilter {
  pills: FilterPill[];
  /** Looked for in labels, addresses, hashes, names and symbols of tokens, and methods; without regard to case. */
  text: string;
  /** Rows that a spam rule or the user has hidden are shown among the others. */
  showHidden: boolean;
}

export const everything: ActivityFilter = { pills: [], text: '', showHidden: false };

/** A filter that the user has named. */
export interface SavedView {
  id: string;
  name: string;
  filter: ActivityFilter;
}

export const kindValues: readonly RowDescription['kind'][] = [
  'transfer',
  'token-transfer',
  'nft-transfer',
  'exchange',
  'contract-call',
  'contract-creation',
];

/** `unread`: a part of the row, or all of it, could not be read; it counts as `partial` too while more of it can be fetched. */
export const completenessValues = ['partial', 'complete', 'unread'] as const;

export type CompletenessValue = (typeof completenessValues)[number];

export const directionValues: readonly (Direction | 'both')[] = ['in', 'out', 'both', 'self', 'none'];
