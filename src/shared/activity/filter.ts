import * as z from 'zod/mini';
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

const text = z.string().check(z.maxLength(500));
const bound = z.nullable(z.string().check(z.maxLength(100)));

/** One condition. `not` turns it round. */
const pill = z.union([
  /** Several values mean any of them. */
  z.strictObject({
    field: z.enum(choiceFields),
    not: z.boolean(),
    values: z.array(text).check(z.minLength(1), z.maxLength(200)),
  }),
  /**
   * `min` inclusive, `max` inclusive; null is open. `amount`: decimal text in whole units of any token that moved for the
   * address (or of `token`, a value of the token field). `value`: decimal text in the currency of the stored prices.
   * `block`: digits. `time`: milliseconds since 1970 as digits.
   */
  z.strictObject({
    field: z.enum(['amount', 'value', 'block', 'time']),
    not: z.boolean(),
    min: bound,
    max: bound,
    token: z.exactOptional(text),
  }),
]);

/** Which rows of the timeline are shown: those that every pill and the text let through. From the window or a file. */
export const activityFilterSchema = z.strictObject({
  pills: z.array(pill).check(z.maxLength(30)),
  /** Looked for in labels, addresses, hashes, names and symbols of tokens, and methods; without regard to case. */
  text: z.string().check(z.maxLength(200)),
  /** Rows that a spam rule or the user has hidden are shown among the others. */
  showHidden: z.boolean(),
});

/** A filter that the user has named. */
export const savedViewSchema = z.strictObject({
  id: z.string().check(z.minLength(1), z.maxLength(100)),
  name: z.string().check(z.minLength(1), z.maxLength(100)),
  filter: activityFilterSchema,
});

export type FilterPill = z.infer<typeof pill>;
export type RangeField = Exclude<FilterPill['field'], ChoiceField>;
export type ActivityFilter = z.infer<typeof activityFilterSchema>;
export type SavedView = z.infer<typeof savedViewSchema>;

export const everything: ActivityFilter = { pills: [], text: '', showHidden: false };

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
