import type { AnswerStore, StoredAnswer } from '../../core/ports.ts';
import { checkLimit } from './cursor.ts';
import { MemoryActivity, MemoryBookStore, MemoryWatchlistStore } from './memory-activity.ts';
import { MemoryActivityStore } from './memory-rows.ts';
import { MemoryHealthStore } from './memory-health.ts';
import { MemoryRunStore } from './memory-runs.ts';
import { wordsFor } from './sql.ts';
import { storageFailure } from './storage-thread.ts';
import { callStore, portsOver, type ServedStores, type StorePorts, type Synchronous } from './store-ports.ts';

/**
 * The storage ports without SQLite, for tests of the domain and for a runtime in which not even a database in memory can
 * be had. They keep the contracts of the ports, the order of rows included, and forget everything at the end.
 */
export function createMemoryStores(): StorePorts {
  const activity = new MemoryActivity();
  return portsInProcess({
    answers: new MemoryAnswerStore(),
    watchlist: new MemoryWatchlistStore(activity),
    book: new MemoryBookStore(activity),
    activity: new MemoryActivityStore(activity),
    health: new MemoryHealthStore(),
    runs: new MemoryRunStore(),
  });
}

/** Ports over stores in this thread. Arguments and results are copied, as they are on the way to another thread. */
export function portsInProcess(stores: ServedStores): StorePorts {
  return portsOver(async (call) => {
    try {
      return structuredClone(await callStore(stores, structuredClone(call)));
    } catch (cause) {
      throw storageFailure(wordsFor(cause));
    }
  });
}

class MemoryAnswerStore implements Synchronous<AnswerStore> {
  readonly #answers = new Map<string, StoredAnswer>();

  read(key: string): StoredAnswer | null {
    return this.#answers.get(key) ?? null;
  }

  write(answer: StoredAnswer): void {
    this.#answers.set(answer.key, answer);
  }

  holding(query: { endpointId: string; text: string; limit: number }): StoredAnswer[] {
    return [...this.#answers.values()]
      .filter(({ endpointId, bodyText }) => endpointId === query.endpointId && bodyText.includes(query.text))
      .sort((a, b) => b.fetchedAtMs - a.fetchedAtMs || (a.key < b.key ? -1 : 1))
      .slice(0, checkLimit(query.limit));
  }
}
