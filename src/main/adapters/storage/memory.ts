import type {
  ActivityStore,
  AnswerStore,
  StoredAddress,
  StoredAnswer,
  StoredChains,
  StoredRow,
  StoredSync,
  SyncState,
  WatchlistStore,
} from '../../core/ports.ts';
import { checkLimit, decodeCursor, encodeCursor, noBlockIndex, type RowPosition } from './cursor.ts';
import { toBound } from './bind.ts';
import { MemoryHealthStore } from './memory-health.ts';
import { MemoryRunStore } from './memory-runs.ts';
import { SqlFailure, wordsFor } from './sql.ts';
import { storageFailure } from './storage-thread.ts';
import {
  callStore,
  portsOver,
  type StorePorts,
  type Synchronous,
  type SynchronousStores,
} from './store-ports.ts';

/**
 * The storage ports without SQLite, for tests of the domain and for a runtime in which not even a database in memory can
 * be had. They keep the contracts of the ports, the order of rows included, and forget everything at the end.
 */
export function createMemoryStores(): StorePorts {
  const watchlist = new MemoryWatchlistStore();
  return portsInProcess({
    answers: new MemoryAnswerStore(),
    watchlist,
    activity: new MemoryActivityStore(watchlist),
    health: new MemoryHealthStore(),
    runs: new MemoryRunStore(),
  });
}

/** Ports over stores in this thread. Arguments and results are copied, as they are on the way to another thread. */
export function portsInProcess(stores: SynchronousStores): StorePorts {
  return portsOver(async (call) => {
    try {
      return structuredClone(callStore(stores, structuredClone(call)));
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
}

interface Watched {
  stored: StoredAddress;
  chains: StoredChains | null;
  /** By chain. */
  lists: Map<string, List>;
}

interface List {
  sync: SyncState;
  /** By transaction. */
  rows: Map<string, PlacedRow>;
}

interface PlacedRow {
  row: StoredRow;
  position: RowPosition;
}

class MemoryWatchlistStore implements Synchronous<WatchlistStore> {
  readonly addresses = new Map<string, Watched>();

  list(): StoredAddress[] {
    return [...this.addresses.values()]
      .map((watched) => watched.stored)
      .sort((a, b) => a.addedAtMs - b.addedAtMs);
  }

  put(address: StoredAddress): void {
    const watched = this.addresses.get(address.address);
    if (watched !== undefined) watched.stored = address;
    else this.addresses.set(address.address, { stored: address, chains: null, lists: new Map() });
  }

  remove(address: string): void {
    this.addresses.delete(address);
  }

  readChains(address: string): StoredChains | null {
    return this.addresses.get(address)?.chains ?? null;
  }

  writeChains(address: string, chains: StoredChains): void {
    this.require(address).chains = chains;
  }

  require(address: string): Watched {
    const watched = this.addresses.get(address);
    if (watched === undefined) throw new SqlFailure('missing-parent', '');
    return watched;
  }
}

class MemoryActivityStore implements Synchronous<ActivityStore> {
  readonly #watchlist: MemoryWatchlistStore;
  #lastRowId = 0;

  constructor(watchlist: MemoryWatchlistStore) {
    this.#watchlist = watchlist;
  }

  savePage(address: string, chainId: string, rows: readonly StoredRow[], sync: SyncState): StoredSync {
    const watched = this.#watchlist.require(address);
    const before = watched.lists.get(chainId);
    const list: List = { sync, rows: new Map(before?.rows) };
    for (const row of rows) {
      if (row.address !== address || row.chainId !== chainId) {
        throw new SqlFailure('defect', 'a row of another list is in the page');
      }
      const known = list.rows.get(row.txHash);
      if (known?.row.completeness === 'complete' && row.completeness === 'partial') continue;
      list.rows.set(row.txHash, { row, position: this.#place(row, known) });
    }
    // Only now: a row that is refused refuses the page.
    watched.lists.set(chainId, list);
    return toStoredSync(list);
  }

  #place(row: StoredRow, known: PlacedRow | undefined): RowPosition {
    toBound(row.blockNumber);
    if (known === undefined) this.#lastRowId += 1;
    return {
      timestampMs: row.timestampMs,
      blockNumber: row.blockNumber,
      blockIndex: row.blockIndex ?? noBlockIndex,
      txHash: row.txHash,
      rowId: known?.position.rowId ?? this.#lastRowId,
    };
  }

  readSync(address: string, chainId: string): StoredSync | null {
    const list = this.#watchlist.addresses.get(address)?.lists.get(chainId);
    return list === undefined ? null : toStoredSync(list);
  }

  listSyncs(): { address: string; chainId: string; sync: StoredSync }[] {
    return [...this.#watchlist.addresses].flatMap(([address, { lists }]) =>
      [...lists].map(([chainId, list]) => ({ address, chainId, sync: toStoredSync(list) })),
    );
  }

  complete(chainId: string, txHash: string, transactionJson: string, fetchedAtMs: number): string[] {
    const holders: string[] = [];
    for (const { address } of this.#watchlist.list()) {
      const placed = this.#watchlist.addresses.get(address)?.lists.get(chainId)?.rows.get(txHash);
      if (placed === undefined) continue;
      placed.row = { ...placed.row, completeness: 'complete', transactionJson, fetchedAtMs };
      holders.push(address);
    }
    return holders;
  }

  readRows(query: { address: string | null; chainId: string | null; cursor: string | null; limit: number }): {
    rows: StoredRow[];
    nextCursor: string | null;
    totalCount: number;
  } {
    const limit = checkLimit(query.limit);
    const after = query.cursor === null ? null : decodeCursor(query.cursor);
    const matching = [...this.#watchlist.addresses]
      .filter(([address]) => query.address === null || query.address === address)
      .flatMap(([, { lists }]) => [...lists])
      .filter(([chainId]) => query.chainId === null || query.chainId === chainId)
      .flatMap(([, { rows }]) => [...rows.values()]);
    const following = matching
      .filter(({ position }) => after === null || compareNewestFirst(after, position) < 0)
      .sort((a, b) => compareNewestFirst(a.position, b.position));
    const last = following[limit - 1];
    return {
      rows: following.slice(0, limit).map(({ row }) => row),
      nextCursor: following.length > limit && last !== undefined ? encodeCursor(last.position) : null,
      totalCount: matching.length,
    };
  }
}

function toStoredSync({ sync, rows }: List): StoredSync {
  const times = [...rows.values()].map(({ row }) => row.timestampMs).sort((a, b) => a - b);
  return {
    ...sync,
    rowCount: rows.size,
    newestTimestampMs: times.at(-1) ?? null,
    oldestTimestampMs: times[0] ?? null,
  };
}

/** As the index of the database orders them; SQLite compares texts by their UTF-8 bytes. */
function compareNewestFirst(a: RowPosition, b: RowPosition): number {
  return (
    b.timestampMs - a.timestampMs ||
    Number(b.blockNumber > a.blockNumber) - Number(b.blockNumber < a.blockNumber) ||
    b.blockIndex - a.blockIndex ||
    Buffer.compare(Buffer.from(b.txHash), Buffer.from(a.txHash)) ||
    b.rowId - a.rowId
  );
}
