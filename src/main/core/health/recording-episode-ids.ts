import type { StoredEpisode } from '../health-ports.ts';

/** Ids of stored episodes, handed out to those that the folding finds again. */
export class EpisodeIds {
  readonly #byStart = new Map<string, string[]>();

  constructor(episodes: readonly StoredEpisode[]) {
    for (const episode of episodes) {
      const list = this.#byStart.get(keyOf(episode));
      if (list === undefined) this.#byStart.set(keyOf(episode), [episode.id]);
      else list.push(episode.id);
    }
  }

  take(episode: StoredEpisode): string | undefined {
    // Newest first is how they were read; the oldest was begun first.
    return this.#byStart.get(keyOf(episode))?.pop();
  }
}

function keyOf({ startedAtMs, check }: StoredEpisode): string {
  return `${startedAtMs} ${check}`;
}
