import type { ListRef } from '../../activity-ports.ts';
import type { SyncInitiator } from './sync-entry.ts';

export interface Waiting {
  entry: { ref: ListRef; stored: unknown; run: { initiator: SyncInitiator } | null };
}

/** More concurrent runs would only share the same rate limit. */
const maxRuns = 2;
/** What the user has just added has its first rows also while long histories are fetched. */
const maxRunsWithFirst = 4;

/** With more lists than this in the queue, the user is not waiting for any single one. */
const mostUrgent = 20;

/** Decides which list in the queue is fetched next. */
export class SyncOrder {
  readonly #shown = new Map<string, ReadonlySet<string>>();

  /** Sets the chains of an address that are on the screen. */
  showing(address: string, chainIds: readonly string[]): void {
    this.#shown.set(address, new Set(chainIds));
  }

  /** The user's before the app's, then transactions before others, then what is shown. Undefined: none. */
  next<T extends Waiting>(queue: readonly T[], running: number): T | undefined {
    let best: { waiting: T; rank: number } | undefined;
    const most = isOneOfMany(queue) ? maxRuns : maxRunsWithFirst;
    for (const waiting of queue) {
      if (running >= (isFirst(waiting) ? most : maxRuns)) continue;
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

const isFirst = ({ entry: { ref, run, stored } }: Waiting): boolean =>
  stored === null && run?.initiator === 'user' && ref.list === 'transactions';

/** True for a long queue: at the user's priority it would use up the budget reserved for the user's own look-ups. */
export const isOneOfMany = (queue: readonly Waiting[]): boolean => queue.length > mostUrgent;
