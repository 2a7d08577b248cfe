import { foldIncidents, type Thresholds } from '../../../../shared/health/incidents.ts';
import type { FailureEpisode, Incident, IncidentMark } from '../../../../shared/health/types.ts';
import { orAdd } from '../../../../shared/or-add.ts';
import { chainChecksOfSource, withUnsaved, type HistorySource } from '../history/history-source.ts';

/** The incidents of one source, and the data they were computed from. */
export interface SourceIncidents {
  source: HistorySource;
  /** Newest start first; their worst values are not filled in. */
  incidents: readonly Incident[];
  episodes: readonly FailureEpisode[];
  marks: readonly IncidentMark[];
  chainChecks: ReadonlySet<string>;
}

/** Failures of one read: the store answers other calls in between. */
const pageSize = 1_000;

type ById = Map<string, FailureEpisode>;

/** All failures of a source, read in pages, with those that the store has not taken yet; newest start first. */
async function episodesById(source: HistorySource): Promise<ById> {
  const { id, store } = source;
  const all: FailureEpisode[] = [];
  for (let isWhole = false; !isWhole;) {
    const page = await store.readEpisodes(id, null, pageSize, all.at(-1));
    all.push(...page);
    isWhole = page.length < pageSize;
  }
  return new Map(withUnsaved(source, all).map((episode) => [episode.id, episode]));
}

export async function readIncidents(
  source: HistorySource,
  thresholds: Thresholds,
  known = episodesById(source),
): Promise<SourceIncidents> {
  const { id: nodeId, store } = source;
  const [byId, marks, chainChecks] = await Promise.all([
    known,
    store.readIncidentMarks(nodeId),
    chainChecksOfSource(source),
  ]);
  const episodes = [...byId.values()];
  const incidents = foldIncidents({ nodeId, episodes, marks, chainChecks, thresholds });
  return { source, incidents, episodes, marks, chainChecks };
}

interface Known {
  episodes: Promise<ById>;
  /** Null where they have to be computed again. */
  incidents: Promise<SourceIncidents> | null;
}

/**
 * The incidents of sources. Their failures are read once: what polls change is put in. The store does not keep all of
 * them, so `keep` is called whenever it may have let some go.
 */
export class KnownIncidents {
  readonly #bySource = new Map<string, Known>();

  of(source: HistorySource, thresholds: Thresholds): Promise<SourceIncidents> {
    const known = this.#of(source);
    known.incidents ??= readIncidents(source, thresholds, known.episodes);
    return this.#unlessFailed(source, known, known.incidents);
  }

  /** Failures that are open or have ended at `fromMs` or later. */
  async failuresOf(source: HistorySource, fromMs: number): Promise<FailureEpisode[]> {
    const known = this.#of(source);
    const all = await this.#unlessFailed(source, known, known.episodes);
    return [...all.values()].filter(({ endedAtMs }) => endedAtMs === null || endedAtMs >= fromMs);
  }

  /** Call with what was stored with each poll. */
  changed(sourceId: string, episodes: readonly FailureEpisode[]): void {
    this.#bySource.get(sourceId)?.episodes.then(
      (all) => {
        for (const episode of episodes) all.set(episode.id, episode);
      },
      // A failed read rejects for whoever asked, and is not kept.
      () => undefined,
    );
  }

  /** Marks, or more than `changed` tells, may be others. */
  outdate(sourceId: string): void {
    const known = this.#bySource.get(sourceId);
    if (known !== undefined) known.incidents = null;
  }

  /** Forgets all others. */
  keep(sourceIds: ReadonlySet<string>): void {
    for (const id of this.#bySource.keys()) if (!sourceIds.has(id)) this.#bySource.delete(id);
  }

  #of(source: HistorySource): Known {
    return orAdd(this.#bySource, source.id, () => ({ episodes: episodesById(source), incidents: null }));
  }

  /** A failed read is not kept. */
  #unlessFailed<T>({ id }: HistorySource, known: Known, read: Promise<T>): Promise<T> {
    read.catch(() => {
      if (this.#bySource.get(id) === known) this.#bySource.delete(id);
    });
    return read;
  }
}
