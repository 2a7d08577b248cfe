import type { AppError } from '../../../shared/errors.ts';
import type { FailureEpisode, Forecast, ReportAt, Strip, Uptime } from '../../../shared/health/types.ts';
import { call } from '../bridge.ts';

const hourMs = 3_600_000;

/** Spans of time that strips show, each cut into cells that are a round part of a day, or a day. */
export const historyRanges = {
  day: { text: '24 h', words: 'last 24 hours', cellMs: hourMs / 4, cellCount: 96 },
  week: { text: '7 d', words: 'last 7 days', cellMs: 2 * hourMs, cellCount: 84 },
  month: { text: '30 d', words: 'last 30 days', cellMs: 8 * hourMs, cellCount: 90 },
  year: { text: '1 y', words: 'last year', cellMs: 24 * hourMs, cellCount: 365 },
  /** For strips that have little room. */
  halfHours: { text: '24 h', words: 'last 24 hours', cellMs: hourMs / 2, cellCount: 48 },
} as const;

/** A node may have thousands of checks; nobody reads more at once. */
export const stripStep = 40;

export type HistoryRange = keyof typeof historyRanges;

export interface CellSpan {
  fromMs: number;
  toMs: number;
  cellCount: number;
}

/**
 * The span of a range up to the end of the cell that `endMs` is in. `zoneOffsetMs` is added to a time to get that of the
 * wall clock, so that the cells of a year are the days of the calendar.
 */
export function rangeSpan(range: HistoryRange, endMs: number, zoneOffsetMs: number): CellSpan {
  const { cellMs, cellCount } = historyRanges[range];
  const toMs = (Math.floor((endMs + zoneOffsetMs) / cellMs) + 1) * cellMs - zoneOffsetMs;
  return { fromMs: toMs - cellCount * cellMs, toMs, cellCount };
}

/** The answers to one question after the other; those to an earlier one are dropped. */
class Latest {
  #run = 0;

  async take<T>(answer: Promise<T>): Promise<T | null> {
    this.#run += 1;
    const run = this.#run;
    const result = await answer;
    return run === this.#run ? result : null;
  }
}

/** The strips of one node or recording. What was loaded stays while newer data of the same kind is on its way. */
export class NodeStrips {
  strips = $state.raw<Strip[] | null>(null);
  error = $state.raw<AppError | null>(null);
  #key = '';
  readonly #latest = new Latest();

  /** At most `limit` strips; what is known under another `kind` is not shown while they are loaded. */
  async load(id: string, kind: string, span: CellSpan, limit: number): Promise<void> {
    const key = `${id} ${kind}`;
    if (key !== this.#key) this.strips = null;
    this.#key = key;
    const result = await this.#latest.take(call('nodes.strips', { id, ...span, limit }));
    if (result === null) return;
    this.error = result.ok ? null : result.error;
    if (result.ok) this.strips = result.value;
  }
}

/** Uptimes of a node, its chains and its checks over one span. */
export class NodeUptimes {
  uptimes = $state.raw<Uptime[] | null>(null);
  error = $state.raw<AppError | null>(null);
  #key = '';
  readonly #latest = new Latest();

  async load(id: string, kind: string, { fromMs, toMs }: { fromMs: number; toMs: number }): Promise<void> {
    const key = `${id} ${kind}`;
    if (key !== this.#key) this.uptimes = null;
    this.#key = key;
    const result = await this.#latest.take(call('nodes.uptime', { id, fromMs, toMs }));
    if (result === null) return;
    this.error = result.ok ? null : result.error;
    if (result.ok) this.uptimes = result.value;
  }
}

const episodeLimit = 100;

/** The newest failures of one check, or of all. */
export class NodeEpisodes {
  episodes = $state.raw<FailureEpisode[] | null>(null);
  error = $state.raw<AppError | null>(null);
  #key = '';
  readonly #latest = new Latest();

  get isCut(): boolean {
    return this.episodes?.length === episodeLimit;
  }

  async load(id: string, check: string | null): Promise<void> {
    const key = JSON.stringify([id, check]);
    if (key !== this.#key) this.episodes = null;
    this.#key = key;
    const result = await this.#latest.take(call('nodes.episodes', { id, check, limit: episodeLimit }));
    if (result === null) return;
    this.error = result.ok ? null : result.error;
    if (result.ok) this.episodes = result.value;
  }
}

/** What a line through the past says changes slowly, and to find it takes reading days of reports. */
const forecastsHoldMs = 600_000;

/** The newest stored report with what it changed, and what its numbers are heading for. */
export class NodeOutlook {
  newest = $state.raw<ReportAt | null>(null);
  forecasts = $state.raw<Forecast[]>([]);
  #reportError = $state.raw<AppError | null>(null);
  #forecastError = $state.raw<AppError | null>(null);
  #forecastsAtMs = -Infinity;
  readonly #latest = new Latest();

  get error(): AppError | null {
    return this.#reportError ?? this.#forecastError;
  }

  /** For one node or recording only; a recording has no forecasts, since its future is over. */
  async load(id: string, reportAtMs: number, isLive: boolean): Promise<void> {
    const forecasts = isLive ? this.#loadForecasts(id, reportAtMs) : null;
    const report = await this.#latest.take(call('nodes.reportAt', { id, atMs: reportAtMs }));
    if (report !== null) this.#reportError = report.ok ? null : report.error;
    if (report?.ok) this.newest = report.value;
    await forecasts;
  }

  async #loadForecasts(id: string, reportAtMs: number): Promise<void> {
    if (Math.abs(reportAtMs - this.#forecastsAtMs) < forecastsHoldMs) return;
    this.#forecastsAtMs = reportAtMs;
    const result = await call('nodes.forecasts', { id });
    this.#forecastError = result.ok ? null : result.error;
    if (result.ok) this.forecasts = result.value;
    else this.#forecastsAtMs = -Infinity;
  }
}
