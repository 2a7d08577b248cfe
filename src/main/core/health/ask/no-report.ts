import type { AppError } from '../../../../shared/errors.ts';
import { cleanText } from '../../../../shared/text.ts';
import { holdAfterMs } from '../../../../shared/retry-after.ts';
import type { HttpFailed, HttpFailure } from '../../ports.ts';

/** A response, or a failed request, that says nothing about the checks of the node. */
export interface NoReport {
  kind: 'no-report';
  /** `unreachable`: no response from the node. `unknown`: there was a response, but no report in it. */
  state: 'unreachable' | 'unknown';
  /** One sentence. */
  reason: string;
  error: AppError;
  /** How the request failed below HTTP; null when there was a response, or no request. */
  failure: HttpFailure | null;
  /** SHA-256 of the certificate that was shown, if it is not trusted. */
  certificate?: string | null;
}

/** Classifies a response without a report. `problem`: what is wrong with a body that could have been one. */
export function classifyAnswer(status: number, bodyText: string, problem: string | null): NoReport {
  const body = bodyText.trimStart();
  if (problem !== null && (status !== 503 || isCutReport(body)))
    return noReport({ code: 'bad-response', message: whatItIs(body), issues: [problem] });
  const upstream = (message: string) => noReport({ code: 'upstream', message, status });
  if (status === 400 && /http request to (an )?https server/i.test(body))
    return upstream('The server uses HTTPS, so the address must begin with https://.');
  if (status === 401)
    return noReport({ code: 'unauthorized', message: 'The address requires a login (401).' });
  if (status === 403) {
    const message = /invalid host specified/i.test(body)
      ? 'The node doesn’t accept the host name in its address: use its IP address, or start the node with this host in --http-allowed-hosts.'
      : 'The address refused the request (403).';
    return noReport({ code: 'forbidden', message });
  }
  if (status === 404) {
    const message =
      'There’s no health API at this address (404). It may be switched off on the node, or the address may be wrong.';
    return noReport({ code: 'not-found', message });
  }
  if (status === 405 || status === 415)
    return upstream(`This address doesn’t accept the request (${status}), so it isn’t a node’s health API.`);
  if (isGatewayError(status))
    return {
      ...upstream(`The node isn’t responding (the gateway returned ${status}).`),
      state: 'unreachable',
    };
  return upstream(`The server returned status ${status} and no report.`);
}

/** A 429, in whose body there is never a report. Times on the node's clock are relative to the node's `date` alone. */
export function askedToWait(headers: Readonly<Record<string, string>>, nowMs: number): NoReport {
  const retryAtMs = nowMs + Math.min(holdAfterMs(headers, null), longestWaitMs);
  return noReport({ code: 'rate-limited', message: 'The server is limiting requests (429).', retryAtMs });
}

/** What stands in front of a node says that it is gone: a proxy, or a CDN (520 to 530). 503 is a node's own with a report. */
const isGatewayError = (status: number): boolean =>
  status === 500 || (status >= 502 && status <= 504) || (status >= 520 && status <= 530);

/** From the response header `node-id`; null when it is missing. */
export const reportedNodeId = (headers: Readonly<Record<string, string>>): string | null =>
  cleanText(headers['node-id'] ?? '', 200) || null;

/** An error that carries the node's name is the node's own. */
export function errorOfNode(status: number): NoReport {
  const message = `The node returned status ${status} and no report.`;
  return noReport({ code: 'upstream', message, status });
}

/** Classifies a request that ended without a response. */
export function classifyFailure(failure: HttpFailed): NoReport {
  const [code, reason] = failureWords[failure.reason];
  const detail = cleanText(failure.detail, 500);
  const message = detail === '' ? reason : `${reason} (${detail})`;
  const error: AppError =
    code === 'bad-response' ? { code, message, issues: [failure.reason] } : { code, message };
  const state = mayBeItsEnd(failure.reason) ? 'unreachable' : 'unknown';
  const { certificate = null } = failure;
  return { kind: 'no-report', state, reason, error, failure: failure.reason, certificate };
}

/** For a response that is not a report, or a request that the app itself could not send. */
export function noReport(error: AppError): NoReport {
  return { kind: 'no-report', state: 'unknown', reason: error.message, error, failure: null };
}

const failureWords = {
  dns: ['unreachable', 'The app couldn’t resolve the node’s host name.'],
  refused: ['unreachable', 'The node refused the connection.'],
  reset: ['unreachable', 'The connection to the node was lost.'],
  tls: ['unreachable', 'The app couldn’t make a secure connection to the node.'],
  network: ['unreachable', 'The app couldn’t reach the node.'],
  proxy: ['proxy', 'The proxy didn’t forward the request to the node.'],
  timeout: ['timeout', 'The node didn’t respond in time.'],
  'too-large': ['bad-response', 'The response is too large to be a health report.'],
  redirect: ['bad-response', 'The address redirects to another server, and the app didn’t follow.'],
  'bad-encoding': ['bad-response', 'The app couldn’t decode the response.'],
  cancelled: ['cancelled', 'The request was stopped.'],
  'not-allowed': ['not-allowed', 'The request wasn’t sent.'],
} as const satisfies Record<HttpFailure, readonly [AppError['code'], reason: string]>;

function whatItIs(body: string): string {
  if (body === '') return 'The response is empty.';
  if (body.startsWith('<')) return 'The response is a web page, not a health report.';
  return isCutReport(body)
    ? 'The health report is cut off or broken.'
    : 'The response isn’t a health report.';
}

/** The beginning of a report that could not be parsed: it comes from the node itself, even with status 503. */
const isCutReport = (body: string): boolean => /^\{\s*"(checks|healthy)"\s*:/.test(body);

/** Upper limit for Retry-After: even when asked for a longer pause, the app has to notice when that changes. */
const longestWaitMs = 3_600_000;

/** Whether a request failed without an answer of the node, which may have ended. */
export function mayBeItsEnd(failure: HttpFailure): boolean {
  const [code] = failureWords[failure];
  return code === 'unreachable' || code === 'timeout';
}
