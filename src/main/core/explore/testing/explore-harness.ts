import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { RunSummary, RunTarget } from '../../../../shared/explore/types.ts';
import { unwrap } from '../../../../shared/errors.ts';
import type { ServiceProfile } from '../../../../shared/settings.ts';
import { createHttpClient } from '../../../adapters/http/http-client.ts';
import { openNetwork } from '../../../adapters/http/testing/open-network.ts';
import { createMemoryStores } from '../../../adapters/storage/testing/memory-stores.ts';
import { silentLog } from '../../activity/testing/harness.ts';
import { QueryEngine, type AnswerArrived } from '../../endpoints/query-engine.ts';
import { Scheduler } from '../../endpoints/scheduler.ts';
import { ServiceClient, type DecodeAnswer } from '../../endpoints/service-client.ts';
import type { Clock, HttpClient, HttpOutcome, HttpRequest, RunStore, Timers } from '../../ports.ts';
import { asResults } from '../../testing/as-results.ts';
import type { KnownAs } from '../run-search.ts';
import { RunService } from '../run-service.ts';
import type { Asking } from '../run-target.ts';
import { createFakeEvents } from '../../testing/fake-events.ts';

const realTimers: Timers = {
  after(delayMs, task) {
    const timer = setTimeout(task, delayMs);
    return () => clearTimeout(timer);
  },
};

/** The pauses between retries are tested elsewhere; here they would only take time. */
const impatientTimers: Timers = { after: (_delayMs, task) => realTimers.after(1, task) };

export const nodeId = 'n1';

interface Current {
  profile: ServiceProfile;
  asking: Asking | null;
  key: string;
  passedMs: number;
  pagesAtOnce: number | undefined;
  names: KnownAs[];
}

/** A list of all past queries. */
export const everyRun = {
  filter: { text: '', states: [], asked: null, fromMs: null, beforeMs: null },
  offset: 0,
  limit: 100,
};

/** What is used of a running sample service; its own types belong to another program. */
interface RunningService {
  ready: { dataUrl: string; metricsUrl: string; apiKey: string; nodes: readonly { url: string }[] };
}

/**
 * The run service over real HTTP to a sample service. `limit.timeoutMs`, when set, limits each request; `limit.answer`
 * replaces the service's answers.
 */
export function buildHarness(
  sample: RunningService,
  limit: { timeoutMs?: number; answer?: () => HttpOutcome; decode?: DecodeAnswer } = {},
) {
  const profile: ServiceProfile = {
    preset: 'custom',
    dataUrl: sample.ready.dataUrl,
    metricsUrl: sample.ready.metricsUrl,
    keyHeader: 'x-service-api-key',
  };
  /** The service that is configured, and what has passed besides real time. */
  const current: Current = {
    profile,
    asking: null,
    key: sample.ready.apiKey,
    passedMs: 0,
    pagesAtOnce: Infinity,
    names: [],
  };
  const clock: Clock = {
    nowMs: () => Date.now() + current.passedMs,
    monotonicMs: () => performance.now() + current.passedMs,
  };
  /** What the keychain holds for the node; may reject. */
  const ofNode: { headers: () => Promise<Readonly<Record<string, string>>> } = { headers: async () => ({}) };
  const requests: HttpRequest[] = [];
  const real = createHttpClient(openNetwork);
  let sentCount = 0;
  const waiting = new Set<() => void>();
  const http: HttpClient = {
    send: (request) => {
      sentCount += 1;
      requests.push(request);
      for (const look of waiting) look();
      if (limit.answer !== undefined) return Promise.resolve(limit.answer());
      return real.send({
        ...request,
        ...(limit.timeoutMs === undefined ? {} : { timeoutMs: limit.timeoutMs }),
      });
    },
  };
  const stores = createMemoryStores();
  // A separate object, so that a test can replace a method.
  const store = Object.create(stores.runs) as RunStore;
  const service = new ServiceClient({
    http,
    scheduler: new Scheduler({ clock, timers: realTimers }),
    keyHeaders: async () => (current.key === '' ? {} : { 'x-service-api-key': current.key }),
    profile: () => current.profile,
    clock,
    timers: impatientTimers,
    random: { fraction: () => 0.5, id: randomUUID },
  });
  const queries = new QueryEngine({ service, answers: stores.answers, clock, log: silentLog });
  current.asking = { service, queries };
  const arrivals: AnswerArrived[] = [];
  queries.onAnswer((answer) => arrivals.push(answer));
  const node = { id: nodeId, name: 'Harbor', url: sample.ready.nodes[0]?.url ?? '' };
  const events = createFakeEvents();
  const runService = new RunService({
    emit: events.emit,
    store,
    asking: () => current.asking,
    nodes: () => [node],
    names: () => current.names,
    get pagesAtOnce() {
      return current.pagesAtOnce;
    },
    accessTo: async () => ({ headers: await ofNode.headers() }),
    http,
    clock,
    random: { fraction: () => 0.5, id: randomUUID },
    log: silentLog,
    ...(limit.decode !== undefined && { decode: limit.decode }),
  });
  const runs = asResults(runService);
  const changes: RunSummary[] = [];
  events.on('run.changed', (run) => changes.push(run));

  /** Resolves with the run once it is no longer being fetched. */
  async function ended(id: string): Promise<RunSummary> {
    return await new Promise((resolve, reject) => {
      const stop = events.on('run.changed', (run) => settle(run));
      const settle = (run: RunSummary): void => {
        if (run.id !== id || run.state === 'running') return;
        stop();
        resolve(run);
      };
      runs.summary(id).then((result) => settle(unwrap(result)), reject);
    });
  }

  return {
    current,
    ofNode,
    requests,
    node,
    store,
    queries,
    runService,
    runs,
    arrivals,
    changes,
    ended,
    start: async (target: RunTarget, pages: 'one' | 'all' = 'one') =>
      unwrap(await runs.start({ target, pages })),
    continue: async (runId: string, pages: 'one' | 'all' = 'one') =>
      unwrap(await runs.continue({ runId, pages })),
    /** All rows of a run in the order of its pages, without those that an earlier page already had. */
    async rows(id: string): Promise<unknown[]> {
      const { pageCount } = unwrap(await runs.summary(id));
      const rows: unknown[] = [];
      for (let index = 0; index < pageCount; index += 1) {
        rows.push(...(unwrap(await runs.readPage(id, index)).rows ?? []));
      }
      return rows;
    },
    /** Resolves when this many requests have been sent. */
    sent: (count: number) =>
      new Promise<void>((resolve) => {
        const look = (): void => {
          if (sentCount < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    /** Resolves with the first change for which the condition holds. */
    when: (condition: (run: RunSummary) => boolean) =>
      new Promise<RunSummary>((resolve) => {
        const stop = events.on('run.changed', (run) => {
          if (!condition(run)) return;
          stop();
          resolve(run);
        });
      }),
  };
}

export type Harness = ReturnType<typeof buildHarness>;

export function list(address: string, chainId: string, more: Record<string, string> = {}): RunTarget {
  const params = { chainId, address, sortOrder: 'desc', pageSize: '10', ...more };
  return { kind: 'endpoint', endpointId: 'address-transactions', params };
}

export function nodeTarget(callId: string, tags: string[] = []): RunTarget {
  return { kind: 'node', nodeId, callId, tags };
}
