import { dayMs } from '../../../../shared/time.ts';
import { timeZone } from './notation.svelte.ts';

/** What a date field holds, with a year that `Date` reads: one of more than four digits needs a sign. */
export function readableDate(text: string): string {
  return text.replace(/^\d{5,6}(?=-)/, (year) => `+${year.padStart(6, '0')}`);
}

/** From the start of one day to the end of another, both as in a date field; null for an invalid one, such as empty. */
export function spanOfDays(
  fromDay: string,
  toDay: string,
): { fromMs: number | null; beforeMs: number | null } {
  return { fromMs: startOfDayMs(fromDay), beforeMs: startOfDayMs(dayBeside(toDay, 1)) };
}

function startOfDayMs(day: string): number | null {
  const ms = Date.parse(`${readableDate(day)}T00:00:00${timeZone() === 'utc' ? 'Z' : ''}`);
  return Number.isNaN(ms) || ms < 0 ? null : ms;
}

/** By calendar, because days on which the clocks change do not have 24 hours; empty beside an invalid one. */
export function dayBeside(day: string, step: 1 | -1): string {
  const next = new Date(Date.parse(`${readableDate(day)}T00:00:00Z`) + step * dayMs);
  return Number.isNaN(next.getTime()) ? '' : next.toISOString().slice(0, -14);
}
