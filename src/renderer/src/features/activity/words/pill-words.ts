import type { directionValues, kindValues } from '../../../../../shared/activity/filter.ts';
import { type ChoiceField, type FilterPill, type RangeField } from '../../../../../shared/activity/filter.ts';
import { formatMinute, groupDigits } from '../../../ui/text/format.ts';
import type { TimeZoneChoice } from '../../../ui/text/clock.svelte.ts';
import { hiddenWords } from './mark-words.ts';
import { viewWords } from './row-words.ts';

export type FilterField = ChoiceField | RangeField;

/** Every column that can be filtered by, in the order in which it is offered. */
export const fieldNames: Readonly<Record<FilterField, string>> = {
  address: 'Address',
  chain: 'Chain',
  kind: 'Kind',
  direction: 'Direction',
  token: 'Token',
  counterparty: 'Counterparty',
  amount: 'Amount',
  value: 'Value at the time',
  time: 'Time',
  method: 'Method',
  status: 'Status',
  tag: 'Tag',
  block: 'Block',
  completeness: 'Completeness',
  hidden: 'Hidden because',
};

// `Object.keys` forgets which keys there are.
export const filterFields = Object.keys(fieldNames) as readonly FilterField[];

const rangeFields: readonly RangeField[] = ['amount', 'value', 'block', 'time'];

export function isRangeField(field: FilterField): field is RangeField {
  return rangeFields.some((range) => range === field);
}

const kindNames: Readonly<Record<(typeof kindValues)[number], string>> = {
  transfer: 'Transfer',
  'token-transfer': 'Token transfer',
  'nft-transfer': 'NFT transfer',
  exchange: 'Exchange',
  'contract-call': 'Contract call',
  'contract-creation': 'New contract',
};

const directionNames: Readonly<Record<(typeof directionValues)[number], string>> = {
  in: 'In',
  out: 'Out',
  both: 'In and out',
  self: 'Within',
  none: 'Nothing moved',
};

/** Names of values that mean the same everywhere. */
const fixedNames: Partial<Record<FilterField, Readonly<Record<string, string>>>> = {
  kind: kindNames,
  direction: directionNames,
  status: { success: 'Success', failed: 'Failed', unknown: 'Unknown' },
  completeness: Object.fromEntries(Object.entries(viewWords).map(([value, { word }]) => [value, word])),
  hidden: Object.fromEntries(Object.entries(hiddenWords).map(([reason, { word }]) => [reason, word])),
};

/** What a value of a field is called; null where only the stored rows can tell. */
export function fixedName(field: ChoiceField, value: string): string | null {
  return fixedNames[field]?.[value] ?? null;
}

/** The values that a field can have at all; null where it depends on what is stored. */
export function fixedValues(field: ChoiceField): readonly string[] | null {
  const names = fixedNames[field];
  return names === undefined ? null : Object.keys(names);
}

interface PillContext {
  nameOf: (field: ChoiceField, value: string) => string;
  timeZone: TimeZoneChoice;
}

/** A pill as a sentence: `Chain is not Fuji`, `Amount from 1 to 5 USDC`, `Kind is Exchange or Transfer`. */
export function pillText(pill: FilterPill, context: PillContext): string {
  const name = fieldNames[pill.field];
  if ('values' in pill) {
    const names = pill.values.map((value) => context.nameOf(pill.field, value));
    const shown = names.length > 3 ? [...names.slice(0, 2), `${names.length - 2} more`] : names;
    const verb = pill.field === 'hidden' ? (pill.not ? 'not' : '') : pill.not ? 'is not' : 'is';
    return [name, verb, shown.join(' or ')].filter((part) => part !== '').join(' ');
  }
  const bound = (text: string) => boundText(pill.field, text, context.timeZone);
  // Of a value no unit: in which currency a price is, the service says with each of them.
  const unit = pill.token === undefined ? '' : context.nameOf('token', pill.token);
  return [name, pill.not ? 'not' : '', rangeText(pill.min, pill.max, bound), unit]
    .filter((part) => part !== '')
    .join(' ');
}

function rangeText(min: string | null, max: string | null, bound: (text: string) => string): string {
  if (min !== null && max !== null) {
    return min === max ? `exactly ${bound(min)}` : `from ${bound(min)} to ${bound(max)}`;
  }
  if (min !== null) return `from ${bound(min)}`;
  return max === null ? 'any' : `up to ${bound(max)}`;
}

function boundText(field: RangeField, text: string, timeZone: TimeZoneChoice): string {
  if (field === 'time') return /^\d+$/.test(text) ? formatMinute(Number(text), timeZone) : text;
  return field === 'block' ? groupDigits(text) : text;
}
