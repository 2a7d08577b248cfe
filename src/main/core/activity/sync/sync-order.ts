import type { ListRef } from '../../activity-ports.ts';
import type { SyncInitiator } from './sync-entry.ts';

/** A list that waits for its turn. */
export interface Waiting {
  entry: { ref: ListRef; run: { initiator: SyncInitiator } | null };
}

/** More lists than this that wait at once are no wish of which the user watches the end. */
const mostUrgent = 20;

/** Which of the lists that wait is fetched next. */
export class SyncOrder {
  readonly #shown = new Map<string, ReadonlySet<string>>();

  /** The chains of an address that are on the screen. */
  showing(address: string, chainIds: readonly string[]): void {
    this.#shown.set(address, new Set(chainIds));
  }

  /** The user's before the app's, what the timeline shows before the rest, what is on the screen before what is not. */
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

/** Nobody waits for each of hundreds: together they would use up what is kept for the look-ups of the user. */
export function isOneOfMany(queue: readonly Waiting[]): boolean {
  return queue.length > mostUrgent;
}
