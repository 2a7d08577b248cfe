import { err, ok, type Result } from '../../../shared/errors.ts';
import { reportDifferences } from '../../../shared/health/differences.ts';
import { parseStoredReport } from '../../../shared/health/stored-report.ts';
import type { HealthReport, ReportAt, ReportMoment } from '../../../shared/health/types.ts';
import type { StoredPoll } from '../health-ports.ts';
import type { Log } from '../ports.ts';
import { endOfTimeMs, type PastSource, type PastSources } from './past-source.ts';
import { resultOf } from './user-files.ts';

/** Reports of the past, of nodes and of recordings: where they change, and each with what is new in it. */
export class MomentsService {
  readonly #sources: Pick<PastSources, 'find'>;
  readonly #log: Log;

  constructor(sources: Pick<PastSources, 'find'>, log: Log) {
    this.#sources = sources;
    this.#log = log;
  }

  /** Oldest first. */
  moments(query: {
    id: string;
    fromMs: number;
    toMs: number;
    limit: number;
  }): Promise<Result<{ moments: ReportMoment[]; isCut: boolean }>> {
    return this.#read(query.id, async ({ id, store }) => {
      const { fromMs, toMs, limit } = query;
      if (!(toMs >= fromMs)) {
        return err({
          code: 'invalid-params',
          message: 'A span needs an end after its start.',
          issues: ['toMs'],
        });
      }
      return ok(await store.readMoments(id, Math.floor(fromMs), Math.ceil(toMs), limit));
    });
  }

  /** The report that was the last one at `atMs`, against the one that arrived before it. */
  reportAt(query: { id: string; atMs: number }): Promise<Result<ReportAt | null>> {
    return this.#read(query.id, async ({ id, store }) => {
      const poll = await store.readPollAt(id, Math.floor(query.atMs));
      if (poll === null) return ok(null);
      const atMs = poll.polledAtMs;
      const [previous, nextAtMs] = await Promise.all([
        store.readPollAt(id, atMs - 1),
        nextReportAt({ id, store }, atMs),
      ]);
      const report = reportOf(poll);
      return ok({
        atMs,
        state: poll.state,
        reason: poll.reason,
        report,
        differences: report === null ? [] : reportDifferences(previous && reportOf(previous), report),
        previousAtMs: previous?.polledAtMs ?? null,
        nextAtMs,
      });
    });
  }

  #read<T>(id: string, action: (source: PastSource) => Promise<Result<T>>): Promise<Result<T>> {
    return resultOf(this.#log, 'nodes.past', 'The past of the node could not be read.', async () => {
      const source = this.#sources.find(id);
      if (source === null) return err({ code: 'not-found', message: 'This node is not watched (any more).' });
      return action(source);
    });
  }
}

const pageSize = 50;

/** When the next report after `atMs` arrived; polls without one are passed over. */
async function nextReportAt(
  { id, store }: Pick<PastSource, 'id' | 'store'>,
  atMs: number,
): Promise<number | null> {
  let doneMs = atMs;
  // A single poll is the usual case; only a node that was silent for long needs more.
  for (let limit = 1; ; limit = pageSize) {
    const polls = await store.scanPolls(id, doneMs, endOfTimeMs, limit);
    const next = polls.find(({ reportJson }) => reportJson !== null);
    if (next !== undefined) return next.polledAtMs;
    const last = polls.at(-1);
    if (last === undefined) return null;
    doneMs = last.polledAtMs;
  }
}

function reportOf({ reportJson }: StoredPoll): HealthReport | null {
  return reportJson === null ? null : parseStoredReport(reportJson);
}
