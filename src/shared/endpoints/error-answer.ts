import type { AppError } from '../errors.ts';
import { isObject, jsonOrNull } from '../json.ts';
import { holdAfterMs } from '../retry-after.ts';
import { cleanText } from '../text.ts';

const maxMessageLength = 300;

export interface ErrorAnswer {
  status: number;
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

/**
 * Converts an answer outside 2xx to an error (specification, "Errors"): by its status, with the service's message if
 * any. `message` may be a string or a list of strings (service-and-node.md §4); a gateway's HTML is not quoted.
 */
export function errorFromAnswer(answer: ErrorAnswer, nowMs: number): AppError {
  const words = serviceMessage(answer.body);
  const { status } = answer;
  if (status === 401) return { code: 'unauthorized', message: words ?? 'The service refused the API key.' };
  if (status === 403) return { code: 'forbidden', message: words ?? 'The service refused access.' };
  if (status === 404) return { code: 'not-found', message: words ?? 'The service has no record of this.' };
  if (status === 429) {
    return {
      code: 'rate-limited',
      message: words ?? 'Too many requests.',
      retryAtMs: nowMs + holdAfterMs(answer.headers, nowMs),
    };
  }
  return { code: 'upstream', message: words ?? `The service responded with status ${status}.`, status };
}

/** The service's message as plain text; null if the body is not its error object. */
function serviceMessage(body: string): string | null {
  // HTML of a gateway, or an empty body, is no message of the service.
  const parsed = jsonOrNull((): unknown => JSON.parse(body));
  if (!isObject(parsed)) return null;
  const { message, error } = parsed;
  const lines = (Array.isArray(message) ? message : [message]).filter(
    (line): line is string => typeof line === 'string' && line.trim() !== '',
  );
  if (lines.length === 0 && typeof error === 'string') lines.push(error);
  const text = cleanText(lines.join(' · '), maxMessageLength);
  return text === '' ? null : text;
}
