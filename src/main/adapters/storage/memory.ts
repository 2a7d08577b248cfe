import type {
  ActivityStore,
  AnswerStore,
  HealthStore,
  StoredAddress,
  StoredAnswer,
  StoredCell,
  StoredChains,
  StoredCheckRun,
  StoredEpisode,
  StoredNode,
  StoredPoll,
  StoredRow,
  StoredSync,
  SyncState,
  WatchlistStore,
} from '../../core/ports.ts';
import { checkLimit, decodeCursor, encodeCursor, noBlockIndex, type RowPosition } from './cursor.ts';
import { toBound } from './bind.ts';
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

interface Node {
  stored: StoredNode;
  /** The last poll without a report, while it is the newer one. */
  withoutReport: StoredPoll | null;
  lastReport: StoredPoll | null;
  /** By time. */
  polls: Map<number, StoredPoll>;
  /** By check and time. */
  runs: Map<string, Map<number, StoredCheckRun>>;
  episodes: Map<string, StoredEpisode>;
}

class MemoryHealthStore implements Synchronous<HealthStore> {
  readonly #nodes = new Map<string, Node>();

  listNodes(): StoredNode[] {
    return [...this.#nodes.values()].map((node) => node.stored).sort((a, b) => a.addedAtMs - b.addedAtMs);
  }

  putNode(stored: StoredNode): void {
    const node = this.#nodes.get(stored.id);
    if (node !== undefined) node.stored = stored;
    else {
      this.#nodes.set(stored.id, {
        stored,
        withoutReport: null,
        lastReport: null,
        polls: new Map(),
        runs: new Map(),
        episodes: new Map(),
      });
    }
  }

  removeNode(id: string): void {
    this.#nodes.delete(id);
  }

  recordPoll(poll: StoredPoll): void {
    const node = this.#nodes.get(poll.nodeId);
    if (node === undefined) throw new SqlFailure('missing-parent', '');
    for (const run of poll.runs) toBound(run.durationNs);
    const known = { ...poll, runs: [], episodes: [] };
    node.polls.set(poll.polledAtMs, known);
    node.withoutReport = poll.reportJson === null ? known : null;
    if (poll.reportJson !== null) node.lastReport = known;
    for (const run of poll.runs) {
      const runs = node.runs.get(run.check) ?? new Map<number, StoredCheckRun>();
      if (!runs.has(run.ranAtMs)) runs.set(run.ranAtMs, run);
      node.runs.set(run.check, runs);
    }
    for (const episode of poll.episodes) node.episodes.set(episode.id, episode);
  }

  latest(nodeId: string): { poll: StoredPoll | null; lastReport: StoredPoll | null } {
    const node = this.#nodes.get(nodeId);
    if (node === undefined) return { poll: null, lastReport: null };
    return { poll: node.withoutReport ?? node.lastReport, lastReport: node.lastReport };
  }

  readCells(nodeId: string, fromMs: number, cellMs: number, cellCount: number): StoredCell[] {
    const node = this.#nodes.get(nodeId);
    if (node === undefined) return [];
    const span = { fromMs, cellMs, cellCount };
    const polls = [...node.polls.values()].map((poll) => ({
      atMs: poll.polledAtMs,
      state: poll.state,
      error: poll.reason,
    }));
    return [
      ...countCells(null, polls, span),
      ...[...node.runs].flatMap(([check, runs]) =>
        countCells(
          check,
          [...runs.values()].map((run) => ({ atMs: run.ranAtMs, state: run.state, error: run.error })),
          span,
        ),
      ),
    ];
  }

  openEpisodes(nodeId: string): StoredEpisode[] {
    return this.#episodes(nodeId)
      .filter((episode) => episode.endedAtMs === null)
      .reverse();
  }

  readEpisodes(nodeId: string, check: string | null, limit: number): StoredEpisode[] {
    return this.#episodes(nodeId)
      .filter((episode) => check === null || episode.check === check)
      .slice(0, checkLimit(limit));
  }

  /** Newest start first. */
  #episodes(nodeId: string): StoredEpisode[] {
    const episodes = [...(this.#nodes.get(nodeId)?.episodes.values() ?? [])];
    return episodes.sort((a, b) => b.startedAtMs - a.startedAtMs || (a.id < b.id ? 1 : -1));
  }

  prune(beforeMs: number): void {
    for (const node of this.#nodes.values()) {
      for (const history of [node.polls, ...node.runs.values()]) {
        for (const atMs of history.keys()) if (atMs < beforeMs) history.delete(atMs);
      }
    }
  }
}

function countCells(
  check: string | null,
  seen: { atMs: number; state: StoredCell['state']; error: string | null }[],
  span: { fromMs: number; cellMs: number; cellCount: number },
): StoredCell[] {
  const cells = new Map<string, StoredCell>();
  for (const { atMs, state, error } of seen.sort((a, b) => a.atMs - b.atMs)) {
    const cell = Math.floor((atMs - span.fromMs) / span.cellMs);
    if (cell < 0 || cell >= span.cellCount) continue;
    const key = `${cell} ${state}`;
    const known = cells.get(key);
    if (known !== undefined) known.count += 1;
    else cells.set(key, { check, cell, state, count: 1, firstError: error });
  }
  return [...cells.values()];
}
