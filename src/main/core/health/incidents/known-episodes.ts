import type { FailureEpisode } from '../../../../shared/health/types.ts';
import { endOfTimeMs, type HistorySource } from '../history/history-source.ts';

/** Failures of one read: the store answers other calls in between. */
const pageSize = 1_000;

/** All of the store's `readEpisodesIn`, read in pages; newest start first. */
export async function allEpisodesIn(
  { id, store }: HistorySource,
  fromMs: number,
  toMs: number,
): Promise<FailureEpisode[]> {
  const all: FailureEpisode[] = [];
  for (;;) {
    const last = all.at(-1);
    const page = await store.readEpisodesIn(id, fromMs, last?.startedAtMs ?? toMs, pageSize, last?.id);
    all.push(...page);
    if (page.length < pageSize) return all;
  }
}

/** Changes after which failures are read again, since the store does not keep all of them. */
const mostChanges = 10_000;

type ById = Map<string, FailureEpisode>;

/** The failures of sources, each read once: what polls change is put in. */
export class KnownEpisodes {
  readonly #known = new Map<string, { reading: Promise<ById>; changes: number }>();

  of(source: HistorySource): Promise<ById> {
    const known = this.#known.get(source.id)?.reading;
    if (known !== undefined) return known;
    const reading = allEpisodesIn(source, -endOfTimeMs, endOfTimeMs).then(
      (all) => new Map(all.map((episode) => [episode.id, episode])),
    );
    const entry = { reading, changes: 0 };
    this.#known.set(source.id, entry);
    reading.catch(() => {
      // A failed read is not kept.
      if (this.#known.get(source.id) === entry) this.forget(source.id);
    });
    return reading;
  }

  /** Call with what was stored with each poll. */
  changed(sourceId: string, episodes: readonly FailureEpisode[]): void {
    const known = this.#known.get(sourceId);
    if (known === undefined) return;
    known.changes += episodes.length;
    if (known.changes > mostChanges) this.forget(sourceId);
    else
      known.reading = known.reading.then((all) => {
        for (const episode of episodes) all.set(episode.id, episode);
        return all;
      });
  }

  forget(sourceId: string): void {
    this.#known.delete(sourceId);
  }

  clear(): void {
    this.#known.clear();
  }
}
