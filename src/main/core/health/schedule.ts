/** Longest wait between polls of a node that does not answer, unless its own interval is longer. */
const longestBackoffMs = 60_000;
const firstBackoffMs = 5_000;

/** When a node is polled next; all times are of the monotonic clock, in milliseconds. */
export interface PollEnd {
  /** When this poll was due, which is not quite when it began. */
  dueMs: number;
  endedMs: number;
  intervalMs: number;
  /** Polls in a row that brought no report, this one included. */
  failuresInRow: number;
  /** What the other side asked for; null when it did not. */
  retryAfterMs: number | null;
  /** Uniform in [0, 1). */
  jitter: number;
}

/**
 * The first moment of the grid `dueMs + n × intervalMs` that has not passed, so that the polls do not drift; failures only
 * ever make it later. They double a wait of 5 s up to 60 s, of which up to a fifth is left out by chance so that nodes
 * that died together are not asked together.
 */
export function nextDueMs(poll: PollEnd): number {
  const steps = Math.max(1, Math.ceil((poll.endedMs - poll.dueMs) / poll.intervalMs));
  const slotMs = poll.dueMs + steps * poll.intervalMs;
  const backoffMs =
    poll.failuresInRow === 0
      ? 0
      : Math.min(longestBackoffMs, firstBackoffMs * 2 ** (poll.failuresInRow - 1)) * (1 - 0.2 * poll.jitter);
  return Math.max(slotMs, poll.endedMs + backoffMs, poll.endedMs + (poll.retryAfterMs ?? 0));
}
