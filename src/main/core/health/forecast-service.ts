import { err, ok, type Result } from '../../../shared/errors.ts';
import { forecastsOf, type DatedReport } from '../../../shared/health/forecast.ts';
import { parseStoredReport } from '../../../shared/health/stored-report.ts';
import type { Forecast } from '../../../shared/health/types.ts';
import type { Log } from '../ports.ts';
import type { PastSource, PastSources } from './past-source.ts';
import { resultOf } from './user-files.ts';

const stepMs = 3_600_000;
const steps = 7 * 24;

/** Forecasts of a node or recording, out of one report an hour of its last seven days. */
export class ForecastService {
  readonly #sources: Pick<PastSources, 'find'>;
  readonly #log: Log;
  /** Samples of the past do not change, so that each is read once; by time of their step. */
  readonly #samples = new Map<string, Map<number, DatedReport | null>>();

  constructor(sources: Pick<PastSources, 'find'>, log: Log) {
    this.#sources = sources;
    this.#log = log;
  }

  /** Seen from the last report of the source. */
  forecasts({ id }: { id: string }): Promise<Result<Forecast[]>> {
    return resultOf(this.#log, 'nodes.forecasts', 'The forecast could not be made.', async () => {
      for (const known of this.#samples.keys()) {
        if (this.#sources.find(known) === null) this.#samples.delete(known);
      }
      const source = this.#sources.find(id);
      if (source === null) return err({ code: 'not-found', message: 'This node is not watched (any more).' });
      return ok(forecastsOf(await this.#read(source)));
    });
  }

  async #read(source: PastSource): Promise<DatedReport[]> {
    const { lastReport } = await source.store.latest(source.id);
    if (lastReport === null) return [];
    const lastMs = lastReport.polledAtMs;
    const firstStep = Math.floor(lastMs / stepMs) - steps + 1;
    const known = this.#samples.get(source.id) ?? new Map<number, DatedReport | null>();
    this.#samples.set(source.id, known);
    for (const step of known.keys()) if (step < firstStep) known.delete(step);
    const reports: DatedReport[] = [];
    for (let step = firstStep; step * stepMs <= lastMs; step += 1) {
      let sample = known.get(step);
      if (sample === undefined) {
        sample = await readSample(source, step * stepMs);
        known.set(step, sample);
      }
      if (sample !== null) reports.push(sample);
    }
    const last = parseStoredReport(lastReport.reportJson ?? '');
    if (last !== null) reports.push({ atMs: lastMs, report: last });
    return reports;
  }
}

/** The last report of the hour before `atMs`; null when there is none. */
async function readSample({ id, store }: PastSource, atMs: number): Promise<DatedReport | null> {
  const poll = await store.readPollAt(id, atMs);
  if (poll === null || poll.polledAtMs <= atMs - stepMs) return null;
  const report = parseStoredReport(poll.reportJson ?? '');
  return report === null ? null : { atMs: poll.polledAtMs, report };
}
