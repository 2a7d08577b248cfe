import type { Ports } from '../ports.ts';

/** More between two signs that the app runs says that nobody looked: it must be given each poll, and called now and then. */
const longestGapMs = 75_000;
/** A larger step of one clock against the other is a sleep, or somebody has set the clock. */
const largestStepMs = 5_000;

export interface SilencesDeps extends Pick<Ports, 'clock' | 'timers'> {
  /** After how much silence a node causes an alert. */
  dueMs: (nodeId: string) => number;
  /** Called when a silence has lasted that long, which may be between two polls. */
  onDue: (nodeId: string) => void;
  /** Called when the computer seems to have slept, or its clock was set, and nobody has said so. */
  onSlept: () => void;
}

/** How long each node was really seen silent: sleep, steps of the clock and our own trouble do not count. */
export function createSilences({ clock, timers, dueMs, onDue, onSlept }: SilencesDeps) {
  /** By the monotonic clock. */
  const byNode = new Map<string, { sinceMs: number; lastMs: number; cancel: () => void }>();
  /** When the app was last seen to run, and how far the system's clock was ahead of the monotonic one. */
  let awake: { monotonicMs: number; offsetMs: number } | null = null;

  /** Must be called at least once in a minute. */
  function runs(): void {
    const monotonicMs = clock.monotonicMs();
    const offsetMs = clock.nowMs() - monotonicMs;
    const before = awake ?? { monotonicMs, offsetMs };
    awake = { monotonicMs, offsetMs };
    const hasSlept =
      monotonicMs - before.monotonicMs > longestGapMs || Math.abs(offsetMs - before.offsetMs) > largestStepMs;
    if (!hasSlept) return;
    clear();
    onSlept();
  }

  /** Must be called for every poll. */
  function polled(nodeId: string, isUnreachable: boolean): void {
    runs();
    const lastMs = clock.monotonicMs();
    const sinceMs = byNode.get(nodeId)?.sinceMs ?? lastMs;
    forget(nodeId);
    if (!isUnreachable) return;
    const leftMs = dueMs(nodeId) - (lastMs - sinceMs);
    const isDue = () => {
      // Nothing has answered since the last poll; whether the computer has slept meanwhile is seen as with a poll.
      polled(nodeId, true);
      if (ms(nodeId) >= dueMs(nodeId)) onDue(nodeId);
    };
    // Of a poll that is longer ago, nothing is said before the next one.
    const cancel = leftMs > 0 && leftMs <= longestGapMs ? timers.after(leftMs, isDue) : () => undefined;
    byNode.set(nodeId, { sinceMs, lastMs, cancel });
  }

  /** How long a node has not answered; 0 for one that does. */
  function ms(nodeId: string): number {
    const silent = byNode.get(nodeId);
    return silent === undefined ? 0 : silent.lastMs - silent.sinceMs;
  }

  function forget(nodeId: string): void {
    byNode.get(nodeId)?.cancel();
    byNode.delete(nodeId);
  }

  function clear(): void {
    for (const nodeId of [...byNode.keys()]) forget(nodeId);
  }

  return { runs, polled, ms, forget, clear };
}
