import { fieldOf, type RangeField } from '../../../../../shared/activity/filter.ts';
import { compareDecimals, parseDecimal } from '../../../../../shared/amounts.ts';
import { ungrouped } from '../../../state/lookup-subject.ts';
import { spanOfDays } from '../../../ui/text/days.ts';
import { formatMinute, groupDigits, isoTime, localNumbers, plainNumber } from '../../../ui/text/format.ts';
import { momentsOf } from '../../../ui/text/moment.ts';
import { notation } from '../../../ui/text/notation.svelte.ts';

/** How the bounds of a range are typed, parsed and written. */
interface RangeKind {
  /** The bound of a pill; null for an invalid text. */
  read: (typed: string, end: 'min' | 'max') => string | null;
  problem: () => string;
  /** The bound within a sentence. */
  write: (bound: string) => string;
}

const timePattern = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}))?$/;

const kinds: Readonly<Record<'decimal' | 'whole' | 'time', RangeKind>> = {
  decimal: {
    read: (typed) => {
      const plain = plainNumber(typed);
      return parseDecimal(plain) === null ? null : plain;
    },
    problem: () => `Enter a number such as ${localNumbers('1,250.5')}.`,
    write: inNotation,
  },
  whole: {
    read: (typed) => {
      const digits = ungrouped(typed);
      return /^\d{1,30}$/.test(digits) ? digits.replace(/^0+(?=\d)/, '') : null;
    },
    problem: () => 'Enter a whole number.',
    write: groupDigits,
  },
  time: {
    read: (typed, end) => {
      const [, date = '', time] = timePattern.exec(typed) ?? [];
      const [first, last = first] = momentsOf(date, time ?? '00:00');
      if (first === undefined || last === undefined) return null;
      if (end === 'min') return String(first);
      const { beforeMs } = spanOfDays(date, date);
      // An upper bound includes its whole minute, also when that comes again, or its day, which may have an hour more or less.
      return String(time === undefined && beforeMs !== null ? beforeMs - 1 : last + 59_999);
    },
    problem: () => 'Enter a date, or a date and time such as 2026-03-31 18:00.',
    write: (bound) => (/^\d+$/.test(bound) ? formatMinute(Number(bound)) : bound),
  },
};

function inNotation(bound: string): string {
  return bound.replace('.', notation().point);
}

export const rangeKind = (field: RangeField): RangeKind => kinds[fieldOf[field].range ?? 'decimal'];

/** One parsed end of a range: the bound of a pill, null for an open end, or an error message. */
export type BoundInput = { ok: true; bound: string | null } | { ok: false; problem: string };

/**
 * Parses one end. Numbers are in the user's notation; times in ISO 8601, in the zone that is shown; a date alone is all of it.
 */
export function readBound(field: RangeField, text: string, end: 'min' | 'max'): BoundInput {
  const typed = text.trim();
  if (typed === '') return { ok: true, bound: null };
  const { read, problem } = rangeKind(field);
  const bound = read(typed, end);
  return bound === null ? { ok: false, problem: problem() } : { ok: true, bound };
}

/** The field's text for a bound. */
export function writeBound(field: RangeField, bound: string | null): string {
  const isTime = fieldOf[field].range === 'time' && /^\d+$/.test(bound ?? '');
  return isTime ? isoTime(Number(bound), 'minute') : inNotation(bound ?? '');
}

/** The two bounds of a pill, or an error message and the end that it is about. */
export function readRange(
  field: RangeField,
  texts: { min: string; max: string },
): { ok: true; min: string | null; max: string | null } | { ok: false; end: 'min' | 'max'; problem: string } {
  const min = readBound(field, texts.min, 'min');
  const max = readBound(field, texts.max, 'max');
  if (!min.ok) return { ...min, end: 'min' };
  if (!max.ok) return { ...max, end: 'max' };
  const refused = (problem: string) => ({ ok: false, end: 'min', problem }) as const;
  if (min.bound === null && max.bound === null) return refused('Enter “From”, “To” or both.');
  const [smallest, largest] = [parseDecimal(min.bound ?? ''), parseDecimal(max.bound ?? '')];
  if (smallest !== null && largest !== null && compareDecimals(smallest, largest) > 0) {
    return refused(`“From” can’t be ${fieldOf[field].range === 'time' ? 'after' : 'greater than'} “To”.`);
  }
  return { ok: true, min: min.bound, max: max.bound };
}
