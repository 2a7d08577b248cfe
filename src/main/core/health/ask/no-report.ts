import type { AppError } from '../../../../shared/errors.ts';
import { cleanText } from '../../../../shared/text.ts';
import { defaultRetryAfterMs, retryAfterMs } from '../../../../shared/retry-after.ts';
import type { HttpFailure, HttpOutcome } from '../../ports.ts';

/** An answer, or the lack of one, that says nothing about the checks of the node. */
export interface NoReport {
  kind: 'no-report';
  /** `unreachable`: nothing came from the node. `unknown`: something answered, but not with a report. */
  state: 'unreachable' | 'unknown';
  /** One sentence. */
  reason: string;
  error: AppError;
  /** How the exchange failed below HTTP; null when something answered, or nothing was asked. */
  failure: HttpFailure | null;
}

/**
 * What an HTTP answer that carries no report means. `problem` says why its body is none, when the status alone would have
 * allowed one.
 */
export function classifyAnswer(
  status: number,
  headers: Readonly<Record<string, string>>,
  bodyText: string,
  problem: string | null,
): NoReport {
  const body = bodyText.trimStart();
  if (problem !== null && (status !== 503 || isCutReport(body))) return notAReport(body, problem);
  switch (status) {
    case 400:
      return unknown(
        /http request to (an )?https server/i.test(body)
          ? 'The server speaks HTTPS: the address must begin with https://.'
          : 'The address answered with status 400 and no report.',
        (message) => ({ code: 'upstream', message, status }),
      );
    case 401:
      return unknown('The address wants a login (401).', (message) => ({ code: 'unauthorized', message }));
    case 403:
      return /invalid host specified/i.test(body)
        ? unknown(
            'The node does not answer to the host name in its address: use its IP address, or start the node with --http-allowed-hosts naming this host.',
            (message) => ({ code: 'forbidden', message }),
          )
        : unknown('The address refuses the request (403).', (message) => ({ code: 'forbidden', message }));
    case 404:
      return unknown(
        'There is no health interface at this address (404): it is switched off on the node, or the address is wrong.',
        (message) => ({ code: 'not-found', message }),
      );
    case 429:
      return unknown('The address asks for fewer requests (429).', (message) => ({
        code: 'rate-limited',
        message,
        retryAfterMs: Math.min(retryAfterMs(headers, null) ?? defaultRetryAfterMs, longestWaitMs),
      }));
    case 405:
    case 415:
      return unknown(
        `What answers at this address does not accept the request (${status}): it is not a node's health interface.`,
        (message) => ({ code: 'upstream', message, status }),
      );
    case 502:
    case 503:
    case 504:
      return noReport('unreachable', `A proxy answered ${status} in the node's place.`, (message) => ({
        code: 'upstream',
        message,
        status,
      }));
    default:
      return unknown(`The address answered with status ${status} and no report.`, (message) => ({
        code: 'upstream',
        message,
        status,
      }));
  }
}

/** What an exchange that ended without an answer means. */
export function classifyFailure(failure: Extract<HttpOutcome, { kind: 'failure' }>): NoReport {
  const { state, code, reason } = failureWords[failure.reason];
  const detail = cleanText(failure.detail, 300);
  const message = detail === '' ? reason : `${reason} (${detail})`;
  const error: AppError =
    code === 'bad-response' ? { code, message, issues: [failure.reason] } : { code, message };
  return { kind: 'no-report', state, reason, error, failure: failure.reason };
}

/** The node could not even be asked, for a reason of our own. */
export function withoutRequest(error: AppError): NoReport {
  return { kind: 'no-report', state: 'unknown', reason: error.message, error, failure: null };
}

interface FailureWords {
  state: NoReport['state'];
  code: 'unreachable' | 'timeout' | 'bad-response' | 'cancelled';
  reason: string;
}

const failureWords: Readonly<Record<HttpFailure, FailureWords>> = {
  dns: {
    state: 'unreachable',
    code: 'unreachable',
    reason: 'The host name of the node could not be found.',
  },
  refused: { state: 'unreachable', code: 'unreachable', reason: 'The node refused the connection.' },
  reset: { state: 'unreachable', code: 'unreachable', reason: 'The connection to the node broke off.' },
  tls: {
    state: 'unreachable',
    code: 'unreachable',
    reason: 'No secure connection to the node could be made.',
  },
  network: { state: 'unreachable', code: 'unreachable', reason: 'The node could not be reached.' },
  timeout: { state: 'unreachable', code: 'timeout', reason: 'The node did not answer in time.' },
  'too-large': {
    state: 'unknown',
    code: 'bad-response',
    reason: 'The answer is too large to be a health report.',
  },
  redirect: {
    state: 'unknown',
    code: 'bad-response',
    reason: 'The address leads to another server, which was not followed.',
  },
  'bad-encoding': { state: 'unknown', code: 'bad-response', reason: 'The answer could not be decoded.' },
  cancelled: { state: 'unknown', code: 'cancelled', reason: 'The request was stopped.' },
};

function notAReport(body: string, problem: string): NoReport {
  const reason =
    body === ''
      ? 'The answer is empty.'
      : body.startsWith('<')
        ? 'The answer is a web page, not a health report.'
        : isCutReport(body)
          ? 'The health report is cut off or broken.'
          : 'The answer is not a health report.';
  return unknown(reason, (message) => ({ code: 'bad-response', message, issues: [problem] }));
}

/** The beginning of a report that could not be read as one: the node's own word, even under status 503. */
function isCutReport(body: string): boolean {
  return /^\{\s*"(checks|healthy)"\s*:/.test(body);
}

function unknown(reason: string, error: (message: string) => AppError): NoReport {
  return noReport('unknown', reason, error);
}

function noReport(state: NoReport['state'], reason: string, error: (message: string) => AppError): NoReport {
  return { kind: 'no-report', state, reason, error: error(reason), failure: null };
}

/** A node that asks for a longer silence is asked all the same: it is watched to see when that changes. */
const longestWaitMs = 3_600_000;
