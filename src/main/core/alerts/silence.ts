/** Polls without an answer that follow one another without a gap. */
export interface Silence {
  /** By the monotonic clock. */
  sinceMs: number;
  lastMs: number;
  /** How far the system's clock is ahead of the monotonic one, which stands still or not while the computer sleeps. */
  offsetMs: number;
}

/** More between two polls says that nobody looked. */
const longestGapMs = 75_000;
/** A larger step of one clock against the other is a sleep, or somebody has set the clock. */
const largestStepMs = 5_000;

/**
 * For how long a node was really seen not to answer: a night that the computer slept through, a step of the clock and
 * a time of our own trouble count for nothing.
 */
export function watchSilence(
  before: Silence | null,
  isUnreachable: boolean,
  { nowMs, monotonicMs }: { nowMs: number; monotonicMs: number },
): Silence | null {
  if (!isUnreachable) return null;
  const offsetMs = nowMs - monotonicMs;
  const goesOn =
    before !== null &&
    monotonicMs - before.lastMs <= longestGapMs &&
    Math.abs(offsetMs - before.offsetMs) <= largestStepMs;
  return { sinceMs: goesOn ? before.sinceMs : monotonicMs, lastMs: monotonicMs, offsetMs };
}
