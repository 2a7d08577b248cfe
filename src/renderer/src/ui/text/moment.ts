import { isoTime } from './format.ts';
import { timeZone } from './notation.svelte.ts';

const pattern = /^(today|yesterday|\d{4}-\d{2}-\d{2})?[ ,T]*(?:(\d{1,2}:\d{2}(?::\d{2})?)|(noon))?$/i;

/**
 * A moment as a person types it, in the notation of the timeline: `2026-09-14 14:05`, `yesterday 12:00`, `noon`. A time alone
 * is the last or the next one of that name; a day alone is its beginning. Null for anything else.
 */
export function readMoment(text: string, nowMs: number, alone: 'last' | 'next' = 'last'): number | null {
  const [, named = '', clock, noon] = pattern.exec(text.trim()) ?? [];
  const time = noon === undefined ? clock?.padStart(clock.length < 6 ? 5 : 8, '0') : '12:00';
  if (named === '' && time === undefined) return null;
  const today = isoTime(nowMs, 'date');
  const at = (day: string): number | null => {
    const ms = Date.parse(`${day}T${time ?? '00:00'}${timeZone() === 'utc' ? 'Z' : ''}`);
    // The 31st of February would be taken for a day of March.
    return Number.isNaN(ms) || ms < 0 || isoTime(ms, 'date') !== day ? null : ms;
  };
  if (named === '') {
    const ms = at(today);
    const isOther = ms !== null && (alone === 'last' ? ms > nowMs : ms < nowMs);
    return isOther ? at(dayBeside(today, alone === 'last' ? -1 : 1)) : ms;
  }
  const day = named.toLowerCase();
  return at(day === 'today' ? today : day === 'yesterday' ? dayBeside(today, -1) : day);
}

/** By calendar, because days on which the clocks change do not have 24 hours. */
function dayBeside(day: string, step: 1 | -1): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + step * 86_400_000).toISOString().slice(0, 10);
}
