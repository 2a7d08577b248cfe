import type { BookEntry } from '../../../../shared/activity/types.ts';
import { AppFailure } from '../../../../shared/errors.ts';
import type {
  ActivityStore,
  AnswerStore,
  BookStore,
  ListRef,
  StoredAddress,
  StoredAnswer,
  StoredChains,
  StoredRecord,
  StoredRow,
  WatchlistStore,
} from '../../ports.ts';
import { createMemoryActivity } from './memory-activity.ts';

/** The stores of the domain in memory, as a test sees them. */
export interface MemoryStores {
  answers: AnswerStore;
  watchlist: WatchlistStore;
  activity: ActivityStore;
  book: BookStore;
  /** Stored rows of an address on a chain, newest first. */
  rowsOf(address: string, chainId: string): StoredRow[];
  recordsOf(ref: ListRef): StoredRecord[];
  storedAnswers: Map<string, StoredAnswer>;
  /** While true every write rejects, as on a full disk. */
  failWrites(isFailing: boolean): void;
}

export function createMemoryStores(): MemoryStores {
  const storedAnswers = new Map<string, StoredAnswer>();
  const addresses = new Map<string, StoredAddress>();
  const chains = new Map<string, StoredChains>();
  const book = new Map<string, BookEntry>();
  /** Removed from the list, with their history kept. */
  const away = new Set<string>();
  let isFailing = false;

  function guard(): void {
    if (isFailing) throw new AppFailure({ code: 'storage', message: 'the disk is full' });
  }

  const activity = createMemoryActivity(guard, (address) => !away.has(address));

  return {
    storedAnswers,
    rowsOf: activity.rowsOf,
    recordsOf: activity.recordsOf,
    activity: activity.store,
    failWrites: (value) => {
      isFailing = value;
    },
    answers: {
      read: async (key) => storedAnswers.get(key) ?? null,
      write: async (answer) => {
        guard();
        storedAnswers.set(answer.key, answer);
      },
    },
    watchlist: {
      list: async () => [...addresses.values()],
      put: async (address) => {
        guard();
        away.delete(address.address);
        addresses.set(address.address, address);
      },
      remove: async (address, keepData) => {
        guard();
        addresses.delete(address);
        if (keepData) {
          away.add(address);
          return;
        }
        chains.delete(address);
        activity.forget(address);
      },
      readChains: async (address) => (away.has(address) ? null : (chains.get(address) ?? null)),
      writeChains: async (address, stored) => {
        guard();
        chains.set(address, stored);
      },
    },
    book: {
      list: async () => [...book.values()],
      put: async (entry) => {
        guard();
        book.set(entry.address, entry);
      },
      remove: async (address) => {
        guard();
        book.delete(address);
      },
    },
  };
}
