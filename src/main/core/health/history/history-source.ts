import { AppFailure } from '../../../../shared/errors.ts';
import { parseStoredReport } from '../../../../shared/health/stored.ts';
import { chainChecksOf } from '../../../../shared/health/scope.ts';
import type { HealthReport } from '../../../../shared/health/types.ts';
import type { HealthStore } from '../../health-ports.ts';

/** The last moment that a calendar has: the end of a span without one. */
export const endOfTimeMs = 8.64e15;

/** Where the past of a node is stored: a node that is watched, or a recording that was opened. */
export interface HistorySource {
  /** Of the node or the recording; the same in `store`. */
  id: string;
  name: string;
  store: HealthStore;
  /** Checks that were recorded as a chain's; null where the last report tells. */
  chainChecks: readonly string[] | null;
  /** The id that the node sends in its header; not known of a recording. */
  nodeId?: string | null;
}

export interface HistorySources {
  /** Nodes that are watched. */
  all(): HistorySource[];
  /** Recordings that are open as well. */
  every(): HistorySource[];
  find(id: string): HistorySource | null;
}

/** Throws for an id that is neither that of a node nor of a recording. */
export function notWatched(): never {
  throw new AppFailure({ code: 'not-found', message: 'This node is not watched (any more).' });
}

/** The last report of a source; null when there is none that can be read. */
export async function lastReportOf({ id, store }: HistorySource): Promise<HealthReport | null> {
  const { lastReport } = await store.latest(id);
  return lastReport?.reportJson == null ? null : parseStoredReport(lastReport.reportJson);
}

/** The checks of a source that are of a chain. */
export async function chainChecksOfSource(source: HistorySource): Promise<ReadonlySet<string>> {
  return new Set(source.chainChecks ?? chainChecksOf(await lastReportOf(source)));
}
