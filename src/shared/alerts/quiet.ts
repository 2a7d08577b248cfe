import type { AlertSettings } from '../settings.ts';
import type { AlertLevel } from './types.ts';

/** Quiet hours in local time. One that ends earlier than it begins ends on the next day. */
export interface QuietHours {
  /** Weekdays on which they begin, 0 for Sunday; none: never quiet. */
  days: readonly number[];
  /** Minutes since midnight. */
  fromMinute: number;
  toMinute: number;
}

interface LocalTime {
  weekday: number;
  minute: number;
}

/** Whether a message of this level has to wait: for the end of a pause of all of them, or of quiet hours, which urgent ones may pass. */
export function isHeldBack(
  { pausedUntilMs, quiet }: Pick<AlertSettings, 'pausedUntilMs' | 'quiet'>,
  level: AlertLevel,
  atMs: number,
): boolean {
  if (pausedUntilMs !== null && atMs < pausedUntilMs) return true;
  return isQuiet(quiet, atMs) && !(level === 'wake' && quiet.wakePasses);
}

/** By the time on the wall, so that an hour that a change of the clocks repeats or leaves out is as quiet as its name says. */
export function isQuiet(
  { days, fromMinute, toMinute }: QuietHours,
  atMs: number,
  localTime: (atMs: number) => LocalTime = systemTime,
): boolean {
  const { weekday, minute } = localTime(atMs);
  if (fromMinute < toMinute) return days.includes(weekday) && minute >= fromMinute && minute < toMinute;
  if (minute >= fromMinute) return days.includes(weekday);
  return minute < toMinute && days.includes((weekday + 6) % 7);
}

function systemTime(atMs: number): LocalTime {
  const at = new Date(atMs);
  return { weekday: at.getDay(), minute: at.getHours() * 60 + at.getMinutes() };
}

/** The next 8:00 in local time that is not today. */
export function tomorrowMs(nowMs: number): number {
  const at = new Date(nowMs);
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() + 1, 8).getTime();
}
