import * as z from 'zod/mini';
import type { Direction, RowDescription } from './describe.ts';
import type { HiddenReason } from './spam-types.ts';

type Kind = RowDescription['kind'];

// Places in these two tables are stored (`stored-codes.ts`): a new one goes to the end.
const kindNames: Readonly<Record<Kind, string>> = {
  transfer: 'Transfer',
  'token-transfer': 'Token transfer',
  'nft-transfer': 'NFT transfer',
  exchange: 'Exchange',
  'contract-call': 'Contract call',
  'contract-creation': 'New contract',
};

const directionNames: Readonly<Record<Direction | 'both', string>> = {
  in: 'In',
  out: 'Out',
  both: 'In and out',
  self: 'Within',
  none: 'Nothing moved',
};

export const completenessNames = { partial: 'Partial', complete: 'Complete', unread: 'Not all read' };

export const hiddenNames: Readonly<Record<HiddenReason, string>> = {
  'zero-value': 'Zero value',
  'look-alike': 'Look-alike',
  'fan-out': 'Sent to many',
  'lure-text': 'Lure',
  'remote-media': 'Remote media',
  user: 'Hidden by you',
};

/** `unread`: a part of the row, or all of it, could not be read; it counts as `partial` too while more of it can be fetched. */
export type CompletenessValue = keyof typeof completenessNames;

interface FieldDefinition {
  name: string;
  /** Its values are labels or addresses of the user. */
  isPrivate?: true;
  /** All values that it can have, and their names; without it they depend on what is stored. */
  values?: Readonly<Record<string, string>>;
  /** What its values are, where they have names elsewhere: in the watchlist and the book, or at the service. */
  valuesAre?: 'addresses' | 'chains' | 'tokens';
  /** Its name is a sentence with its values. */
  isVerb?: true;
  /** What is between two ends passes, instead of what has one of some values. */
  range?: 'decimal' | 'whole' | 'time';
  /** Said to whoever fills in the ends. */
  hint?: string;
}

const fields = {
  /** A watched address, checksummed. */
  address: { name: 'Address', isPrivate: true, valuesAre: 'addresses' },
  chain: { name: 'Chain', valuesAre: 'chains' },
  kind: { name: 'Kind', values: kindNames },
  direction: { name: 'Direction', values: directionNames },
  /** `CHAINID KEY`: chain id and `Asset.key`. */
  token: { name: 'Token', valuesAre: 'tokens' },
  /** A checksummed address. */
  counterparty: { name: 'Counterparty', isPrivate: true, valuesAre: 'addresses' },
  /** Decimal text in whole units of any token that moved for the address, or of the pill's token. */
  amount: { name: 'Amount', range: 'decimal', hint: 'In whole tokens, both ends included.' },
  /** Decimal text in the currency of the stored prices. */
  value: {
    name: 'Value at the time',
    range: 'decimal',
    hint: 'At the prices of the time, in the currency that the service gives them in: an opened transaction names it.',
  },
  /** Milliseconds since 1970 as digits. */
  time: { name: 'Time', range: 'time' },
  /** Its name, or its hash where it has none. */
  method: { name: 'Method' },
  status: { name: 'Status', values: { success: 'Success', failed: 'Failed', unknown: 'Unknown' } },
  /** Of a watched address. */
  tag: { name: 'Tag', isPrivate: true },
  block: { name: 'Block', range: 'whole', hint: 'Block numbers, both ends included.' },
  completeness: { name: 'Completeness', values: completenessNames },
  hidden: { name: 'Hidden because', values: hiddenNames, isVerb: true },
} as const satisfies Record<string, FieldDefinition>;

export type FilterField = keyof typeof fields;
export type RangeField = {
  [F in FilterField]: (typeof fields)[F] extends { range: string } ? F : never;
}[FilterField];
export type ChoiceField = Exclude<FilterField, RangeField>;

/**
 * All that the timeline can be filtered by, in the order in which it is offered: for the window this is all there is to a
 * field. What it means for a stored row is in `adapters/storage/activity/row-index` (`fields.ts`, `pills.ts`).
 */
export const fieldOf: Readonly<Record<FilterField, FieldDefinition>> = fields;

// `Object.keys` forgets which keys there are.
export const fieldIds = Object.keys(fields) as readonly FilterField[];

export function isRangeField(field: FilterField): field is RangeField {
  return fieldOf[field].range !== undefined;
}

export const choiceFields = fieldIds.filter((field): field is ChoiceField => !isRangeField(field));

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
  /** Both ends included; null is open. */
  z.strictObject({
    field: z.enum(fieldIds.filter(isRangeField)),
    not: z.boolean(),
    min: bound,
    max: bound,
    /** Of amounts: a value of the field `token`. */
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
export type RangePill = Extract<FilterPill, { min: string | null }>;
export type ChoicePill = Exclude<FilterPill, RangePill>;
export type ActivityFilter = z.infer<typeof activityFilterSchema>;
export type SavedView = z.infer<typeof savedViewSchema>;

export const everything: ActivityFilter = { pills: [], text: '', showHidden: false };

// The keys of the tables above, which have no others.
export const kindValues = Object.keys(kindNames) as readonly Kind[];
// The same.
export const directionValues = Object.keys(directionNames) as readonly (Direction | 'both')[];
