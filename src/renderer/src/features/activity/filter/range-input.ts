import type { ChoiceField, FilterPill, RangeField } from '../../../../../shared/activity/filter.ts';
import { parseDecimal } from '../../../../../shared/amounts.ts';
import type { TimeZoneChoice } from '../../../ui/text/clock.svelte.ts';
import { formatMinute } from '../../../ui/text/format.ts';

/** What is typed for one end of a range: the bound of a pill, null for an open end, or what is wrong with it. */
export type BoundInput = { ok: true; bound: string | null } | { ok: false; problem: string };

/** Reads one end. Times are as a `datetime-local` field writes them, in the zone that is shown. */
export function readBound(
  field: RangeField,
  text: string,
  timeZone: TimeZoneChoice,
  end: 'min' | 'max',
): BoundInput {
  const typed = text.trim().replace(/,(?=\d{3}(?:\D|$))/g, '');
  if (typed === '') return { ok: true, bound: null };
  if (field === 'time') {
    const ms = Date.parse(timeZone === 'utc' ? `${typed}Z` : typed);
    if (Number.isNaN(ms) || ms < 0) return { ok: false, problem: 'This is not a date and time.' };
    // A minute lasts until its last millisecond.
    return { ok: true, bound: String(end === 'max' ? ms + 59_999 : ms) };
  }
  if (field === 'block') {
    return /^\d{1,30}$/.test(typed)
      ? { ok: true, bound: typed.replace(/^0+(?=\d)/, '') }
      : { ok: false, problem: 'A block is a whole number.' };
  }
  return parseDecimal(typed) === null
    ? { ok: false, problem: 'A number with a point, such as 1250.5.' }
    : { ok: true, bound: typed };
}

/** What stands in the field for a bound. */
export function writeBound(field: RangeField, bound: string | null, timeZone: TimeZoneChoice): string {
  if (bound === null) return '';
  if (field !== 'time' || !/^\d+$/.test(bound)) return bound;
  return formatMinute(Number(bound), timeZone).replace(' ', 'T');
}

/** The pill of two ends, or why there is none. */
export function readRange(
  field: RangeField,
  texts: { min: string; max: string },
  timeZone: TimeZoneChoice,
): { ok: true; min: string | null; max: string | null } | { ok: false; problem: string } {
  const min = readBound(field, texts.min, timeZone, 'min');
  const max = readBound(field, texts.max, timeZone, 'max');
  if (!min.ok) return min;
  if (!max.ok) return max;
  if (min.bound === null && max.bound === null) return { ok: false, problem: 'Fill in one end at least.' };
  if (min.bound !== null && max.bound !== null && isGreater(min.bound, max.bound)) {
    return { ok: false, problem: 'The first is greater than the second.' };
  }
  return { ok: true, min: min.bound, max: max.bound };
}

function isGreater(a: string, b: string): boolean {
  const [left, right] = [parseDecimal(a), parseDecimal(b)];
  if (left === null || right === null) return false;
  const scale = Math.max(left.scale, right.scale);
  return left.digits * 10n ** BigInt(scale - left.scale) > right.digits * 10n ** BigInt(scale - right.scale);
}

export type RangePill = Extract<FilterPill, { min: string | null }>;

const rangeFields: readonly string[] = ['amount', 'value', 'block', 'time'] satisfies RangeField[];

export function isRangeField(field: ChoiceField | RangeField): field is RangeField {
  return rangeFields.includes(field);
}
