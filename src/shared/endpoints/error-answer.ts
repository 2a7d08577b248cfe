import type { AppError } from '../errors.ts';
import { cleanText } from '../text.ts';

/** When a 429 names no time, this long is waited (milliseconds). */
const defaultRetryAfterMs = 10_000;

/** No service means more than a day; a larger figure is a mistake that would silence the app. */
const maxRetryAfterMs = 86_400_000;

const maxMessageLength = 300;

export interface ErrorAnswer {
  status: number;
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

/**
 * The error that an answer outside 2xx stands for (specification, "Errors"): by its status, with the service's own
 * words where it has any. `message` may be a string or an array of strings (facts §4); a gateway's page is not quoted.
 */
export function errorFromAnswer(answer: ErrorAnswer, nowMs: number): AppError {
  const words = serviceMessage(answer.body);
  const { status } = answer;
  if (status === 400) {
    const message = words ?? 'The service refused the request as malformed.';
    return { code: 'invalid-params', message, issues: [message] };
  }
  if (status === 401) return { code: 'unauthorized', message: words ?? 'The service refused the API key.' };
  if (status === 403) return { code: 'forbidden', message: words ?? 'The service refused access.' };
  if (status === 404) return { code: 'not-found', message: words ?? 'The service does not know this.' };
  if (status === 429) {
    return {
      code: 'rate-limited',
      message: words ?? 'Too many requests.',
      retryAfterMs: retryAfterMs(answer.headers, nowMs) ?? defaultRetryAfterMs,
    };
  }
  return { code: 'upstream', message: words ?? `The service answered with status ${status}.`, status };
}

/**
 * How long the headers ask to wait: `retry-after` in seconds or as an HTTP date, else `ratelimit-reset` in seconds.
 * Null when they do not say, 0 when the time has passed.
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>, nowMs: number): number | null {
  const wait = waitOf(headers['retry-after'], nowMs) ?? waitOf(headers['ratelimit-reset'], nowMs);
  return wait === null ? null : Math.min(Math.max(wait, 0), maxRetryAfterMs);
}

function waitOf(text: string | undefined, nowMs: number): number | null {
  const value = text?.trim() ?? '';
  if (/^\d{1,9}(?:\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000);
  const atMs = /^[A-Za-z]{3,9},? /.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(atMs) ? null : atMs - nowMs;
}

/** The service's own words as plain text, or null when the body is not its error object. */
function serviceMessage(body: string): string | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    // A gateway's page or nothing at all: there are no words of the service to show.
    return null;
  }
  if (typeof parsed !== 'object' || parsed === null) return null;
  const message = 'message' in parsed ? parsed.message : undefined;
  const error = 'error' in parsed ? parsed.error : undefined;
  const lines = (Array.isArray(message) ? message : [message]).filter(
    (line): line is string => typeof line === 'string' && line.trim() !== '',
  );
  if (lines.length === 0 && typeof error === 'string') lines.push(error);
  const text = cleanText(lines.join(' · '), maxMessageLength);
  return text === '' ? null : text;
}
