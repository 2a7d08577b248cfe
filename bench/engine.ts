import { monitorEventLoopDelay } from 'node:perf_hooks';
import { startSampleService } from '../sample-service/service.ts';
import { createHttpClient } from '../src/main/adapters/http/http-client.ts';
import { openNetwork } from '../src/main/adapters/http/testing/open-network.ts';
import { QueryEngine } from '../src/main/core/endpoints/query-engine.ts';
import { RunService } from '../src/main/core/explore/run-service.ts';
import type { Clock, HttpClient, HttpRequest, Timers } from '../src/main/core/ports.ts';
import { addressTransactions, chainTransactions } from '../src/shared/endpoints/data.ts';
import { decodeAnswer } from '../src/shared/endpoints/decode-answer.ts';
import type { ReadyLine } from '../sample-service/options.ts';
import { unwrap } from '../src/shared/errors.ts';
import {
  clock,
  createClient,
  decode,
  isAsked,
  log,
  median,
  openBenchStore,
  random,
  report,
  spawnSampleService,
  timers,
  syncWhole,
} from './bench-harness.ts';
import { createFakeEvents } from '../src/main/core/testing/fake-events.ts';

/**
 * The three figures of the query engine: walking and storing 20,000 transactions, compared with a bare loop over the
 * same pages; the use of the service's limits; decoding with exact numbers, against `JSON.parse`.
 */

const rounds = 3;

async function measured(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

/** Fetches and parses the pages one after the other, storing nothing. */
async function bareLoop(ready: ReadyLine): Promise<string[]> {
  const { chainId, addresses } = ready.examples;
  const bodies: string[] = [];
  let token: string | null = null;
  do {
    const query: string = token === null ? '' : `&pageToken=${token}`;
    const url: string = `${ready.dataUrl}/v1/chains/${chainId}/addresses/${addresses.busy}/transactions?sortOrder=desc&pageSize=100${query}`;
    const response: Response = await fetch(url, { headers: { 'x-service-api-key': ready.apiKey } });
    const text: string = await response.text();
    bodies.push(text);
    // The envelope of the sample service's pages.
    token = (JSON.parse(text) as { nextPageToken?: string }).nextPageToken ?? null;
  } while (token !== null && token !== '');
  return bodies;
}

/** The walk that fills the timeline of a watched address. */
async function walkTimeline(ready: ReadyLine): Promise<number> {
  const { chainId, addresses } = ready.examples;
  const { store, remove } = await openBenchStore();
  await store.watchlist.put({
    address: addresses.busy,
    label: null,
    tags: [],
    colour: null,
    paused: false,
    addedAtMs: 1,
  });
  const ref = { address: addresses.busy, chainId, list: 'transactions' as const };
  const { service } = createClient({ ready });
  const ms = await measured(async () => {
    await syncWhole({ store: store.activity, service, clock }, ref, 'user');
  });
  const sync = await store.activity.readSync(ref);
  await remove();
  if (sync?.rowCount !== 20_000 || !sync.reachedStart) throw new Error('The walk is not complete.');
  return ms;
}

/** The walk of a query in Explore, whose pages are kept as they came. */
async function walkQuery(ready: ReadyLine): Promise<number> {
  const { chainId, addresses } = ready.examples;
  const { store, remove } = await openBenchStore();
  const { service, http } = createClient({ ready });
  const queries = new QueryEngine({ service, answers: store.answers, clock, log, decode });
  const asking = { service, queries };
  const events = createFakeEvents();
  const ended = new Promise<number | null>((resolve) =>
    events.on('run.changed', (run) => {
      if (run.state !== 'running') resolve(run.state === 'complete' ? run.rowCount : null);
    }),
  );
  const runs = new RunService({
    emit: events.emit,
    store: store.runs,
    asking: () => asking,
    nodes: () => [],
    names: () => [],
    pagesAtOnce: Infinity,
    accessTo: async () => ({ headers: {} }),
    http,
    clock,
    random,
    log,
    decode,
  });
  const ms = await measured(async () => {
    const params = { chainId, address: addresses.busy, sortOrder: 'desc', pageSize: '100' };
    await runs.start({
      target: { kind: 'endpoint', endpointId: 'address-transactions', params },
      pages: 'all',
    });
    if ((await ended) !== 20_000) throw new Error('The walk is not complete.');
  });
  await remove();
  return ms;
}

async function benchWalk(): Promise<string[]> {
  const { ready, stop } = await spawnSampleService();
  try {
    // Once to warm both sides up.
    const bodies = await bareLoop(ready);
    const times: Record<'bare' | 'timeline' | 'query', number[]> = { bare: [], timeline: [], query: [] };
    const delay = monitorEventLoopDelay({ resolution: 1 });
    for (let round = 0; round < rounds; round += 1) {
      times.bare.push(await measured(() => bareLoop(ready)));
      delay.enable();
      times.timeline.push(await walkTimeline(ready));
      times.query.push(await walkQuery(ready));
      delay.disable();
    }
    const bareMs = median(times.bare);
    console.log(
      `20,000 transactions, median of ${rounds}: bare loop ${bareMs.toFixed(0)} ms, timeline ${median(times.timeline).toFixed(0)} ms, query ${median(times.query).toFixed(0)} ms`,
    );
    // The service's official client, which stores nothing, takes 2.85 times as long as the bare loop; 1.3 times that is 3.7.
    report('walk of a timeline, stored / bare loop', median(times.timeline) / bareMs, { atMost: 3.7 });
    report('walk of a query, stored / bare loop', median(times.query) / bareMs, { atMost: 3.7 });
    report('event-loop delay during the walks, p99', delay.percentile(99) / 1e6, { atMost: 20 }, ' ms');
    return bodies;
  } finally {
    stop();
  }
}

/** How many times faster than real time the limits' clock runs. */
const speed = 4;
const minutes = 3;
const callUnits = 20;
const callsPerMinute = 8_000 / callUnits;
/** At the beginning of each minute another client with the same key makes so many calls at once. */
const raidCalls = 70;
/** Once a minute the service refuses calls for this long although the minute has some left. */
const stormSeconds = 5;

/**
 * An endless backfill against the limits of the sample service, over real HTTP; both sides use one clock that
 * runs `speed` times as fast, to save time. Another client uses the same key, and once a minute the service refuses
 * calls, so there are answers 429 with `retry-after` that the app could not have avoided. What counts is what the app
 * itself uses of the calls that the other client leaves.
 */
async function benchLimits(): Promise<void> {
  const startMs = Math.ceil(Date.now() / 60_000) * 60_000;
  const startedMs = performance.now();
  const elapsedMs = () => (performance.now() - startedMs) * speed;
  const nowMs = () => startMs + elapsedMs();
  const minute = () => Math.floor(elapsedMs() / 60_000);
  const fastClock: Clock = { nowMs, monotonicMs: elapsedMs };
  const fastTimers: Timers = { after: (delayMs, task) => timers.after(delayMs / speed, task) };
  const sample = await startSampleService({ scale: 0.01, clock: { nowMs } });
  const real = createHttpClient(openNetwork);
  const seen = { allowed: 0, refused: 0, early: 0, allowedToOther: 0 };
  const raids: Promise<void>[] = [];
  let raidedMinute = -1;
  let stormyMinute = -1;
  let toldUntilMs = -Infinity;
  const raid = async (request: HttpRequest): Promise<void> => {
    const outcome = await real.send(request);
    if (outcome.kind === 'response' && outcome.status === 200) seen.allowedToOther += 1;
  };
  const http: HttpClient = {
    send: async (request) => {
      if (elapsedMs() < toldUntilMs) seen.early += 1;
      if (stormyMinute !== minute()) {
        stormyMinute = minute();
        const action = { kind: 'storm', retryAfterSeconds: stormSeconds } as const;
        sample.control.addFault({ server: 'data', skip: 200, count: 1, action });
      }
      const outcome = await real.send(request);
      if (outcome.kind !== 'response') return outcome;
      if (outcome.status === 429) {
        seen.refused += 1;
        toldUntilMs = Math.max(toldUntilMs, elapsedMs() + Number(outcome.headers['retry-after']) * 1000);
      } else if (minute() < minutes) {
        seen.allowed += 1;
        if (raidedMinute !== minute()) {
          raidedMinute = minute();
          // Without the backfill's signal, which must not cancel the other client's calls.
          const { signal: _signal, ...own } = request;
          raids.push(...Array.from({ length: raidCalls }, () => raid(own)));
        }
      }
      return outcome;
    },
  };
  const { service } = createClient({ ready: sample.ready, clock: fastClock, timers: fastTimers, http });
  const end = new AbortController();
  const stopTimer = fastTimers.after(minutes * 60_000, () => end.abort());
  const params = { chainId: sample.ready.examples.chainId, pageSize: '1' };
  const loop = async (): Promise<void> => {
    while (!end.signal.aborted) {
      await service.fetch(chainTransactions, params, {
        priority: 'backfill',
        mayWaitMs: Infinity,
        signal: end.signal,
      });
    }
  };
  try {
    await Promise.all(Array.from({ length: 8 }, loop));
    await Promise.all(raids);
  } finally {
    stopTimer();
    await sample.close();
  }
  const allowed = minutes * callsPerMinute - seen.allowedToOther;
  console.log(
    `${minutes} minutes of limits: ${seen.allowed} of ${allowed} calls (another client made ${seen.allowedToOther} more), ${seen.refused} answers 429 with \`retry-after\``,
  );
  report(
    'calls used of those that another client left',
    (100 * seen.allowed) / allowed,
    { atLeast: 95 },
    ' %',
  );
  report('answers 429 in that time', seen.refused, { atLeast: minutes });
  report('calls sent before `retry-after`', seen.early, { atMost: 0 });
}

function benchDecoding(bodies: readonly string[]): void {
  const parse = () => bodies.forEach((body) => void JSON.parse(body));
  const decode = () => bodies.forEach((body) => void unwrap(decodeAnswer(addressTransactions, body)));
  const ratios: number[] = [];
  parse();
  decode();
  for (let round = 0; round < 5; round += 1) {
    const startMs = performance.now();
    parse();
    const parsedMs = performance.now();
    decode();
    ratios.push((performance.now() - parsedMs) / (parsedMs - startMs));
  }
  report('decoding with exact numbers / JSON.parse', median(ratios), { atMost: 3 });
}

if (isAsked('walk')) benchDecoding(await benchWalk());
if (isAsked('limits')) await benchLimits();
