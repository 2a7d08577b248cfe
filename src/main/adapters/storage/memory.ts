import type {
  AnswerStore,
  HealthStore,
  StoredAnswer,
  StoredCell,
  StoredCheckRun,
  StoredEpisode,
  StoredNode,
  StoredPoll,
} from '../../core/ports.ts';
import { toBound } from './bind.ts';
import { checkLimit } from './cursor.ts';
import { MemoryActivity, MemoryBookStore, MemoryWatchlistStore } from './memory-activity.ts';
import { MemoryActivityStore } from './memory-rows.ts';
import { MemoryRunStore } from './memory-runs.ts';
import { SqlFailure, wordsFor } from './sql.ts';
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
