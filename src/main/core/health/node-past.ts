import { err, ok, type Result } from '../../../shared/errors.ts';
import { uptimePpm } from '../../../shared/health/uptime.ts';
import { chainChecksOf } from '../../../shared/health/scope.ts';
import type { FailureEpisode, Strip, Uptime } from '../../../shared/health/types.ts';
import type { StoredEpisode, StoredUptime } from '../health-ports.ts';
import type { Log } from '../ports.ts';
import { chainChecksOfSource, lastReportOf, type PastSource, type PastSources } from './past-source.ts';
import { composeStrips } from './strips.ts';
import { resultOf } from './user-files.ts';

/** Strips, episodes and uptime of nodes and of recordings. Calls end with an error of the closed set. */
export class NodePast {
  readonly #sources: Pick<PastSources, 'find'>;
  readonly #log: Log;

  constructor(sources: Pick<PastSources, 'find'>, log: Log) {
    this.#sources = sources;
    this.#log = log;
  }

  /** The node, its chains, its other checks. Cells are of whole milliseconds, so the last one may reach a little beyond `toMs`. */
  strips(query: {
    id: string;
    fromMs: number;
    toMs: number;
    cellCount: number;
    limit: number;
  }): Promise<Result<Strip[]>> {
    const { fromMs, toMs, cellCount, limit } = query;
    return this.#read(query.id, async (source) => {
      if (!(toMs > fromMs) || !Number.isInteger(cellCount) || cellCount < 1) {
        return invalid('A strip needs an end after its start and at least one cell.');
      }
      const startMs = Math.floor(fromMs);
      const span = { fromMs: startMs, cellMs: Math.ceil((toMs - startMs) / cellCount), cellCount };
      const [cells, report] = await Promise.all([
        source.store.readCells(source.id, span.fromMs, span.cellMs, span.cellCount),
        lastReportOf(source),
      ]);
      const checks = (report?.checks ?? []).map(({ name }) => name);
      return ok(composeStrips(cells, checks, span, source.chainChecks ?? chainChecksOf(report), limit));
    });
  }

  /** Newest start first. */
  episodes(query: { id: string; check: string | null; limit: number }): Promise<Result<FailureEpisode[]>> {
    return this.#read(query.id, async ({ id, store }) => {
      const stored = await store.readEpisodes(id, query.check, query.limit);
      // What was taken back is none.
      return ok(stored.filter(({ failuresSeen }) => failuresSeen > 0).map(withoutId));
    });
  }

  /** The node first, then its chains, then checks of the node as a whole, each in the order of their names. */
  uptime({ id, fromMs, toMs }: { id: string; fromMs: number; toMs: number }): Promise<Result<Uptime[]>> {
    return this.#read(id, async (source) => {
      if (!(toMs > fromMs)) return invalid('A span needs an end after its start.');
      const [stored, chains] = await Promise.all([
        source.store.readUptime(source.id, Math.floor(fromMs), Math.ceil(toMs)),
        chainChecksOfSource(source),
      ]);
      return ok(stored.map((sums) => toUptime(sums, chains)).sort(byScopeAndName));
    });
  }

  #read<T>(id: string, action: (source: PastSource) => Promise<Result<T>>): Promise<Result<T>> {
    return resultOf(this.#log, 'nodes.past', 'The past of the node could not be read.', async () => {
      const source = this.#sources.find(id);
      if (source === null) return err({ code: 'not-found', message: 'This node is not watched (any more).' });
      return await action(source);
    });
  }
}

function toUptime({ check, ...sums }: StoredUptime, chains: ReadonlySet<string>): Uptime {
  const scope = check === null ? 'node' : chains.has(check) ? 'chain' : 'check';
  return { scope, name: check ?? '', ...sums, uptimePpm: uptimePpm(sums) };
}

const scopes: readonly Uptime['scope'][] = ['node', 'chain', 'check'];

/** By code units, which needs no locale and never changes. */
function byScopeAndName(a: Uptime, b: Uptime): number {
  const byScope = scopes.indexOf(a.scope) - scopes.indexOf(b.scope);
  return byScope !== 0 ? byScope : a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

function withoutId(stored: StoredEpisode): FailureEpisode {
  const { id, ...episode } = stored;
  void id;
  return episode;
}

function invalid(message: string): Result<never> {
  return err({ code: 'invalid-params', message, issues: ['toMs'] });
}
