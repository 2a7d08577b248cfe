import type { HttpFailure } from '../../ports.ts';
import type { NodeAnswer } from './ask-node.ts';
import { mayBeItsEnd } from './no-report.ts';
import type { Reading } from './report.ts';

/** Reachability of one node on another computer; times by the monotonic clock. */
export interface RemoteNode {
  host: string;
  /** Since when every request has failed below HTTP; null when the last one got any response. */
  failingSinceMs: number | null;
  /** When it last answered; null for never. */
  answeredMs: number | null;
}

/** Failures that begin within this span count as one event: the longest interval of polls, plus timeouts. */
const oneEventMs = 150_000;
/** A response this shortly before a failure came while the failing request was still waiting. */
const sameSecondsMs = 5_000;

/**
 * Since when this computer's own network is probably down, and null when it is not: the system says so, or no remote
 * node answers, nodes of at least two hosts began to fail together, and nothing else remote (such as a service) has
 * answered since. Infinity when the nodes do not tell since when. `lastAnswerMs`: when something else remote last
 * answered; null for never.
 */
export function ownNetworkDownSince(
  nodes: readonly RemoteNode[],
  isOnline: boolean,
  lastAnswerMs: number | null,
): number | null {
  const untold = isOnline ? null : Infinity;
  const failing = nodes.flatMap(({ host, failingSinceMs: sinceMs }) =>
    sinceMs === null ? [] : [{ host, sinceMs }],
  );
  if (failing.length < nodes.length) return untold;
  const latestMs = Math.max(...failing.map(({ sinceMs }) => sinceMs));
  const answeredMs = Math.max(...nodes.map((node) => node.answeredMs ?? -Infinity));
  for (const { sinceMs: endMs } of failing.toSorted((one, other) => other.sinceMs - one.sinceMs)) {
    const event = failing.filter(({ sinceMs }) => sinceMs >= endMs - oneEventMs && sinceMs <= endMs);
    const beganMs = Math.min(...event.map(({ sinceMs }) => sinceMs));
    if (lastAnswerMs !== null && lastAnswerMs >= beganMs - sameSecondsMs) return untold;
    // One that is asked rarely fails later of the same loss, unless a node has answered since that began.
    if (endMs < latestMs && answeredMs >= beganMs) return untold;
    if (new Set(event.map(({ host }) => host)).size >= 2) return beganMs;
  }
  return untold;
}

/** Failures that prove that a host was reached. A captive portal fails by TLS in the place of every host. */
const proofs: ReadonlySet<HttpFailure> = new Set(['refused', 'reset', 'too-large']);

/** True for failures that a network outage can cause. */
export function isNetworkFailure(reading: Reading<unknown>): boolean {
  const failure = reading.kind === 'report' ? null : reading.failure;
  return failure !== null && mayBeItsEnd(failure) && !proofs.has(failure);
}

/** True when the request was sent, and what answered was brought by a network; a redirect may be a captive portal's. */
export function wasAnswered({
  reading,
  httpStatus = 0,
}: Pick<NodeAnswer, 'reading' | 'httpStatus'>): boolean {
  if (reading.kind === 'report' || httpStatus > 0) return true;
  return reading.failure !== null && proofs.has(reading.failure);
}
