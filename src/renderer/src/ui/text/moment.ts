import { hourMs } from '../../../../shared/time.ts';
import { dayBeside } from './days.ts';
import { isoTime, zoneOffsetMs } from './format.ts';
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
  const at = (day: string) => momentsOf(day, time ?? '00:00');
  if (named !== '') {
    const day = named.toLowerCase();
    return at(day === 'today' ? today : day === 'yesterday' ? dayBeside(today, -1) : day)[0] ?? null;
  }
  return alone === 'last'
    ? ([...at(dayBeside(today, -1)), ...at(today)].findLast((ms) => ms <= nowMs) ?? null)
    : ([...at(today), ...at(dayBeside(today, 1))].find((ms) => ms >= nowMs) ?? null);
}

/** When the clock on the wall shows this: never, once, or twice where clocks are set back. */
export function momentsOf(day: string, time: string): readonly number[] {
  const ms = Date.parse(`${day}T${time}${timeZone() === 'utc' ? 'Z' : ''}`);
  // The 31st of February would be taken for a day of March.
  if (Number.isNaN(ms) || ms < 0 || isoTime(ms, 'date') !== day) return [];
  const again = ms + zoneOffsetMs(ms) - zoneOffsetMs(ms + 3 * hourMs);
  return again > ms && isoTime(again, 'second') === isoTime(ms, 'second') ? [ms, again] : [ms];
}
