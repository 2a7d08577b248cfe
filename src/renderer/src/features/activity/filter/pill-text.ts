import {
  fieldOf,
  orderedToken,
  type ActivityFilter,
  type ChoiceField,
  type FilterPill,
} from '../../../../../shared/activity/filter.ts';
import { rangeKind } from './range-input.ts';
import { monthOf } from './time-presets.ts';

type NameOf = (field: ChoiceField, value: string) => string;

/** A pill as a sentence: `Chain is not Fuji`, `Amount from 1 to 5 USDC`, `Kind is Swap or Transfer`. */
export function pillText(pill: FilterPill, nameOf: NameOf): string {
  const { name, isVerb = false } = fieldOf[pill.field];
  const not = pill.not ? 'not' : '';
  if ('values' in pill) {
    const names = pill.values.map((value) => nameOf(pill.field, value));
    const shown = names.length > 3 ? [...names.slice(0, 2), `${names.length - 2} more`] : names;
    return joined(name, isVerb ? '' : 'is', not, shown.join(' or '));
  }
  // A value has no unit here, because the service names the currency with each price.
  const unit = pill.token === undefined ? '' : nameOf('token', pill.token);
  const month = pill.field === 'time' ? monthOf(pill) : null;
  if (month !== null) return joined(name, not, month);
  const { write } = rangeKind(pill.field);
  const [min, max] = [pill.min, pill.max].map((bound) => (bound === null ? null : write(bound)));
  return joined(name, not, rangeText(min ?? null, max ?? null), unit);
}

/** How rows are ordered, and what those at the end are without; null for newest first. */
export function orderWords(filter: ActivityFilter, nameOf: NameOf): { text: string; without: string } | null {
  const { order } = filter;
  if (order === undefined) return null;
  if (order.by === 'time') return { text: 'Oldest first', without: '' };
  const which = order.ascending ? 'Smallest' : 'Largest';
  if (order.by === 'fee') return { text: `${which} fee first`, without: 'where you paid no fee' };
  const token = orderedToken(filter);
  return token === null
    ? { text: `${which} historical value first`, without: 'without a value' }
    : { text: `${which} ${nameOf('token', token)} amount first`, without: 'without an amount' };
}

const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' ');

function rangeText(min: string | null, max: string | null): string {
  if (min !== null && max !== null) return min === max ? `exactly ${min}` : `from ${min} to ${max}`;
  if (min !== null) return `from ${min}`;
  return max === null ? 'any' : `up to ${max}`;
}
