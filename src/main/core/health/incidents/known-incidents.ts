import { foldIncidents, type Thresholds } from '../../../../shared/health/incidents.ts';
import type { FailureEpisode, Incident, IncidentMark } from '../../../../shared/health/types.ts';
import { orAdd } from '../../../../shared/or-add.ts';
import {
  chainChecksOfSource,
  endOfTimeMs,
  withUnsaved,
  type HistorySource,
} from '../history/history-source.ts';

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

/** All of the store's `readEpisodesIn`, read in pages, with those that it has not taken yet; newest start first. */
export async function allEpisodesIn(
  source: HistorySource,
  fromMs: number,
  toMs: number,
): Promise<FailureEpisode[]> {
  const { id, store } = source;
  const all: FailureEpisode[] = [];
  for (;;) {
    const last = all.at(-1);
    const page = await store.readEpisodesIn(id, fromMs, last?.startedAtMs ?? toMs, pageSize, last?.id);
    all.push(...page);
    if (page.length < pageSize) break;
  }
  return withUnsaved(
    source,
    all,
    ({ startedAtMs, endedAtMs }) => startedAtMs < toMs && (endedAtMs ?? toMs) >= fromMs,
  );
}

type ById = Map<string, FailureEpisode>;

async function episodesById(source: HistorySource): Promise<ById> {
  const all = await allEpisodesIn(source, -endOfTimeMs, endOfTimeMs);
  return new Map(all.map((episode) => [episode.id, episode]));
}

/** Computes the incidents of a source. */
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
    const begin = (): Known => ({ episodes: episodesById(source), incidents: null });
    const known = orAdd(this.#bySource, source.id, begin);
    const incidents = (known.incidents ??= readIncidents(source, thresholds, known.episodes));
    incidents.catch(() => {
      // A failed read is not kept.
      if (this.#bySource.get(source.id) === known) this.#bySource.delete(source.id);
    });
    return incidents;
  }

  /** Call with what was stored with each poll. */
  changed(sourceId: string, episodes: readonly FailureEpisode[]): void {
    this.#bySource.get(sourceId)?.episodes.then(
      (all) => {
        for (const episode of episodes) all.set(episode.id, episode);
      },
      // A failed read is told to who has asked, and is not kept.
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
}
