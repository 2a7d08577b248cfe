import { fieldOf, type RangeField } from '../../../../../shared/activity/filter.ts';
import { compareDecimals, parseDecimal } from '../../../../../shared/amounts.ts';
import type { TimeZoneChoice } from '../../../../../shared/settings.ts';
import { formatMinute, groupDigits, isoTime } from '../../../ui/text/format.ts';

/** How the bounds of a range are typed, parsed and written. */
interface RangeKind {
  inputType: 'text' | 'datetime-local';
  /** The bound of a pill; null for an invalid text. */
  read: (typed: string, timeZone: TimeZoneChoice, end: 'min' | 'max') => string | null;
  problem: string;
  /** The bound within a sentence. */
  write: (bound: string, timeZone: TimeZoneChoice) => string;
}

const kinds: Readonly<Record<'decimal' | 'whole' | 'time', RangeKind>> = {
  decimal: {
    inputType: 'text',
    read: (typed) => (parseDecimal(typed) === null ? null : typed),
    problem: 'Enter a number such as 1250.5.',
    write: (bound) => bound,
  },
  whole: {
    inputType: 'text',
    read: (typed) => (/^\d{1,30}$/.test(typed) ? typed.replace(/^0+(?=\d)/, '') : null),
    problem: 'Enter a whole number.',
    write: groupDigits,
  },
  time: {
    inputType: 'datetime-local',
    read: (typed, timeZone, end) => {
      const ms = Date.parse(timeZone === 'utc' ? `${typed}Z` : typed);
      // An upper bound includes its whole minute.
      return Number.isNaN(ms) || ms < 0 ? null : String(end === 'max' ? ms + 59_999 : ms);
    },
    problem: 'Enter a date and time.',
    write: (bound, timeZone) => (/^\d+$/.test(bound) ? formatMinute(Number(bound), timeZone) : bound),
  },
};

export function rangeKind(field: RangeField): RangeKind {
  return kinds[fieldOf[field].range ?? 'decimal'];
}

/** One parsed end of a range: the bound of a pill, null for an open end, or what is wrong. */
export type BoundInput = { ok: true; bound: string | null } | { ok: false; problem: string };

/** Parses one end. Times have the format of a `datetime-local` field, in the zone that is shown. */
export function readBound(
  field: RangeField,
  text: string,
  timeZone: TimeZoneChoice,
  end: 'min' | 'max',
): BoundInput {
  const typed = text.trim().replace(/,(?=\d{3}(?:\D|$))/g, '');
  if (typed === '') return { ok: true, bound: null };
  const { read, problem } = rangeKind(field);
  const bound = read(typed, timeZone, end);
  return bound === null ? { ok: false, problem } : { ok: true, bound };
}

/** The field's text for a bound. */
export function writeBound(field: RangeField, bound: string | null, timeZone: TimeZoneChoice): string {
  const { inputType } = rangeKind(field);
  if (bound === null || inputType === 'text') return bound ?? '';
  return /^\d+$/.test(bound) ? isoTime(Number(bound), 'minute', timeZone).replace(' ', 'T') : bound;
}

/** The two bounds of a pill, or what is wrong. */
export function readRange(
  field: RangeField,
  texts: { min: string; max: string },
  timeZone: TimeZoneChoice,
): { ok: true; min: string | null; max: string | null } | { ok: false; problem: string } {
  const min = readBound(field, texts.min, timeZone, 'min');
  const max = readBound(field, texts.max, timeZone, 'max');
  if (!min.ok) return min;
  if (!max.ok) return max;
  if (min.bound === null && max.bound === null) return { ok: false, problem: 'Enter at least one end.' };
  const [smallest, largest] = [parseDecimal(min.bound ?? ''), parseDecimal(max.bound ?? '')];
  if (smallest !== null && largest !== null && compareDecimals(smallest, largest) > 0) {
    return { ok: false, problem: '“From” is greater than “To”.' };
  }
  return { ok: true, min: min.bound, max: max.bound };
}
