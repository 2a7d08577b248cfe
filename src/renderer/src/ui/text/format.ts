import type { TimeZoneChoice } from './clock.svelte.ts';

/** How figures, times and hashes are written. Amounts of tokens are not here: see shared/amounts.ts. */

const groups = new Intl.NumberFormat('en-US');

/** `1,204`. */
export function formatCount(count: number): string {
  return groups.format(count);
}

/** `1 transaction`, `1,204 transactions`. */
export function formatPlural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** Groups the digits of a whole number of any size; other text comes back as it is. */
export function groupDigits(digits: string): string {
  return /^-?\d+$/.test(digits) ? digits.replace(/\B(?=(\d{3})+$)/g, ',') : digits;
}

/** `0x1234567890…` → `0x123456…cdef`; what is short anyway stays whole. */
export function shortHash(text: string, head = 6, tail = 4): string {
  const prefix = text.startsWith('0x') ? 2 : 0;
  return text.length <= prefix + head + tail + 1
    ? text
    : `${text.slice(0, prefix + head)}…${text.slice(-tail)}`;
}

const two = (value: number): string => String(value).padStart(2, '0');

interface TimeParts {
  date: string;
  minutes: string;
  seconds: string;
}

function timeParts(ms: number, timeZone: TimeZoneChoice): TimeParts {
  const date = new Date(ms);
  const utc = timeZone === 'utc';
  const year = utc ? date.getUTCFullYear() : date.getFullYear();
  const month = (utc ? date.getUTCMonth() : date.getMonth()) + 1;
  const day = utc ? date.getUTCDate() : date.getDate();
  const hours = utc ? date.getUTCHours() : date.getHours();
  const minutes = utc ? date.getUTCMinutes() : date.getMinutes();
  const seconds = utc ? date.getUTCSeconds() : date.getSeconds();
  return {
    date: `${year}-${two(month)}-${two(day)}`,
    minutes: `${two(hours)}:${two(minutes)}`,
    seconds: two(seconds),
  };
}

/** `UTC`, `UTC+02:00`: the zone that a time is written in. */
export function zoneName(ms: number, timeZone: TimeZoneChoice): string {
  if (timeZone === 'utc') return 'UTC';
  const offset = -new Date(ms).getTimezoneOffset();
  if (offset === 0) return 'UTC';
  const size = Math.abs(offset);
  return `UTC${offset < 0 ? '−' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** What is added to a moment to get the time on the wall, in milliseconds. */
export function zoneOffsetMs(ms: number, timeZone: TimeZoneChoice): number {
  return timeZone === 'utc' ? 0 : -new Date(ms).getTimezoneOffset() * 60_000;
}

/** `2026-09-14 14:05`. */
export function formatMinute(ms: number, timeZone: TimeZoneChoice): string {
  const parts = timeParts(ms, timeZone);
  return `${parts.date} ${parts.minutes}`;
}

/** `2026-09-14 14:05:07`. */
export function formatSecond(ms: number, timeZone: TimeZoneChoice): string {
  const parts = timeParts(ms, timeZone);
  return `${parts.date} ${parts.minutes}:${parts.seconds}`;
}

const dayFormat = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;
const dayWords: Readonly<Record<TimeZoneChoice, Intl.DateTimeFormat>> = {
  local: new Intl.DateTimeFormat('en-GB', dayFormat),
  utc: new Intl.DateTimeFormat('en-GB', { ...dayFormat, timeZone: 'UTC' }),
};

/** `Mon 14 Sep 2026`. */
export function formatDay(ms: number, timeZone: TimeZoneChoice): string {
  return dayWords[timeZone].format(ms).replace(',', '');
}

/** `14:05:07`. */
export function formatClock(ms: number, timeZone: TimeZoneChoice): string {
  const parts = timeParts(ms, timeZone);
  return `${parts.minutes}:${parts.seconds}`;
}

const dayMs = 86_400_000;

/** Whether two moments are of the same day. */
export function isSameDay(aMs: number, bMs: number, timeZone: TimeZoneChoice): boolean {
  if (timeZone === 'utc') return Math.floor(aMs / dayMs) === Math.floor(bMs / dayMs);
  const [a, b] = [new Date(aMs), new Date(bMs)];
  return a.getDate() === b.getDate() && a.getMonth() === b.getMonth() && a.getFullYear() === b.getFullYear();
}

/** `14:05` today, `2026-09-14 14:05` on any other day. */
export function formatShort(ms: number, nowMs: number, timeZone: TimeZoneChoice): string {
  const parts = timeParts(ms, timeZone);
  return parts.date === timeParts(nowMs, timeZone).date ? parts.minutes : `${parts.date} ${parts.minutes}`;
}

const units: readonly (readonly [number, string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
];

/** A span of time by its largest unit: `3 d`, `5 h`, `12 min`, `40 s`. */
export function formatSpan(ms: number): string {
  for (const [size, name] of units) {
    if (ms >= size) return `${formatCount(Math.floor(ms / size))} ${name}`;
  }
  return '0 s';
}

/** `just now`, `40 s ago`, `5 h ago`; a clock that is behind never shows a negative age. */
export function formatAge(ms: number, nowMs: number): string {
  const age = nowMs - ms;
  return age < 5_000 ? 'just now' : `${formatSpan(age)} ago`;
}

/** A countdown: `1:05`, `12 s`; never below zero. */
export function formatCountdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)}:${two(seconds % 60)} min`;
}
