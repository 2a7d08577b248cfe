import { nextSightingMs, type Phase } from './phase.ts';

/** Longest wait between polls of a node that does not answer, unless its own interval is longer. */
const longestBackoffMs = 60_000;
const firstBackoffMs = 5_000;
/** Who asks less often does not wait for seconds, and sees too few runs to learn from. */
const longestLockedIntervalMs = 120_000;

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
  /** When the node runs its checks, as far as that is known. */
  phase: Phase | null;
}

/**
 * The first moment of the grid `dueMs + n × intervalMs` that has not passed, so that the polls do not drift. Where the node's
 * checks run in time with the interval, the moment just after the next run is taken instead, and the grid goes on from it:
 * at the same rate a change is seen as soon as it can be seen.
 *
 * Failures only ever make it later. They double a wait of 5 s up to 60 s, of which up to a fifth is left out by chance so that nodes
 * that died together are not asked together.
 */
export function nextDueMs(poll: PollEnd): number {
  const steps = Math.max(1, Math.ceil((poll.endedMs - poll.dueMs) / poll.intervalMs));
  const slotMs = poll.dueMs + steps * poll.intervalMs;
  if (poll.failuresInRow === 0) return lockedDueMs(poll, slotMs);
  const backoffMs =
    Math.min(longestBackoffMs, firstBackoffMs * 2 ** (poll.failuresInRow - 1)) * (1 - 0.2 * poll.jitter);
  return Math.max(slotMs, poll.endedMs + backoffMs, poll.endedMs + (poll.retryAfterMs ?? 0));
}

function lockedDueMs(poll: PollEnd, slotMs: number): number {
  const { phase, intervalMs } = poll;
  const periodMs = phase?.periodMs ?? null;
  if (phase === null || periodMs === null || !areInTune(intervalMs, periodMs)) return slotMs;
  // The sighting nearest to the slot, and at most a tenth of the interval before it.
  const earliestMs = Math.max(poll.endedMs, slotMs - Math.min(intervalMs * tolerance, periodMs / 2));
  const sightingMs = nextSightingMs(phase, earliestMs);
  return sightingMs !== null && sightingMs < earliestMs + intervalMs ? sightingMs : slotMs;
}

/** How far polls may be from the interval that was asked for, so as to fall in with the runs. */
const tolerance = 0.1;

/** True when one is nearly a number of times the other, so that polls can follow the runs at the rate asked for. */
function areInTune(intervalMs: number, periodMs: number): boolean {
  if (intervalMs > longestLockedIntervalMs) return false;
  const ratio = intervalMs / periodMs;
  const whole = ratio >= 1 ? Math.round(ratio) : 1 / Math.round(1 / ratio);
  return Math.abs(whole / ratio - 1) <= tolerance;
}
