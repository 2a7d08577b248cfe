import { isObject, type Json } from '../../../../shared/json.ts';
import { largestDurationNs, parseGoDuration } from '../../../../shared/health/go-duration.ts';
import { isZeroTime, parseRfc3339 } from '../../../../shared/health/rfc3339.ts';
import type { CheckState } from '../../../../shared/health/types.ts';
import { nodeTime, type NodeCheck, type NodeMs } from './node-clock.ts';

/** What can be wrong with a check in a report; the text is shown after the names of the checks concerned. */
export const oddityWords = {
  unreadable: 'not a check result, so the state is unknown; kept as received',
  'no-checks': 'not an object with a result for each check, so all states are unknown; kept as received',
  'no-time': 'the time of the last run is missing',
  'bad-time': 'an unreadable time',
  'bad-duration': 'an impossible duration',
  'bad-counter': 'an impossible failure count',
  'counts-without-error': 'has a failure count but no error; treated as failing',
  'message-too-large': 'the message is too large and was left out',
  'details-too-large':
    'all messages and errors together are too large, so the message and the rest of the error were left out',
  'error-too-long': 'the error text is very long and was shortened',
} as const;

export type Oddity = keyof typeof oddityWords;
/** `value`: what could not be parsed, where it is not kept elsewhere. */
export type TellOddity = (oddity: Oddity, value?: unknown) => void;

/** A larger message is dropped: it would be stored for a year and sent to the window with each poll. */
const largestMessageChars = 131_072;
const largestErrorChars = 8_192;

/**
 * Parses one check of a report leniently, for the specification's "Node health records" and older shapes: `error` may
 * be a string or an object with `message`, `message` may have any shape, times and counters may be absent, null or
 * zero. Never throws; reports what is wrong to `odd`.
 */
export function readCheck(name: string, value: unknown, odd: TellOddity): NodeCheck {
  if (!isObject(value)) {
    odd('unreadable');
    return unreadCheck(name, value, odd);
  }
  const error = readError(value['error'], odd);
  const timestamp = value['timestamp'];
  const neverRan = typeof timestamp === 'string' && isZeroTime(timestamp);
  const contiguousFailures = readCounter(value['contiguousFailures'], odd);
  const state = stateOf(error, neverRan, contiguousFailures);
  if (state === 'fail' && error === null) odd('counts-without-error');
  if (isAbsent(timestamp) && state !== 'pending') odd('no-time');
  return {
    name,
    state,
    error: state === 'pending' ? null : error,
    message: readMessage(value['message'], odd),
    ranAtMs: readTime(timestamp, odd),
    durationNs: readDuration(value['duration'], odd),
    // Old nodes send zero and null while the check passes; the counter only means something for a failing check.
    contiguousFailures: state === 'fail' ? contiguousFailures : null,
    firstFailureAtMs: state === 'fail' ? readTime(value['timeOfFirstFailure'], odd) : null,
  };
}

/** For a value that is not a check result: state unknown, with the raw value as its message. */
export function unreadCheck(name: string, value: unknown, odd: TellOddity): NodeCheck {
  const none = { error: null, ranAtMs: null, durationNs: null, contiguousFailures: null };
  return { ...none, name, state: 'unknown', message: readMessage(value, odd), firstFailureAtMs: null };
}

/**
 * An error decides. A check that has not run yet has the error "not yet run", or the zero time and no error. A failure
 * count without an error still means that the last run failed.
 */
function stateOf(error: string | null, neverRan: boolean, contiguousFailures: number | null): CheckState {
  if (error !== null) return /^\s*not yet run\s*$/i.test(error) ? 'pending' : 'fail';
  if (neverRan) return 'pending';
  return contiguousFailures !== null && contiguousFailures > 0 ? 'fail' : 'pass';
}

const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null;

function readError(value: unknown, odd: TellOddity): string | null {
  if (isAbsent(value) || value === '' || value === false) return null;
  let text: string;
  if (typeof value === 'string') text = value;
  else if (isObject(value) && typeof value['message'] === 'string' && value['message'] !== '') {
    text = value['message'];
  } else {
    // Some old nodes wrote `{}` for an error whose text was lost: still an error.
    text = isObject(value) && Object.keys(value).length === 0 ? '(no text)' : JSON.stringify(value);
  }
  if (text.length <= largestErrorChars) return text;
  odd('error-too-long');
  return `${text.slice(0, largestErrorChars)}…`;
}

function readMessage(value: unknown, odd: TellOddity): Json | null {
  if (isAbsent(value)) return null;
  if (JSON.stringify(value).length > largestMessageChars) {
    odd('message-too-large');
    return null;
  }
  // It was parsed from JSON, so it can only be JSON.
  return value as Json;
}

function readTime(value: unknown, odd: TellOddity): NodeMs | null {
  if (typeof value === 'string' && isZeroTime(value)) return null;
  return readOr(value, 'bad-time', odd, () => {
    const ms = typeof value === 'string' ? parseRfc3339(value) : null;
    return ms !== null && ms >= 0 ? nodeTime(ms) : null;
  });
}

/** Nanoseconds as decimal digits. The parser already gives numbers too large for a double as digits. */
function readDuration(value: unknown, odd: TellOddity): string | null {
  return readOr(value, 'bad-duration', odd, () => {
    if (isCount(value)) return String(value);
    if (typeof value !== 'string') return null;
    const ns = /^\d{1,19}$/.test(value) ? BigInt(value) : parseGoDuration(value);
    return ns !== null && ns >= 0n && ns <= largestDurationNs ? String(ns) : null;
  });
}

const readCounter = (value: unknown, odd: TellOddity): number | null =>
  readOr(value, 'bad-counter', odd, () => (isCount(value) ? value : null));

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

/** Null when the value is absent, or cannot be parsed; the latter is reported as odd. */
function readOr<T>(value: unknown, oddity: Oddity, odd: TellOddity, read: () => T | null): T | null {
  const known = isAbsent(value) ? null : read();
  if (known === null && !isAbsent(value)) odd(oddity, value);
  return known;
}
