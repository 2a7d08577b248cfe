import { spanWords } from '../../../../shared/time.ts';
import { localTime, notation, timeZone, type TimeLook } from './notation.svelte.ts';

/** How figures, times and hashes are written, in the notation and the zone that the user has chosen. */

/** `1,204`. */
export const formatCount = (count: number): string => notation().numbers.format(count);

/** `1 transaction`, `1,204 transactions`. */
export function formatPlural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** Groups the digits of a whole number of any size; other text comes back as it is. */
export function groupDigits(digits: string): string {
  return /^-?\d+$/.test(digits) ? notation().numbers.format(BigInt(digits)) : digits;
}

/**
 * The numbers in a text that were written as in English, with groups or a fraction (`1,204.5 MB`), in the user's notation,
 * to the last digit. What only looks like a number, such as an IP address or a version, stays.
 */
export function localNumbers(text: string): string {
  const { locale, numbers, point } = notation();
  if (locale === null) return text;
  return text.replace(
    /(?<![\w.,:-])(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?(?![\w:]|[.,-]\w)/g,
    (found, whole: string, fraction: string | undefined) => {
      if (!/[.,]/.test(found)) return found;
      const digits = numbers.format(BigInt(whole.replaceAll(',', '')));
      return fraction === undefined ? digits : `${digits}${point}${fraction}`;
    },
  );
}

/** A number that was typed in the user's notation (`1.204,5`), as in code (`1204.5`); other text comes back as it is. */
export function plainNumber(text: string): string {
  const { point } = notation();
  const mark = `[${point === ',' ? '.' : ','}'’\\s]`;
  const isGrouped = new RegExp(
    `^[+-]?[1-9]\\d{0,2}(?:${mark}\\d{2,3})*${mark}\\d{3}(?:[${point}]\\d+)?$`,
  ).test(text);
  const digits = isGrouped ? text.replaceAll(new RegExp(mark, 'g'), '') : text;
  return digits.replace(point, '.');
}

const two = (value: number): string => String(value).padStart(2, '0');

/** `UTC`, `UTC+02:00`: the zone that a time is written in. */
export function zoneName(ms: number, zone = timeZone()): string {
  if (zone === 'utc') return 'UTC';
  const offset = -new Date(ms).getTimezoneOffset();
  if (offset === 0) return 'UTC';
  const size = Math.abs(offset);
  return `UTC${offset < 0 ? '−' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** The zone's offset from UTC at a time, in milliseconds. */
export function zoneOffsetMs(ms: number, zone = timeZone()): number {
  return zone === 'utc' ? 0 : -new Date(ms).getTimezoneOffset() * 60_000;
}

/** What `ms` would be in UTC if the clock on the wall stood there as it does in the zone. */
const wallMs = (ms: number, zone = timeZone()): number => ms + zoneOffsetMs(ms, zone);

/** `2026-09-14T14:05:07`, by the clock on the wall. */
function wallTime(ms: number, zone = timeZone()): string {
  const date = new Date(wallMs(ms, zone));
  // A typed number can lie outside of what a date can hold.
  return Number.isNaN(date.getTime()) ? '????-??-??T??:??:??' : date.toISOString().slice(0, -5);
}

/** Without the looks that have words in ISO, too. */
type PlainLook = Exclude<TimeLook, 'day' | 'dayAlone' | 'monthName'>;

/** The part of `wallTime` that each look shows. */
const isoParts: Readonly<Record<PlainLook, readonly [from: number, to: number]>> = {
  date: [0, 10],
  monthDay: [5, 10],
  month: [0, 7],
  time: [11, 16],
  clock: [11, 19],
  minute: [0, 16],
  second: [0, 19],
};

/** A time in the user's notation. In ISO, depending on the look: `2026-09-14`, `14:05`, `2026-09-14 14:05:07`. */
export function formatTime(ms: number, look: PlainLook, zone = timeZone()): string {
  const { locale } = notation();
  const wall = wallMs(ms, zone);
  return locale !== null && Math.abs(wall) <= 8.64e15
    ? localTime(wall, look, locale)
    : isoTime(ms, look, zone);
}

/** Always in ISO: for fields in which a time is typed. */
export function isoTime(ms: number, look: PlainLook, zone = timeZone()): string {
  return wallTime(ms, zone)
    .slice(...isoParts[look])
    .replace('T', ' ');
}

/** `2026-09-14 14:05`. */
export const formatMinute = (ms: number, zone = timeZone()): string => formatTime(ms, 'minute', zone);

/** `2026-09-14 14:05:07`. */
export const formatSecond = (ms: number, zone = timeZone()): string => formatTime(ms, 'second', zone);

const inEnglish = new Intl.Locale('en-GB');

/** `Mon 14 Sep 2026`; `14 Sep 2026` as `dayAlone`. */
export function formatDay(ms: number, as: 'day' | 'dayAlone' = 'day'): string {
  const { locale } = notation();
  return locale === null
    ? localTime(wallMs(ms), as, inEnglish).replace(',', '')
    : localTime(wallMs(ms), as, locale);
}

/** `March 2026`. */
export function formatMonth(ms: number): string {
  return localTime(wallMs(ms), 'monthName', notation().locale ?? inEnglish);
}

/** Whether two times are on the same day of the zone. */
export function isSameDay(aMs: number, bMs: number): boolean {
  return wallTime(aMs).slice(0, -9) === wallTime(bMs).slice(0, -9);
}

/** `14:05` today, `2026-09-14 14:05` on any other day. */
export function formatShort(ms: number, nowMs: number): string {
  return formatTime(ms, isSameDay(ms, nowMs) ? 'time' : 'minute');
}

/** A span of time by its largest unit: `3 d`, `5 h`, `12 min`, `40 s`. */
export const formatSpan = (ms: number): string => spanWords(ms, formatCount);

/** Growing spans below a minute are rounded to this. */
export const growthStepMs = 30_000;

/** A span that grows while it is read: `less than 30 s`, `30 s`, `5 h`. */
export function formatGrowing(ms: number): string {
  if (ms < growthStepMs) return 'less than 30 s';
  return formatSpan(ms < 60_000 ? growthStepMs : ms);
}

/** `just now` in the first half of a minute, `30 s ago` in the second, `5 h ago`; a clock that is behind never shows a negative age. */
export function formatAge(ms: number, nowMs: number): string {
  const age = nowMs - ms;
  return age < growthStepMs ? 'just now' : `${formatGrowing(age)} ago`;
}

/** A countdown: `1:05`, `12 s`; never below zero. */
export function formatCountdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)}:${two(seconds % 60)} min`;
}
