import type { Reading } from './report.ts';

/** What is known of the way to one node on another computer; times by the monotonic clock. */
export interface RemoteNode {
  host: string;
  /** Since when every exchange has failed below HTTP; null when the last one brought an answer, of whatever kind. */
  failingSinceMs: number | null;
}

/** Failures that begin within this span of each other are one event: the slowest rhythm of polls, and their time limits. */
const oneEventMs = 150_000;

/**
 * True when it is rather the network of this computer that is down: the system says so, or nodes of at least two hosts
 * began to fail together and no node of any other host answers.
 */
export function isOwnNetworkDown(nodes: readonly RemoteNode[], isOnline: boolean): boolean {
  if (!isOnline) return true;
  const since = nodes.map(({ failingSinceMs }) => failingSinceMs);
  if (since.some((ms) => ms === null)) return false;
  const latestMs = Math.max(...since.map((ms) => ms ?? 0));
  const hosts = new Set(
    nodes
      .filter(({ failingSinceMs }) => (failingSinceMs ?? 0) >= latestMs - oneEventMs)
      .map(({ host }) => host),
  );
  return hosts.size >= 2;
}

/** Host of a node's address; null for this computer itself, which needs no network. */
export function remoteHost(url: string): string | null {
  const host = /^https?:\/\/(\[[^\]]*\]|[^/:]*)/i.exec(url)?.[1]?.toLowerCase() ?? '';
  return isLoopback(host) ? null : host;
}

function isLoopback(host: string): boolean {
  return (
    host === '[::1]' ||
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    /^127\.\d+\.\d+\.\d+$/.test(host) ||
    /^\[::ffff:7f[0-9a-f]{2}:/.test(host)
  );
}

/** True for a failure that a network that is down can cause; a refusal comes from somebody who was reached. */
export function isNetworkFailure(reading: Reading): boolean {
  return (
    reading.kind === 'no-report' &&
    (reading.failure === 'dns' || reading.failure === 'network' || reading.failure === 'timeout')
  );
}
