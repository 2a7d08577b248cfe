import { fieldOf, type ChoiceField, type FilterPill } from '../../../../../shared/activity/filter.ts';
import type { TimeZoneChoice } from '../../../../../shared/settings.ts';
import { rangeKind } from './range-input.ts';

interface PillContext {
  nameOf: (field: ChoiceField, value: string) => string;
  timeZone: TimeZoneChoice;
}

/** A pill as a sentence: `Chain is not Fuji`, `Amount from 1 to 5 USDC`, `Kind is Exchange or Transfer`. */
export function pillText(pill: FilterPill, { nameOf, timeZone }: PillContext): string {
  const { name, isVerb = false } = fieldOf[pill.field];
  const not = pill.not ? 'not' : '';
  if ('values' in pill) {
    const names = pill.values.map((value) => nameOf(pill.field, value));
    const shown = names.length > 3 ? [...names.slice(0, 2), `${names.length - 2} more`] : names;
    return joined(name, isVerb ? '' : 'is', not, shown.join(' or '));
  }
  // A value has no unit here, because the service names the currency with each price.
  const unit = pill.token === undefined ? '' : nameOf('token', pill.token);
  const { write } = rangeKind(pill.field);
  const [min, max] = [pill.min, pill.max].map((bound) => (bound === null ? null : write(bound, timeZone)));
  return joined(name, not, rangeText(min ?? null, max ?? null), unit);
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}

function rangeText(min: string | null, max: string | null): string {
  if (min !== null && max !== null) return min === max ? `exactly ${min}` : `from ${min} to ${max}`;
  if (min !== null) return `from ${min}`;
  return max === null ? 'any' : `up to ${max}`;
}
