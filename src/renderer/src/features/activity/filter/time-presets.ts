import type { RangePill } from '../../../../../shared/activity/filter.ts';
import type { TimeZoneChoice } from '../../../../../shared/settings.ts';
import { formatMonth, isoTime } from '../../../ui/text/format.ts';

/** A stretch of time under a name. */
interface TimePreset {
  name: string;
  pill: RangePill;
}

/** This month, the one before, this year, and the last twelve months by their names. */
export function timePresets(nowMs: number, timeZone: TimeZoneChoice): TimePreset[] {
  const [year = 0, month = 0] = isoTime(nowMs, 'month', timeZone).split('-').map(Number);
  const before = (count: number) => monthsFrom(year, month - count, 1, timeZone);
  return [
    { name: 'This month', pill: before(0) },
    { name: 'Last month', pill: before(1) },
    { name: 'This year', pill: monthsFrom(year, 1, 12, timeZone) },
    ...Array.from({ length: 12 }, (_, count) => {
      const pill = before(count);
      return { name: formatMonth(Number(pill.min), timeZone), pill };
    }),
  ];
}

/** The name of a month, if these are its first and last moments. */
export function monthOf({ min, max }: RangePill, timeZone: TimeZoneChoice): string | null {
  if (min === null || max === null) return null;
  const [year = 0, month = 0] = isoTime(Number(min), 'month', timeZone).split('-').map(Number);
  // A link can say anything.
  if (Number.isNaN(month)) return null;
  const whole = monthsFrom(year, month, 1, timeZone);
  return whole.min === min && whole.max === max ? formatMonth(Number(min), timeZone) : null;
}

function monthsFrom(year: number, month: number, count: number, timeZone: TimeZoneChoice): RangePill {
  const startMs = (n: number) => {
    const first = new Date(Date.UTC(year, n - 1)).toISOString().slice(0, 10);
    return Date.parse(`${first}T00:00${timeZone === 'utc' ? 'Z' : ''}`);
  };
  return { field: 'time', not: false, min: String(startMs(month)), max: String(startMs(month + count) - 1) };
}
