import { notFound } from '../../../../shared/errors.ts';
import { parseStoredReport } from '../../../../shared/health/stored.ts';
import { chainChecksOf } from '../../../../shared/health/scope.ts';
import type { FailureEpisode, HealthReport } from '../../../../shared/health/types.ts';
import type { HealthStore, StoredPoll } from '../../health-ports.ts';

/** The latest time that `Date` can represent: the end of an open-ended span. */
export const endOfTimeMs = 8.64e15;

/** A node whose past can be queried: a watched node, or an opened recording. */
export interface HistorySource {
  /** Id of the node or recording, and its key in `store`. */
  id: string;
  name: string;
  store: HealthStore;
  /** When watching or the recording began: earlier time does not count as unknown. */
  sinceMs: number;
  /** The end of a recording, after which nothing can be known; a node's past goes on. */
  untilMs?: number;
  /** Failures that the disk has not taken yet; those of a recording are all stored. */
  unsaved?: () => readonly FailureEpisode[];
  /** Checks that were recorded as checks of a chain; null to take them from the last report. */
  chainChecks: readonly string[] | null;
  /** The id from the node's response header; unknown for a recording. */
  nodeId?: string | null;
}

export interface HistorySources {
  /** Watched nodes. */
  all(): HistorySource[];
  /** Watched nodes and open recordings. */
  every(): HistorySource[];
  find(id: string): HistorySource | null;
}

/** Throws `not-found`, for an id that is neither a node's nor a recording's. */
export function notWatched(): never {
  notFound('You aren’t watching this node.');
}

/** The last report of a source; null when there is none or it cannot be parsed. */
export async function lastReportOf({ id, store }: HistorySource): Promise<HealthReport | null> {
  const { lastReport } = await store.latest(id);
  return parseStoredReport(lastReport?.reportJson ?? null);
}

export const chainChecksOfSource = async (source: HistorySource): Promise<ReadonlySet<string>> =>
  new Set(source.chainChecks ?? chainChecksOf(await lastReportOf(source)));

/** Stored failures with those that the store has not taken yet. */
export function withUnsaved({ unsaved }: HistorySource, stored: FailureEpisode[]): FailureEpisode[] {
  const others = unsaved?.() ?? [];
  if (others.length === 0) return stored;
  // What the store has of them may be older: open where they have ended since.
  const byId = new Map([...stored, ...others].map((episode) => [episode.id, episode]));
  return [...byId.values()].sort((a, b) => b.startedAtMs - a.startedAtMs);
}

/** Polls of one read, and checks in them: for so long, about 20 ms, other calls of the store and the window wait. */
const mostAtOnce = 500;
const checksAtOnce = 1_000;
/** What a check takes in a report, at least. */
const charsOfCheck = 200;

/** Stored polls with `afterMs < polledAtMs <= toMs`, oldest first. */
export async function* scanPolls(
  { id, store }: Pick<HistorySource, 'id' | 'store'>,
  afterMs: number,
  toMs: number,
): AsyncGenerator<StoredPoll> {
  let page = await store.scanPolls(id, afterMs, toMs, 1);
  for (let last = page.at(-1); last !== undefined; last = page.at(-1)) {
    yield* page;
    const sizes = page.map(({ runs, reportJson }) =>
      Math.max(1, runs.length, (reportJson?.length ?? 0) / charsOfCheck),
    );
    const size = Math.ceil(Math.min(mostAtOnce, checksAtOnce / Math.max(...sizes)));
    page = await store.scanPolls(id, last.polledAtMs, toMs, size);
  }
}
