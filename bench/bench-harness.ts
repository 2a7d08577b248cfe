import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import type { ReadyLine } from '../sample-service/options.ts';
import { createFileSaver } from '../src/main/adapters/export/file-saver.ts';
import { DecodeThread } from '../src/main/adapters/decode/decode-thread.ts';
import { createHttpClient } from '../src/main/adapters/http/http-client.ts';
import { openNetwork } from '../src/main/adapters/http/testing/open-network.ts';
import { openStore, type OpenedStore } from '../src/main/adapters/storage/thread/open-store.ts';
import { ActivityExport } from '../src/main/core/activity/export/export-service.ts';
import { runSync } from '../src/main/core/activity/sync/sync-run.ts';
import type { ActivityStore, ListRef } from '../src/main/core/activity-ports.ts';
import { Scheduler } from '../src/main/core/endpoints/scheduler.ts';
import { ServiceClient, type DecodeAnswer } from '../src/main/core/endpoints/service-client.ts';
import type { Clock, Emit, HttpClient, Log, Timers } from '../src/main/core/ports.ts';
import { answersBy, exportTextBy, readers } from '../src/main/readers.ts';
import { unwrap } from '../src/shared/errors.ts';
import type { ServiceProfile } from '../src/shared/settings.ts';
import { chains } from './bench-activity-rows.ts';

/** Shared by the benchmarks: the app's parts composed as in the app, with real HTTP and a real disk. */

/** Whether a part of a benchmark was asked for: by its name, or with all others. */
export const isAsked = (part: string): boolean => process.argv.length === 2 || process.argv.includes(part);

export const log: Log = {
  info: () => undefined,
  warn: () => undefined,
  error: (event, cause) => {
    console.error(event, cause);
    return 'bench';
  },
};

export const clock: Clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() };

export const timers: Timers = {
  after(delayMs, task) {
    const timer = setTimeout(task, delayMs);
    return () => clearTimeout(timer);
  },
};

export const random = { fraction: () => Math.random(), id: () => randomUUID() };

const decoder = new DecodeThread({
  workerUrl: new URL('../src/main/decode-worker.ts', import.meta.url),
  functions: readers,
  log,
  // It lives as long as the benchmark, and does not make that longer.
  timers: { after: () => () => undefined },
});

export const decode: DecodeAnswer = answersBy(decoder);

/** A sample service in its own process, so that it does not take time from what is measured, and without limits. */
export async function spawnSampleService(): Promise<{ ready: ReadyLine; stop: () => void }> {
  const entry = join(import.meta.dirname, '..', 'sample-service', 'main.ts');
  const child = spawn(process.execPath, [entry, '--port', '0', '--seed', '1', '--limits', 'off'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface(child.stdout)) {
    // Printed by our own program, in this shape.
    const ready = JSON.parse(line) as ReadyLine;
    return { ready, stop: () => void child.kill() };
  }
  throw new Error('The sample service ended before it was ready.');
}

type Where = Pick<ReadyLine, 'dataUrl' | 'metricsUrl' | 'apiKey'>;

interface ClientParts {
  ready: Where;
  clock?: Clock;
  timers?: Timers;
  http?: HttpClient;
}

export function createClient({ ready, http = createHttpClient(openNetwork), ...given }: ClientParts) {
  const { dataUrl, metricsUrl, apiKey } = ready;
  const profile: ServiceProfile = { preset: 'custom', dataUrl, metricsUrl, keyHeader: 'x-service-api-key' };
  const time = { clock, timers, ...given };
  const service = new ServiceClient({
    http,
    scheduler: new Scheduler(time),
    keyHeaders: async () => ({ [profile.keyHeader]: apiKey }),
    profile: () => profile,
    ...time,
    random,
    decode,
  });
  return { service, http };
}

/** Opens a store on the disk, in its thread, as in the app. */
export function openStoreIn(directory: string, more: { drivers?: ['libsql'] } = {}): Promise<OpenedStore> {
  const workerUrl = new URL('../src/main/adapters/storage/thread/worker.ts', import.meta.url);
  return openStore({ directory, workerUrl, clock, timers, log, ...more });
}

/** A store in a folder of its own. `reopen` opens it again after closing; `remove` closes it and deletes its folder. */
export async function openBenchStore() {
  const directory = await mkdtemp(join(tmpdir(), 'watchkeeper-bench-'));
  let store = await openStoreIn(directory);
  return {
    store,
    directory,
    reopen: async () => (store = await openStoreIn(directory)),
    remove: async () => {
      await store.close();
      await rm(directory, { recursive: true });
    },
  };
}

/** Walks a whole list into the store for the first time. */
export async function syncWhole(
  parts: Parameters<typeof runSync>[0],
  ref: ListRef,
  firstPriority: 'user' | 'backfill',
): Promise<void> {
  const options = {
    ref,
    what: 'all' as const,
    runId: 'bench',
    native: { symbol: null, decimals: null },
    signal: new AbortController().signal,
    firstPriority,
    headFreshForMs: 0,
    onSaved: () => undefined,
  };
  unwrap(await runSync(parts, options));
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

export const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? NaN;

/** How busy the machine is; on a busy one the figures mean little. */
export const load = (): string => `load average ${loadavg()[0]?.toFixed(1) ?? '?'}`;

/** The timeline's export into a file, as the app makes it. */
export function exporterInto(store: ActivityStore, path: string, emit: Emit = () => undefined) {
  const showSaveDialog = () => Promise.resolve({ canceled: false, filePath: path });
  const chain = (id: string) => [id, { name: id, native: { symbol: 'AVAX', decimals: 18 } }];
  const namesJson = JSON.stringify({ names: [], known: [], chains: chains.map(chain) });
  const exporting = new ActivityExport({
    emit,
    store,
    files: createFileSaver({ showSaveDialog }, () => dirname(path)),
    names: () => namesJson,
    textOf: exportTextBy(decoder),
    clock,
  });
  return { exporting, remove: () => rm(path) };
}

const missed: string[] = [];
let reported = 0;
process.on('exit', () => {
  if (missed.length > 0) console.log(`\nMISSED:\n${missed.join('\n')}`);
  if (reported > 0) return;
  console.log('Nothing was measured: there is no such part.');
  process.exitCode ||= 1;
});

/** Prints a figure with its bound; a missed one makes the process end with 1 and is told once more at the end. */
export function report(
  name: string,
  value: number,
  bound: { atMost: number } | { atLeast: number },
  unit = '',
): void {
  reported += 1;
  const isMet = 'atMost' in bound ? value <= bound.atMost : value >= bound.atLeast;
  const limit = 'atMost' in bound ? `at most ${bound.atMost}` : `at least ${bound.atLeast}`;
  const line = `${name}: ${value.toFixed(2)}${unit} (${limit}${unit})`;
  console.log(`${isMet ? 'ok    ' : 'MISSED'} ${line}`);
  if (isMet) return;
  process.exitCode = 1;
  missed.push(line);
}
