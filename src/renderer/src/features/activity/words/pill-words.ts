import type { directionValues, kindValues } from '../../../../../shared/activity/filter.ts';
import { type ChoiceField, type FilterPill, type RangeField } from '../../../../../shared/activity/filter.ts';
import { formatMinute, groupDigits } from '../../../ui/text/format.ts';
import type { TimeZoneChoice } from '../../../ui/text/clock.svelte.ts';
import { hiddenWords } from './mark-words.ts';
import { viewWords } from './row-words.ts';

export type FilterField = ChoiceField | RangeField;

interface FieldWords {
  name: string;
  /** Its values are labels or addresses of the user. */
  isPrivate?: true;
  /** The values that it can have at all, and their names; without it they depend on what is stored. */
  values?: Readonly<Record<string, string>>;
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

const wordsIn = (table: Readonly<Record<string, { word: string }>>) =>
  Object.fromEntries(Object.entries(table).map(([value, { word }]) => [value, word]));

/** Every column that can be filtered by, in the order in which it is offered. */
export const fields: Readonly<Record<FilterField, FieldWords>> = {
  address: { name: 'Address', isPrivate: true },
  chain: { name: 'Chain' },
  kind: { name: 'Kind', values: kindNames },
  direction: { name: 'Direction', values: directionNames },
  token: { name: 'Token' },
  counterparty: { name: 'Counterparty', isPrivate: true },
  amount: { name: 'Amount' },
  value: { name: 'Value at the time' },
  time: { name: 'Time' },
  method: { name: 'Method' },
  status: { name: 'Status', values: { success: 'Success', failed: 'Failed', unknown: 'Unknown' } },
  tag: { name: 'Tag', isPrivate: true },
  block: { name: 'Block' },
  completeness: { name: 'Completeness', values: wordsIn(viewWords) },
  hidden: { name: 'Hidden because', values: wordsIn(hiddenWords) },
};

// `Object.keys` forgets which keys there are.
export const filterFields = Object.keys(fields) as readonly FilterField[];

interface PillContext {
  nameOf: (field: ChoiceField, value: string) => string;
  timeZone: TimeZoneChoice;
}

/** A pill as a sentence: `Chain is not Fuji`, `Amount from 1 to 5 USDC`, `Kind is Exchange or Transfer`. */
export function pillText(pill: FilterPill, context: PillContext): string {
  const { name } = fields[pill.field];
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
