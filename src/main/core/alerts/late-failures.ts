import type { FailureEpisode } from '../../../shared/health/types.ts';
import { endOfTimeMs, type HistorySource } from '../health/history/history-source.ts';
import { allEpisodesIn } from '../health/incidents/known-incidents.ts';

interface Read {
  /** All that were open then, or have ended since, are there. */
  fromMs: number;
  byId: Map<string, FailureEpisode>;
}

/** The late failures of nodes. They are read once: what polls change is put in. */
export class LateFailures {
  readonly #byNode = new Map<string, Read>();

  /** Those that are open or have ended at `fromMs` or later. */
  async of(source: HistorySource, fromMs: number): Promise<FailureEpisode[]> {
    let read = this.#byNode.get(source.id);
    if (read === undefined || fromMs < read.fromMs) {
      const all = await allEpisodesIn(source, fromMs, endOfTimeMs);
      read = { fromMs, byId: new Map(all.map((episode) => [episode.id, episode])) };
      this.#byNode.set(source.id, read);
    }
    read.fromMs = fromMs;
    for (const { id, endedAtMs } of read.byId.values())
      if (endedAtMs !== null && endedAtMs < fromMs) read.byId.delete(id);
    return [...read.byId.values()];
  }

  /** Call with what came with each poll, in order. */
  changed(nodeId: string, episodes: readonly FailureEpisode[]): void {
    const byId = this.#byNode.get(nodeId)?.byId;
    for (const episode of episodes) byId?.set(episode.id, episode);
  }

  forget(nodeId: string): void {
    this.#byNode.delete(nodeId);
  }
}
