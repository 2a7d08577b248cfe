import { dayMs } from './time.ts';

/** How long to wait after a 429 that gives no time (milliseconds). */
const defaultRetryAfterMs = 10_000;

/** A longer time must be a mistake, and would stop the app for days. */
const longestWaitMs = 86_400_000;

type Headers = Readonly<Record<string, string>>;

/**
 * How long a response asks to wait, in milliseconds: from `retry-after`, else `ratelimit-reset`; names are in lower
 * case. Null without either, 0 when the time has passed. Points in time are relative to the server's `date` or, without
 * it, to `nowMs`, the local time (null if not available).
 */
export function retryAfterMs(headers: Headers, nowMs: number | null): number | null {
  return waitMs(headers['retry-after'], headers, nowMs) ?? rateLimitResetMs(headers, nowMs);
}

/** How long nothing may be sent after a 429 with these headers, in milliseconds. */
export function holdAfterMs(headers: Headers, nowMs: number | null): number {
  return retryAfterMs(headers, nowMs) ?? defaultRetryAfterMs;
}

/** Time until the service's rate-limit window ends, in milliseconds; null when the headers do not tell. */
export function rateLimitResetMs(headers: Headers, nowMs: number | null): number | null {
  return waitMs(headers['ratelimit-reset'], headers, nowMs);
}

/** From here on a figure is a point in time: seconds since 1970, or milliseconds from the second value on. */
const leastEpochSeconds = 500_000_000;
const leastEpochMs = 100_000_000_000;

/** Accepts seconds from now, seconds or milliseconds since 1970, HTTP and ISO 8601 dates, and times of day in UTC. */
function waitMs(text: string | undefined, headers: Headers, ownNowMs: number | null): number | null {
  const value = text?.trim() ?? '';
  // Of a header that is there twice, as from a gateway and the service, the first.
  const [, figureText] = /^(\d{1,16}(?:\.\d{1,9})?)(?:,|$)/.exec(value) ?? [];
  const figure = figureText === undefined ? null : Number(figureText);
  if (figure !== null && figure < leastEpochSeconds) return bounded(figure * 1000);
  const nowMs = dateOf(headers['date'] ?? '') ?? ownNowMs;
  if (nowMs === null) return null;
  const atMs =
    figure === null
      ? (dateOf(value) ?? timeOfDayAfter(value, nowMs))
      : figure * (figure < leastEpochMs ? 1000 : 1);
  return atMs === null ? null : bounded(atMs - nowMs);
}

const bounded = (waitMs: number): number => Math.min(Math.max(Math.ceil(waitMs), 0), longestWaitMs);

function dateOf(value: string): number | null {
  const isDate = /^[A-Za-z]{3,9},? /.test(value) || /^\d{4}-\d{2}-\d{2}[T ]/.test(value);
  const atMs = isDate ? Date.parse(value) : NaN;
  return Number.isNaN(atMs) ? null : atMs;
}

/** A time of day so little in the past is not tomorrow's: the window has just ended, and the clocks differ. */
const justPastMs = 5 * 60_000;

/** The next time at which it is this time of day in UTC, or the last if that was just now; null for invalid text. */
function timeOfDayAfter(value: string, nowMs: number): number | null {
  const time = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:Z| ?(?:UTC|GMT))?$/i.exec(value);
  if (time === null) return null;
  const [hours, minutes, seconds] = [Number(time[1]), Number(time[2]), Number(time[3] ?? 0)];
  if (hours > 23 || minutes > 59 || seconds > 60) return null;
  const atMs = nowMs - (nowMs % dayMs) + ((hours * 60 + minutes) * 60 + seconds) * 1000;
  // Of yesterday, today or tomorrow: midnight may lie in between.
  return [atMs - dayMs, atMs, atMs + dayMs].find((timeMs) => timeMs >= nowMs - justPastMs) ?? null;
}
