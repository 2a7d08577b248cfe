import { dayMs } from '../../../../shared/time.ts';
import type { TimeZoneChoice } from '../../../../shared/settings.ts';

/** From the start of one day to the end of another, both as in a date field; null for an invalid one, such as empty. */
export function spanOfDays(
  fromDay: string,
  toDay: string,
  timeZone: TimeZoneChoice,
): { fromMs: number | null; beforeMs: number | null } {
  return { fromMs: startOfDayMs(fromDay, timeZone), beforeMs: startOfDayMs(dayAfter(toDay), timeZone) };
}

function startOfDayMs(day: string, timeZone: TimeZoneChoice): number | null {
  const ms = Date.parse(`${day}T00:00:00${timeZone === 'utc' ? 'Z' : ''}`);
  return Number.isNaN(ms) || ms < 0 ? null : ms;
}

function dayAfter(day: string): string {
  const ms = Date.parse(`${day}T00:00:00Z`);
  // By calendar, because days on which the clocks change do not have 24 hours.
  return Number.isNaN(ms) ? '' : new Date(ms + dayMs).toISOString().slice(0, 10);
}
