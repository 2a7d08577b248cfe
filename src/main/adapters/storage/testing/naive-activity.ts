import { LookAlikes } from '../../../../shared/activity/look-alike.ts';
import type { BookEntry } from '../../../../shared/activity/types.ts';
import type { BookStore, StoredAddress, WatchlistStore } from '../../../core/activity-ports.ts';
import type { Names } from '../activity/filter-match.ts';
import type { List } from './naive-lists.ts';
import { SqlFailure } from '../sqlite/sql.ts';
import type { Synchronous } from '../store-ports.ts';
import type { Decision, Judgement } from '../activity/verdict.ts';

/** A watched address, or a removed one whose data was kept. */
export interface Watched {
  stored: StoredAddress;
  isRemoved: boolean;
  lists: List[];
}

/** Shared by the stores of addresses, names and rows. */
export class NaiveActivity {
  readonly addresses = new Map<string, Watched>();
  readonly book = new Map<string, BookEntry>();
  readonly tokenDecisions = new Map<string, Decision>();

  watched(): Watched[] {
    return [...this.addresses.values()]
      .filter(({ isRemoved }) => !isRemoved)
      .sort((a, b) => a.stored.addedAtMs - b.stored.addedAtMs);
  }

  require(address: string): Watched {
    const watched = this.addresses.get(address);
    if (watched === undefined || watched.isRemoved) throw new SqlFailure('missing-parent', '');
    return watched;
  }

  names(): Names {
    return {
      watched: new Map(this.watched().map(({ stored }) => [stored.address.toLowerCase(), stored])),
      book: new Map([...this.book.values()].map(({ address, name }) => [address.toLowerCase(), name])),
    };
  }

  judgement(): Judgement {
    const { watched, book } = this.names();
    return {
      lookAlikes: new LookAlikes([...watched.keys(), ...book.keys()]),
      tokenDecisions: this.tokenDecisions,
    };
  }
}

export class NaiveWatchlistStore implements Pick<Synchronous<WatchlistStore>, 'put' | 'remove'> {
  readonly #kept: NaiveActivity;

  constructor(kept: NaiveActivity) {
    this.#kept = kept;
  }

  put(...addresses: StoredAddress[]): void {
    for (const stored of addresses) {
      const watched = this.#kept.addresses.get(stored.address);
      if (watched === undefined)
        this.#kept.addresses.set(stored.address, { stored, isRemoved: false, lists: [] });
      else Object.assign(watched, { stored, isRemoved: false });
    }
  }

  remove(address: string, data: 'keep' | 'leave' | 'delete'): void {
    const watched = this.#kept.addresses.get(address);
    if (watched !== undefined && data !== 'delete') watched.isRemoved = true;
    else this.#kept.addresses.delete(address);
  }
}

export class NaiveBookStore implements Pick<Synchronous<BookStore>, 'put' | 'remove'> {
  readonly #kept: NaiveActivity;

  constructor(kept: NaiveActivity) {
    this.#kept = kept;
  }

  put(entry: BookEntry): void {
    this.#kept.book.set(entry.address, entry);
  }

  remove(address: string): void {
    this.#kept.book.delete(address);
  }
}
