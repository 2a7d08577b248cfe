import { isLoopback } from '../../../../shared/loopback.ts';
import type { HttpClient } from '../../ports.ts';
import type { Reading } from './report.ts';

/** What is known of the way to one node on another computer; times by the monotonic clock. */
export interface RemoteNode {
  host: string;
  /** Since when every exchange has failed below HTTP; null when the last one brought an answer, of whatever kind. */
  failingSinceMs: number | null;
}

/** Failures that begin within this span of each other are one event: the slowest rhythm of polls, and their time limits. */
const oneEventMs = 150_000;
/** An answer so long before a failure was told came while the node that failed was being waited for. */
const sameSecondsMs = 5_000;

/**
 * True when it is rather the network of this computer that is down: the system says so, or nothing remote answers at all.
 * Nodes of at least two hosts began to fail together then, no node of any other host answers, and neither did anything else,
 * such as a service: `lastAnswerMs` is when something remote last did, null for never.
 */
export function isOwnNetworkDown(
  nodes: readonly RemoteNode[],
  isOnline: boolean,
  lastAnswerMs: number | null,
): boolean {
  if (!isOnline) return true;
  const since = nodes.map(({ failingSinceMs }) => failingSinceMs);
  if (since.some((ms) => ms === null)) return false;
  const latestMs = Math.max(...since.map((ms) => ms ?? 0));
  const event = nodes.filter(({ failingSinceMs }) => (failingSinceMs ?? 0) >= latestMs - oneEventMs);
  const beganMs = Math.min(...event.map(({ failingSinceMs }) => failingSinceMs ?? 0));
  if (lastAnswerMs !== null && lastAnswerMs >= beganMs - sameSecondsMs) return false;
  return new Set(event.map(({ host }) => host)).size >= 2;
}

/** The same client, which tells of every answer of another computer. */
export function tellingAnswers(http: HttpClient, onAnswer: () => void): HttpClient {
  return {
    async send(request) {
      const outcome = await http.send(request);
      if (outcome.kind === 'response' && remoteHost(request.url) !== null) onAnswer();
      return outcome;
    },
  };
}

/** Host of an address; null for this computer itself, and for what is no address. */
export function remoteHost(url: string): string | null {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  return host === '' || isLoopback(host) ? null : host;
}

/** True for a failure that a network that is down can cause; a refusal comes from somebody who was reached. */
export function isNetworkFailure(reading: Reading): boolean {
  return (
    reading.kind === 'no-report' &&
    (reading.failure === 'dns' || reading.failure === 'network' || reading.failure === 'timeout')
  );
}
