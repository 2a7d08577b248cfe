import type { ListRef } from '../../activity-ports.ts';
import type { SyncInitiator } from './sync-entry.ts';

/** A list in the queue. */
export interface Waiting {
  entry: { ref: ListRef; run: { initiator: SyncInitiator } | null };
}

/** With more lists than this in the queue, the user is not waiting for any single one. */
const mostUrgent = 20;

/** Decides which list in the queue is fetched next. */
export class SyncOrder {
  readonly #shown = new Map<string, ReadonlySet<string>>();

  /** Sets the chains of an address that are on the screen. */
  showing(address: string, chainIds: readonly string[]): void {
    this.#shown.set(address, new Set(chainIds));
  }

  /** The user's runs before the app's, then lists of transactions before others, then what is on the screen. */
  next<T extends Waiting>(queue: readonly T[]): T | undefined {
    let best: { waiting: T; rank: number } | undefined;
    for (const waiting of queue) {
      const rank = this.#rank(waiting);
      if (best === undefined || rank < best.rank) best = { waiting, rank };
    }
    return best?.waiting;
  }

  #rank({ entry: { ref, run } }: Waiting): number {
    const isShown = this.#shown.get(ref.address)?.has(ref.chainId) ?? false;
    return (run?.initiator === 'user' ? 0 : 4) + (ref.list === 'transactions' ? 0 : 2) + (isShown ? 0 : 1);
  }
}

/** True for a long queue: at the user's priority it would use up the budget reserved for the user's own look-ups. */
export function isOneOfMany(queue: readonly Waiting[]): boolean {
  return queue.length > mostUrgent;
}
