import type { ArgsOf } from '../../../shared/ipc/contract.ts';
import { findEndpoint } from '../../../shared/endpoints/registry.ts';
import { sampleBodies } from '../../../shared/endpoints/testing/sample-bodies.ts';
import { sampleServiceProfile } from '../../../shared/settings.ts';
import { err, ok, type Result } from '../../../shared/errors.ts';
import type { Attempt, RunPage, RunSummary, RunTarget } from '../../../shared/explore/types.ts';

interface Kept {
  run: RunSummary;
  pages: RunPage[];
}

/** How many pages a list of the sample has. */
const pageTotal = 3;

const missing = err({ code: 'not-found', message: 'no such query' } as const);

/** Explore runs of the fake main process: each answers with the sample body of its endpoint, lists on three pages. */
export class SampleRuns {
  /** Newest first. */
  #kept: Kept[] = [];
  #nextId = 1;
  /** Replaces the answer of the endpoint with this id. */
  readonly bodies = new Map<string, (page: number) => unknown>();
  /** When a page is received; to be replaced. */
  fetchedAtMs: (page: number) => number = () => this.#nowMs - 60_000;
  readonly #nowMs: number;
  readonly #changed: (run: RunSummary) => void;

  constructor(nowMs: number, changed: (run: RunSummary) => void) {
    this.#nowMs = nowMs;
    this.#changed = changed;
  }

  start(target: RunTarget, pages: 'one' | 'all'): RunSummary {
    const isMetrics = target.kind === 'endpoint' && findEndpoint(target.endpointId)?.api === 'metrics';
    const run: RunSummary = {
      id: `run-${this.#nextId}`,
      target,
      baseUrl: isMetrics ? sampleServiceProfile.metricsUrl : sampleServiceProfile.dataUrl,
      headerNames: ['x-service-api-key'],
      state: 'running',
      startedAtMs: this.#nowMs - 120_000 + this.#nextId,
      fetched: null,
      pageCount: 0,
      rowCount: null,
      byteLength: 0,
      hasMore: false,
      error: null,
    };
    this.#nextId += 1;
    const kept = { run, pages: [] };
    this.#kept.unshift(kept);
    this.#fetch(kept, pages);
    return kept.run;
  }

  goOn(runId: string, pages: 'one' | 'all'): Result<RunSummary> {
    const kept = this.#find(runId);
    if (kept === undefined) return missing;
    this.#fetch(kept, pages);
    return ok(kept.run);
  }

  list({ text, states }: ArgsOf<'runs.list'>['filter'], offset: number, limit: number) {
    const found = this.#kept.filter(
      ({ run }) =>
        JSON.stringify(run.target).includes(text) && (states.length === 0 || states.includes(run.state)),
    );
    const runs = found.slice(offset, offset + limit).map(({ run }) => run);
    return { runs, totalCount: found.length, unreadableCount: 0 };
  }

  page(runId: string, index: number): Result<RunPage> {
    const page = this.#find(runId)?.pages[index];
    return page === undefined ? missing : ok(page);
  }

  text(runId: string, index: number): Result<string> {
    const page = this.page(runId, index);
    return page.ok ? ok(JSON.stringify(page.value.data)) : page;
  }

  attempts(runId: string): Attempt[] {
    return (this.#find(runId)?.pages ?? []).map((page) => ({
      runId,
      atMs: page.fetchedAtMs,
      durationMs: page.durationMs,
      httpStatus: page.httpStatus,
      byteLength: page.byteLength,
      rowCount: 2,
      outcome: 'ok',
      pageToken: page.index === 0 ? null : `token-${page.index}`,
      nextPageToken: `token-${page.index + 1}`,
    }));
  }

  remove(runId: string): void {
    this.#kept = this.#kept.filter(({ run }) => run.id !== runId);
  }

  #find(runId: string): Kept | undefined {
    return this.#kept.find(({ run }) => run.id === runId);
  }

  #fetch(kept: Kept, pages: 'one' | 'all'): void {
    const { target } = kept.run;
    const itemsKey =
      target.kind === 'node' ? null : (findEndpoint(target.endpointId)?.paging?.itemsKey ?? null);
    const last = itemsKey === null ? 1 : pageTotal;
    const wanted = pages === 'all' ? last : kept.pages.length + 1;
    while (kept.pages.length < wanted) {
      const data = this.#body(target, kept.pages.length);
      kept.pages.push({
        runId: kept.run.id,
        index: kept.pages.length,
        data,
        fetchedAtMs: this.fetchedAtMs(kept.pages.length),
        httpStatus: 200,
        durationMs: 42,
        byteLength: JSON.stringify(data).length,
        notes: [],
      });
    }
    const hasMore = kept.pages.length < last;
    const times = kept.pages.map(({ fetchedAtMs }) => fetchedAtMs);
    const rowCount =
      itemsKey === null
        ? null
        : kept.pages.reduce(
            (sum, page) => sum + ((page.data as Record<string, unknown[]>)[itemsKey]?.length ?? 0),
            0,
          );
    kept.run = {
      ...kept.run,
      state: hasMore ? 'partial' : 'complete',
      fetched: { fromMs: Math.min(...times), toMs: Math.max(...times) },
      pageCount: kept.pages.length,
      rowCount,
      byteLength: kept.pages.reduce((sum, page) => sum + page.byteLength, 0),
      hasMore,
    };
    this.#changed(kept.run);
  }

  #body(target: RunTarget, page: number): unknown {
    if (target.kind === 'node') {
      return {
        checks: {
          C: { message: { engine: { consensus: { lastAcceptedHeight: 51_204_331 } } }, duration: 1_200_000 },
          diskspace: { message: { availableDiskBytes: 412_000_000_000 }, duration: 4_100 },
          network: { error: 'not connected to enough peers: 0 < 1', contiguousFailures: 4 },
        },
        healthy: false,
      };
    }
    return this.bodies.get(target.endpointId)?.(page) ?? sampleBodies[target.endpointId];
  }
}
