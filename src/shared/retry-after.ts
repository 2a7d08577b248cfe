/** When a 429 names no time, this long is waited (milliseconds). */
export const defaultRetryAfterMs = 10_000;

/** No service means more than a day; a larger figure is a mistake that would silence the app. */
const longestWaitMs = 86_400_000;

type Headers = Readonly<Record<string, string>>;

/**
 * How long the headers of an answer ask to wait, in milliseconds: `retry-after`, else `ratelimit-reset`. Null when they do
 * not say, 0 when the time has passed. Names are lower case. A moment counts from the server's own `date`; `nowMs`, our
 * time of day, stands in for it, and null where there is none.
 */
export function retryAfterMs(headers: Headers, nowMs: number | null): number | null {
  return waitMs(headers['retry-after'], headers, nowMs) ?? rateLimitResetMs(headers, nowMs);
}

/** How long it is until the window of the service's limits ends, in milliseconds; null when the headers do not say. */
export function rateLimitResetMs(headers: Headers, nowMs: number | null): number | null {
  return waitMs(headers['ratelimit-reset'], headers, nowMs);
}

/** Figures from here on are no span but a moment: seconds since 1970, and from the second one on milliseconds. */
const leastEpochSeconds = 500_000_000;
const leastEpochMs = 100_000_000_000;

/** Seconds from now, seconds or milliseconds since 1970, a date of HTTP or ISO 8601, or a time of the day in UTC. */
function waitMs(text: string | undefined, headers: Headers, ownNowMs: number | null): number | null {
  const value = text?.trim() ?? '';
  const isFigure = /^\d{1,16}(?:\.\d{1,9})?$/.test(value);
  const figure = Number(value);
  if (isFigure && figure < leastEpochSeconds) return bounded(figure * 1000);
  const nowMs = dateOf(headers['date'] ?? '') ?? ownNowMs;
  if (nowMs === null) return null;
  const atMs = isFigure
    ? figure * (figure < leastEpochMs ? 1000 : 1)
    : (dateOf(value) ?? timeOfDayAfter(value, nowMs));
  return atMs === null ? null : bounded(atMs - nowMs);
}

function bounded(waitMs: number): number {
  return Math.min(Math.max(Math.ceil(waitMs), 0), longestWaitMs);
}

function dateOf(value: string): number | null {
  const isDate = /^[A-Za-z]{3,9},? /.test(value) || /^\d{4}-\d{2}-\d{2}[T ]/.test(value);
  const atMs = isDate ? Date.parse(value) : NaN;
  return Number.isNaN(atMs) ? null : atMs;
}

const dayMs = 86_400_000;

/** The next moment that has this time of the day in UTC; null when it is none. */
function timeOfDayAfter(value: string, nowMs: number): number | null {
  const time = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:Z| ?(?:UTC|GMT))?$/i.exec(value);
  if (time === null) return null;
  const [hours, minutes, seconds] = [Number(time[1]), Number(time[2]), Number(time[3] ?? 0)];
  if (hours > 23 || minutes > 59 || seconds > 60) return null;
  const atMs = nowMs - (nowMs % dayMs) + ((hours * 60 + minutes) * 60 + seconds) * 1000;
  return atMs < nowMs ? atMs + dayMs : atMs;
}
