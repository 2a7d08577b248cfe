import { LookAlikes } from '../../../shared/activity/look-alike.ts';
import type { BookEntry } from '../../../shared/activity/types.ts';
import type { BookStore, StoredAddress, StoredChains, WatchlistStore } from '../../core/activity-ports.ts';
import { compareTexts } from './cursor.ts';
import type { Names } from './filter-match.ts';
import type { List } from './memory-lists.ts';
import { SqlFailure } from './sql.ts';
import type { Synchronous } from './store-ports.ts';
import type { Decision, Judgement } from './verdict.ts';

/** A watched address in memory; one that was removed with its data kept is still here. */
export interface Watched {
  stored: StoredAddress;
  isRemoved: boolean;
  chains: StoredChains | null;
  lists: List[];
}

/** What the stores of addresses, names and rows share. */
export class MemoryActivity {
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

/** Watched addresses in memory. */
export class MemoryWatchlistStore implements Synchronous<WatchlistStore> {
  readonly #memory: MemoryActivity;

  constructor(memory: MemoryActivity) {
    this.#memory = memory;
  }

  list(): StoredAddress[] {
    return this.#memory.watched().map(({ stored }) => stored);
  }

  put(address: StoredAddress): void {
    const watched = this.#memory.addresses.get(address.address);
    if (watched === undefined) {
      this.#memory.addresses.set(address.address, {
        stored: address,
        isRemoved: false,
        chains: null,
        lists: [],
      });
    } else {
      watched.stored = address;
      watched.isRemoved = false;
    }
  }

  remove(address: string, keepData: boolean): void {
    const watched = this.#memory.addresses.get(address);
    if (watched !== undefined && keepData) watched.isRemoved = true;
    else this.#memory.addresses.delete(address);
  }

  readChains(address: string): StoredChains | null {
    const watched = this.#memory.addresses.get(address);
    return watched === undefined || watched.isRemoved ? null : watched.chains;
  }

  writeChains(address: string, chains: StoredChains): void {
    this.#memory.require(address).chains = chains;
  }
}

/** The user's names for addresses, in memory. */
export class MemoryBookStore implements Synchronous<BookStore> {
  readonly #memory: MemoryActivity;

  constructor(memory: MemoryActivity) {
    this.#memory = memory;
  }

  list(): BookEntry[] {
    return [...this.#memory.book.values()].sort(
      (a, b) => compareTexts(a.name, b.name) || compareTexts(a.address, b.address),
    );
  }

  put(entry: BookEntry): void {
    this.#memory.book.set(entry.address, entry);
  }

  remove(address: string): void {
    this.#memory.book.delete(address);
  }
}
