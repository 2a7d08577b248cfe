import * as z from 'zod/mini';
import { longest, mostPills } from '../limits.ts';
import type { Direction, RowDescription } from './describe.ts';
import { hiddenWords } from './spam-types.ts';

type Kind = RowDescription['kind'];

// The positions in these two tables are stored (`stored-codes.ts`): only append.
const kindNames: Readonly<Record<Kind, string>> = {
  transfer: 'Transfer',
  'token-transfer': 'Token transfer',
  'nft-transfer': 'NFT transfer',
  exchange: 'Swap',
  'contract-call': 'Contract call',
  'contract-creation': 'New contract',
};

const directionNames: Readonly<Record<Direction | 'both', string>> = {
  in: 'In',
  out: 'Out',
  both: 'In and out',
  self: 'To self',
  none: 'No transfers',
};

export const completenessNames = { partial: 'Partial', complete: 'Complete', unread: 'Not fully decoded' };

/** `unread`: the row could not be decoded completely; it also counts as `partial` while more of it can be fetched. */
export type CompletenessValue = keyof typeof completenessNames;

interface FieldDefinition {
  name: string;
  /** Its values are labels or addresses of the user, and thus private. */
  isPrivate?: true;
  /** All possible values with their names; without this, the values are those found in the store. */
  values?: Readonly<Record<string, string>>;
  /** Where its values get their names: from the watchlist and the book, or from the service. */
  valuesAre?: 'addresses' | 'chains' | 'tokens';
  /** Its name forms a sentence with its values. */
  isVerb?: true;
  /** A range filter instead of a choice of values. */
  range?: 'decimal' | 'whole' | 'time';
  /** Help text for the inputs of the range. */
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
  /** Decimal text in whole units, of any token that moved for the address or of the pill's token. */
  amount: { name: 'Amount', range: 'decimal', hint: 'In tokens, not base units. The range is inclusive.' },
  /** Decimal text in the currency of the stored prices. */
  value: {
    name: 'Historical value',
    range: 'decimal',
    hint: 'Priced at the time of each transaction, in the service’s currency. Open a transaction to see which currency that is.',
  },
  /** Milliseconds since 1970 as digits. */
  time: { name: 'Time', range: 'time' },
  /** The method's name, or its hash if it has none. */
  method: { name: 'Method' },
  status: { name: 'Status', values: { success: 'Success', failed: 'Failed', unknown: 'Unknown' } },
  /** A tag of a watched address. */
  tag: { name: 'Tag', isPrivate: true },
  block: { name: 'Block', range: 'whole', hint: 'Block numbers. The range is inclusive.' },
  completeness: { name: 'Completeness', values: completenessNames },
  hidden: {
    name: 'Hidden because',
    values: Object.fromEntries(Object.entries(hiddenWords).map(([reason, { word }]) => [reason, word])),
    isVerb: true,
  },
} as const satisfies Record<string, FieldDefinition>;

export type FilterField = keyof typeof fields;
export type RangeField = {
  [F in FilterField]: (typeof fields)[F] extends { range: string } ? F : never;
}[FilterField];
export type ChoiceField = Exclude<FilterField, RangeField>;

/**
 * All fields that the timeline can be filtered by, in the order offered; the window needs nothing else of a field. How
 * stored rows are matched is in `adapters/storage/activity/row-index` (`fields.ts`, `pills.ts`).
 */
export const fieldOf: Readonly<Record<FilterField, FieldDefinition>> = fields;

// `Object.keys` loses the type of the keys.
export const fieldIds = Object.keys(fields) as readonly FilterField[];

export const isRangeField = (field: FilterField): field is RangeField => fieldOf[field].range !== undefined;

export const choiceFields = fieldIds.filter((field): field is ChoiceField => !isRangeField(field));

/** Those of the service, such as a method's name, may be of any length. */
const text = z.string();
const bound = z.nullable(z.string().check(z.maxLength(100)));

/** One condition. `not` inverts it. */
const pill = z.union([
  /** Matches any of the values. */
  z.strictObject({
    field: z.enum(choiceFields),
    not: z.boolean(),
    values: z.array(text).check(z.minLength(1), z.maxLength(200)),
  }),
  /** Both ends are inclusive; null means open. */
  z.strictObject({
    field: z.enum(fieldIds.filter(isRangeField)),
    not: z.boolean(),
    min: bound,
    max: bound,
    /** For amounts: a value of the field `token`. */
    token: z.exactOptional(text),
  }),
]);

const order = z.strictObject({
  /** `amount`: of `orderedToken`, or else the value at the time; always without its sign. */
  by: z.enum(['time', 'amount', 'fee']),
  ascending: z.boolean(),
});

/** A filter of the timeline: a row must match all pills and the text. Comes from the window or a file. */
export const activityFilterSchema = z.strictObject({
  /** An address and a chain that are chosen beside the filter are two more. */
  pills: z.array(pill).check(z.maxLength(mostPills + 2)),
  /** Searched in labels, addresses, hashes, names and symbols of tokens, and methods; case-insensitive. */
  text: z.string().check(z.maxLength(longest.search)),
  /** Also show rows hidden by a spam rule or by the user. */
  showHidden: z.boolean(),
  /** Absent: newest first. */
  order: z.exactOptional(order),
});

/** A filter saved by the user under a name. */
export const savedViewSchema = z.strictObject({
  id: z.string().check(z.minLength(1), z.maxLength(100)),
  name: z.string().check(z.minLength(1), z.maxLength(longest.viewName)),
  filter: activityFilterSchema,
});

export type FilterPill = z.infer<typeof pill>;
export type RangePill = Extract<FilterPill, { min: string | null }>;
export type ChoicePill = Exclude<FilterPill, RangePill>;
export type ActivityFilter = z.infer<typeof activityFilterSchema>;
export type RowsOrder = z.infer<typeof order>;
export type SavedView = z.infer<typeof savedViewSchema>;

/** The only token that a filter lets through, by which amounts can be ordered; null if there is none, or several. */
export function orderedToken({ pills }: ActivityFilter): string | null {
  const named = pills.flatMap((pill) => {
    if (pill.not) return [];
    if ('values' in pill) return pill.field === 'token' && pill.values.length === 1 ? pill.values : [];
    return pill.field === 'amount' && pill.token !== undefined ? [pill.token] : [];
  });
  const [token = null, ...others] = new Set(named);
  return others.length === 0 ? token : null;
}

export const everything: ActivityFilter = { pills: [], text: '', showHidden: false };

// `Object.keys` loses the type of the keys.
export const kindValues = Object.keys(kindNames) as readonly Kind[];
// `Object.keys` loses the type of the keys.
export const directionValues = Object.keys(directionNames) as readonly (Direction | 'both')[];

/** Whether a change of this history can change which rows pass. */
export function concernsHistory(filter: ActivityFilter, address: string, chainId: string): boolean {
  return filter.pills.every((pill) => {
    if (pill.field !== 'address' && pill.field !== 'chain') return true;
    return pill.values.includes(pill.field === 'address' ? address : chainId) !== pill.not;
  });
}
