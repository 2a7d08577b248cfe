import { byText } from '../../../../shared/by-text.ts';
import { AppFailure, refuse } from '../../../../shared/errors.ts';
import { reportDifferences } from '../../../../shared/health/differences.ts';
import type { ForecastSample } from '../../../../shared/health/forecast.ts';
import { chainChecksOf } from '../../../../shared/health/scope.ts';
import { orAdd } from '../../../../shared/or-add.ts';
import { parseStoredReport } from '../../../../shared/health/stored.ts';
import type { FailureEpisode, Forecast, Uptime } from '../../../../shared/health/types.ts';
import { uptimePpm } from '../../../../shared/health/uptime.ts';
import type { ArgsOf, ResultOf } from '../../../../shared/ipc/contract.ts';
import { hourMs } from '../../../../shared/time.ts';
import type { StoredPoll, StoredUptime } from '../../health-ports.ts';
import {
  chainChecksOfSource,
  lastReportOf,
  notWatched,
  withUnsaved,
  type HistorySource,
  type HistorySources,
} from './history-source.ts';
import { composeStrips, spansOf } from './strips.ts';

/** Does expensive parsing and computing on another thread; null when that thread is not available. */
export interface Forecaster {
  sample(atMs: number, reportJson: string): Promise<ForecastSample | null>;
  forecasts(samples: readonly ForecastSample[]): Promise<Forecast[] | null>;
}

/** `nodeId`: which node has reported it, where it says so. */
type SampleOfNode = ForecastSample & { nodeId: string | null };

const samplesKept = 7 * 24;

/** Answers the window's queries about stored history. Calls throw `AppFailure`. */
export class HistoryService {
  readonly #sources: Pick<HistorySources, 'find'>;
  readonly #forecaster: Forecaster;
  /** Cached samples, by hour; they never change. Null where an hour has no report. */
  readonly #samples = new Map<string, Map<number, SampleOfNode | null>>();

  constructor(sources: Pick<HistorySources, 'find'>, forecaster: Forecaster) {
    this.#sources = sources;
    this.#forecaster = forecaster;
  }

  /** Cells are of whole milliseconds, so the last one may end a little after `toMs`. */
  async strips(args: ArgsOf<'nodes.strips'>): Promise<ResultOf<'nodes.strips'>> {
    const { id, toMs, cellCount, starts, limit } = args;
    const source = this.#source(id);
    const fromMs = Math.floor(args.fromMs);
    const even = { fromMs, cellMs: Math.ceil((toMs - fromMs) / cellCount), cellCount };
    const spans = starts === undefined ? [even] : spansOf([...starts, toMs]);
    checkSpan(spans.every(({ cellMs }) => cellMs > 0));
    // The first strip is the node's: for it alone, no check has to be known.
    const ofNodeAlone = limit === 1;
    const [read, report] = await Promise.all([
      Promise.all(
        spans.map((span) =>
          source.store.readCells(id, span.fromMs, span.cellMs, span.cellCount, ofNodeAlone),
        ),
      ),
      ofNodeAlone ? null : lastReportOf(source),
    ]);
    const checks = (report?.checks ?? []).map(({ name }) => name);
    return composeStrips(read, checks, spans, source.chainChecks ?? chainChecksOf(report), limit);
  }

  async episodes({ id, check, limit }: ArgsOf<'nodes.episodes'>): Promise<ResultOf<'nodes.episodes'>> {
    const source = this.#source(id);
    const stored = await source.store.readEpisodes(id, check, limit);
    const isWanted = (episode: FailureEpisode) => check === null || episode.check === check;
    // Withdrawn episodes have no failures.
    return withUnsaved(source, stored)
      .filter((episode) => isWanted(episode) && episode.failuresSeen > 0)
      .slice(0, limit);
  }

  /** Each kind is sorted by name. */
  async uptime({ id, fromMs, toMs }: ArgsOf<'nodes.uptime'>): Promise<ResultOf<'nodes.uptime'>> {
    const source = this.#source(id);
    checkSpan(toMs > fromMs);
    const [stored, chains] = await Promise.all([
      source.store.readUptime(id, Math.floor(fromMs), Math.ceil(toMs)),
      chainChecksOfSource(source),
    ]);
    return stored.map((sums) => toUptime(sums, chains)).sort(byScopeAndName);
  }

  async moments({ id, fromMs, toMs, limit }: ArgsOf<'nodes.moments'>): Promise<ResultOf<'nodes.moments'>> {
    const { store } = this.#source(id);
    checkSpan(toMs >= fromMs);
    return await store.readMoments(id, Math.floor(fromMs), Math.ceil(toMs), limit);
  }

  /** Includes the differences from the report before it. */
  async reportAt(query: ArgsOf<'nodes.reportAt'>): Promise<ResultOf<'nodes.reportAt'>> {
    const { id, store } = this.#source(query.id);
    const poll = await store.readPollAt(id, Math.floor(query.atMs));
    if (poll === null) return null;
    const { polledAtMs: atMs, state, reason } = poll;
    const previous = await store.readPollAt(id, atMs - 1);
    const report = parseStoredReport(poll.reportJson);
    const before = parseStoredReport(previous?.reportJson ?? null);
    const differences = report === null ? [] : reportDifferences(before, report);
    return { atMs, state, reason, report, differences, previousAtMs: previous?.polledAtMs ?? null };
  }

  /** Computed from one report per hour of the seven days before the last report. */
  async forecasts({ id }: ArgsOf<'nodes.forecasts'>): Promise<ResultOf<'nodes.forecasts'>> {
    const source = this.#source(id);
    for (const known of this.#samples.keys())
      if (this.#sources.find(known) === null) this.#samples.delete(known);
    return (await this.#forecaster.forecasts(await this.#readSamples(source))) ?? busy();
  }

  async #readSamples(source: HistorySource): Promise<ForecastSample[]> {
    const { lastReport } = await source.store.latest(source.id);
    if (lastReport === null) return [];
    const { polledAtMs: lastMs, reportedNodeId: lastId } = lastReport;
    const firstHour = Math.floor(lastMs / hourMs) - samplesKept + 1;
    const known = orAdd(this.#samples, source.id, () => new Map<number, SampleOfNode | null>());
    for (const hour of known.keys()) if (hour < firstHour) known.delete(hour);
    const samples: ForecastSample[] = [];
    for (let hour = firstHour; hour * hourMs <= lastMs; hour += 1) {
      let sample = known.get(hour);
      if (sample === undefined) {
        const poll = await source.store.readPollAt(source.id, hour * hourMs);
        const isOfHour = poll !== null && poll.polledAtMs > (hour - 1) * hourMs;
        sample = isOfHour ? await this.#sample(poll) : null;
        known.set(hour, sample);
      }
      // Another node at this address before has its own disk.
      if (sample !== null && (sample.nodeId ?? lastId) === lastId) samples.push(sample);
    }
    samples.push(await this.#sample(lastReport));
    return samples;
  }

  async #sample({ polledAtMs, reportJson, reportedNodeId: nodeId }: StoredPoll): Promise<SampleOfNode> {
    return { nodeId, ...((await this.#forecaster.sample(polledAtMs, reportJson ?? '')) ?? busy()) };
  }

  #source(id: string): HistorySource {
    return this.#sources.find(id) ?? notWatched();
  }
}

function toUptime({ check, ...sums }: StoredUptime, chains: ReadonlySet<string>): Uptime {
  const scope = check === null ? 'node' : chains.has(check) ? 'chain' : 'check';
  return { scope, name: check ?? '', ...sums, uptimePpm: uptimePpm(sums) };
}

const scopes: readonly Uptime['scope'][] = ['node', 'chain', 'check'];

const byScopeAndName = (a: Uptime, b: Uptime): number =>
  scopes.indexOf(a.scope) - scopes.indexOf(b.scope) || byText(a.name, b.name);

function checkSpan(isSpan: boolean): void {
  if (!isSpan) refuse('The end must be after the start.', 'toMs');
}

function busy(): never {
  const message = 'The app couldn’t calculate the forecast in time and will try again with the next report.';
  throw new AppFailure({ code: 'bad-response', message, issues: [] });
}
