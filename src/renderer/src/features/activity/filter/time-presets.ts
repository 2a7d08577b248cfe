import type { RangePill } from '../../../../../shared/activity/filter.ts';
import { formatMonth, isoTime } from '../../../ui/text/format.ts';
import { timeZone } from '../../../ui/text/notation.svelte.ts';

/** A stretch of time under a name. */
interface TimePreset {
  name: string;
  pill: RangePill;
}

/** This month, the one before, this year, and the last twelve months by their names. */
export function timePresets(nowMs: number): TimePreset[] {
  const [year = 0, month = 0] = isoTime(nowMs, 'month').split('-').map(Number);
  const before = (count: number) => monthsFrom(year, month - count, 1);
  return [
    { name: 'This month', pill: before(0) },
    { name: 'Last month', pill: before(1) },
    { name: 'This year', pill: monthsFrom(year, 1, 12) },
    ...Array.from({ length: 12 }, (_, count) => {
      const pill = before(count);
      return { name: formatMonth(Number(pill.min)), pill };
    }),
  ];
}

/** The name of a month, if these are its first and last moments. */
export function monthOf({ min, max }: RangePill): string | null {
  if (min === null || max === null) return null;
  const [year = 0, month = 0] = isoTime(Number(min), 'month').split('-').map(Number);
  // A link can say anything.
  if (Number.isNaN(month)) return null;
  const whole = monthsFrom(year, month, 1);
  return whole.min === min && whole.max === max ? formatMonth(Number(min)) : null;
}

function monthsFrom(year: number, month: number, count: number): RangePill {
  const startMs = (n: number) => {
    const first = new Date(Date.UTC(year, n - 1)).toISOString().slice(0, 10);
    return Date.parse(`${first}T00:00${timeZone() === 'utc' ? 'Z' : ''}`);
  };
  return { field: 'time', not: false, min: String(startMs(month)), max: String(startMs(month + count) - 1) };
}
