import type { AppError } from '../../../shared/errors.ts';
import type { FailureEpisode, Strip } from '../../../shared/health/types.ts';
import { call } from '../bridge.ts';

const hourMs = 3_600_000;

/** Spans of time that strips show, each cut into cells that are a round part of a day. */
export const historyRanges = {
  day: { text: '24 h', words: 'last 24 hours', cellMs: hourMs / 4, cellCount: 96 },
  week: { text: '7 d', words: 'last 7 days', cellMs: 2 * hourMs, cellCount: 84 },
  month: { text: '30 d', words: 'last 30 days', cellMs: 8 * hourMs, cellCount: 90 },
  /** For strips that have little room. */
  halfHours: { text: '24 h', words: 'last 24 hours', cellMs: hourMs / 2, cellCount: 48 },
} as const;

export type HistoryRange = keyof typeof historyRanges;

/** The strips of one node over one range. What was loaded stays while newer data is on its way. */
export class NodeStrips {
  strips = $state.raw<Strip[] | null>(null);
  error = $state.raw<AppError | null>(null);
  #key = '';
  #run = 0;

  /** Loads up to the end of the cell that `nowMs` is in. */
  async load(id: string, range: HistoryRange, nowMs: number): Promise<void> {
    const { cellMs, cellCount } = historyRanges[range];
    const toMs = (Math.floor(nowMs / cellMs) + 1) * cellMs;
    const key = `${id} ${range}`;
    if (key !== this.#key) this.strips = null;
    this.#key = key;
    this.#run += 1;
    const run = this.#run;
    const result = await call('nodes.strips', { id, fromMs: toMs - cellCount * cellMs, toMs, cellCount });
    // An answer that was overtaken by a newer question is not shown.
    if (run !== this.#run) return;
    this.error = result.ok ? null : result.error;
    if (result.ok) this.strips = result.value;
  }
}

const episodeLimit = 100;

/** The newest failures of one check, or of all. */
export class NodeEpisodes {
  episodes = $state.raw<FailureEpisode[] | null>(null);
  error = $state.raw<AppError | null>(null);
  #key = '';
  #run = 0;

  async load(id: string, check: string | null): Promise<void> {
    const key = JSON.stringify([id, check]);
    if (key !== this.#key) this.episodes = null;
    this.#key = key;
    this.#run += 1;
    const run = this.#run;
    const result = await call('nodes.episodes', { id, check, limit: episodeLimit });
    if (run !== this.#run) return;
    this.error = result.ok ? null : result.error;
    if (result.ok) this.episodes = result.value;
  }
}
