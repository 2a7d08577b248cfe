import type { ActivityStore, Wish } from '../../activity-ports.ts';
import type { Log } from '../../ports.ts';
import type { Entry } from './sync-entry.ts';

/** Remembers what the user wants of lists, also for the next start of the app; many are stored together. */
export class Wishes {
  readonly #deps: { store: ActivityStore; log: Log; isHere: (entry: Entry) => boolean };
  /** Of which the user wants something else than is stored. */
  readonly #changed = new Set<Entry>();

  constructor(deps: { store: ActivityStore; log: Log; isHere: (entry: Entry) => boolean }) {
    this.#deps = deps;
  }

  /** Not fatal if it cannot be stored: only the next start of the app will find the old value. */
  set(entry: Entry, wish: Wish): void {
    if (entry.stoppedByUser === wish.stoppedByUser && entry.owed === wish.owed) return;
    Object.assign(entry, wish);
    this.#changed.add(entry);
    if (this.#changed.size > 1) return;
    void Promise.resolve().then(() => {
      const changed = [...this.#changed].filter(this.#deps.isHere);
      this.#changed.clear();
      this.store(changed).catch((cause: unknown) => this.#deps.log.error('sync.wish-not-stored', cause));
    });
  }

  /** Rejects when they cannot be stored. */
  async store(entries: readonly Entry[]): Promise<void> {
    const wishes = entries.map(({ ref, stoppedByUser, owed }) => ({ ...ref, stoppedByUser, owed }));
    if (wishes.length > 0) await this.#deps.store.setWishes(wishes);
  }
}
