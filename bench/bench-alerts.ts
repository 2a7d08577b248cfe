import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { NotificationServer } from '../e2e/notification-server.ts';
import { Watchkeeper } from '../e2e/pages/watchkeeper.ts';
import { Profile, projectDir, runtimePath } from '../e2e/running-app.ts';
import { SampleService } from '../e2e/sample-service.ts';
import { sampleNodes } from '../sample-data/sample-data.ts';
import { seedPast } from '../sample-data/seed-past.ts';
import { serviceFolder } from '../src/main/adapters/storage/opening/service-folder.ts';
import { tryPast } from '../src/main/core/alerts/try-past.ts';
import { KnownIncidents } from '../src/main/core/health/incidents/known-incidents.ts';
import type { AlertThresholds } from '../src/shared/alerts/thresholds.ts';
import { defaultSettings } from '../src/shared/settings.ts';
import { dayMs } from '../src/shared/time.ts';
import { clock, isAsked, load, median, openStoreIn, percentile, report, timers } from './bench-harness.ts';
import { nodeOf } from './bench-node-history.ts';
import { memoryOf, processorMsOf, treeOf } from './process-tree.ts';

/**
 * What alerts cost and how soon they come, in the built app: from the third failing run of a check until the system's
 * notification server has accepted the notification, and what the app uses without its window.
 */

/** `BENCH_MINUTES` makes the background shorter. */
const backgroundMinutes = Number(process.env['BENCH_MINUTES'] ?? 10);
/** The app is left alone for so long before its use of the machine is measured. */
const settlingMs = 180_000;
/** And so long before it is to tell: five minutes after a start it has learned when each node runs its checks. */
const learningMs = 360_000;
const failingNodes = 20;
/** What begins within 20 s is one alert, so that each failure begins later than that. */
const apartMs = 31_000;
const reopenings = 5;

const tellShown = join(import.meta.dirname, 'tell-shown.cjs');
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

// ---- Told --------------------------------------------------------------------------------------------------------------

/** When a node has run its check for the third time since it fails, by asking the node itself. */
async function thirdFailureMs(url: string, check: string): Promise<number> {
  for (;;) {
    const response = await fetch(`${url}/ext/health`);
    // Answered by the sample service, in the specification's shape.
    const { checks } = (await response.json()) as {
      checks: Record<string, { contiguousFailures?: number; timestamp: string }>;
    };
    const { contiguousFailures = 0, timestamp = '' } = checks[check] ?? {};
    if (contiguousFailures >= 3) return Date.parse(timestamp);
    await wait(100);
  }
}

async function notifiedMs(server: NotificationServer, words: string): Promise<number> {
  while (!server.notified.some(({ title }) => title.includes(words))) await wait(20);
  return Date.now();
}

async function benchTold(home: string): Promise<void> {
  const names = Array.from({ length: failingNodes }, (_value, index) => `node-${index + 1}x`);
  const service = await SampleService.start({
    limits: false,
    nodes: names.map((name) => ({ name, scenario: 'healthy' })),
  });
  const server = await NotificationServer.start();
  const profile = new Profile(join(home, 'told'));
  try {
    await profile.useService(service);
    const { page } = await profile.launch({ env: server.env, drawing: 'usual' });
    const app = new Watchkeeper(page);
    for (const { name, url } of service.ready.nodes) await app.addNode(name, url);
    await wait(learningMs);
    const lateMs: number[] = [];
    await Promise.all(
      service.ready.nodes.map(async ({ name, url }, index) => {
        await wait(index * apartMs);
        service.control.changeCheck(name, 'C', { error: 'told by the benchmark' });
        const told = notifiedMs(server, name);
        const failedMs = await thirdFailureMs(url, 'C');
        lateMs.push((await told) - failedMs);
      }),
    );
    console.log(`told after ${lateMs.map((ms) => ms.toFixed(0)).join(', ')} ms; ${load()}`);
    report(
      'third failing run to the accepted notification, p95',
      percentile(lateMs, 0.95),
      { atMost: 2_000 },
      ' ms',
    );
  } finally {
    await profile.closeAll();
    await server.stop();
    await service.stop();
  }
}

// ---- In the background -------------------------------------------------------------------------------------------------

/** Starts the app as a desktop does; `shown` resolves with each window that is shown. */
function start(profileDir: string, args: readonly string[] = []) {
  const child = spawn(
    runtimePath,
    ['-r', tellShown, '--no-sandbox', `--user-data-dir=${profileDir}`, projectDir, ...args],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  return { child, lines: createInterface(child.stdout) };
}

async function end({ child }: ReturnType<typeof start>): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** How many of the processes draw a window. */
async function renderersOf(pids: readonly number[]): Promise<number> {
  const commands = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8')));
  return commands.filter((command) => command.includes('--type=renderer')).length;
}

/** What each process takes: `main 120 MB, gpu-process 60 MB`. */
async function partsOf(pids: readonly number[]): Promise<string> {
  const parts: string[] = [];
  for (const pid of pids) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8');
    const kind = /--type=([^\0 ]+)/.exec(command)?.[1] ?? 'main';
    parts.push(`${kind} ${((await memoryOf([pid])) / 1e6).toFixed(0)} MB`);
  }
  return parts.join(', ');
}

async function use({ child }: ReturnType<typeof start>, minutes: number) {
  await wait(settlingMs);
  const pids = await treeOf(child.pid ?? 0);
  const [startedMs, usedMs, firstBytes] = [
    performance.now(),
    await processorMsOf(pids),
    await memoryOf(pids),
  ];
  await wait(minutes * 60_000);
  const passedMs = performance.now() - startedMs;
  const bytes = await memoryOf(pids);
  return {
    renderers: await renderersOf(pids),
    parts: await partsOf(pids),
    percent: (100 * ((await processorMsOf(pids)) - usedMs)) / passedMs,
    bytes,
    bytesAnHour: ((bytes - firstBytes) / passedMs) * 3_600_000,
  };
}

async function benchBackground(home: string): Promise<void> {
  const names = Array.from({ length: 5 }, (_value, index) => `node-${index + 1}`);
  const service = await SampleService.start({
    limits: false,
    nodes: names.map((name) => ({ name, scenario: 'healthy' })),
  });
  const profile = new Profile(join(home, 'background'));
  try {
    await profile.useService(service);
    const file = join(profile.dir, 'settings.json');
    const settings: unknown = JSON.parse(await readFile(file, 'utf8'));
    await writeFile(file, JSON.stringify(Object.assign({}, settings, { whenClosed: 'keep' })));
    await fill(profile.dir, service);
    const withWindow = start(profile.dir);
    const window = await use(withWindow, 1);
    await end(withWindow);

    let hidden = start(profile.dir, ['--background']);
    const background = await use(hidden, backgroundMinutes);
    const words = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
    console.log(
      `with the window ${words(window.bytes)}, ${window.renderers} renderer; without ${words(background.bytes)}, after ${backgroundMinutes} minutes; ${load()}`,
    );
    console.log(`with the window: ${window.parts}; without: ${background.parts}`);
    report('renderer processes without the window', background.renderers, { atMost: 0 });
    report('processor of one core without the window', background.percent, { atMost: 0.3 }, ' %');
    report('memory without the window / with it', background.bytes / window.bytes, { atMost: 0.6 });
    report('growth without the window', background.bytesAnHour / 1e6, { atMost: 1 }, ' MB an hour');

    const back: number[] = [];
    for (let n = 0; n <= reopenings; n += 1) {
      const startedMs = performance.now();
      const shown = once(hidden.lines, 'line');
      const second = start(profile.dir);
      const ended = once(second.child, 'exit');
      await shown;
      if (n > 0) back.push(performance.now() - startedMs);
      await ended;
      await end(hidden);
      if (n === reopenings) break;
      hidden = start(profile.dir, ['--background']);
      await wait(5_000);
    }
    const first: number[] = [];
    for (let n = 0; n <= reopenings; n += 1) {
      const startedMs = performance.now();
      const started = start(profile.dir);
      await once(started.lines, 'line');
      if (n > 0) first.push(performance.now() - startedMs);
      await end(started);
    }
    const all = (values: readonly number[]) => values.map((ms) => ms.toFixed(0)).join(', ');
    console.log(`window back: ${all(back)} ms; a first start: ${all(first)} ms; ${load()}`);
    report('window back / a first start, medians', median(back) / median(first), { atMost: 1.2 });
  } finally {
    await service.stop();
  }
}

/** Watches five nodes and three addresses. */
async function fill(profileDir: string, service: SampleService): Promise<void> {
  const nodes = await openStoreIn(profileDir);
  for (const { name, url } of service.ready.nodes)
    await nodes.health.putNode({ ...nodeOf(name), url, addedAtMs: clock.nowMs() });
  await nodes.close();
  const chain = await openStoreIn(join(profileDir, 'services', serviceFolder(service.ready.dataUrl)));
  const { accounts } = service.control.describe();
  for (const [label, address] of Object.entries(accounts).slice(0, 3)) {
    const plain = { label, tags: [], colour: 'teal', paused: false, addedAtMs: 1 } as const;
    await chain.watchlist.put({ address, ...plain, tags: [] });
  }
  await chain.close();
}

// ---- The past ----------------------------------------------------------------------------------------------------------

const tries: readonly (readonly [words: string, changed: Partial<AlertThresholds>])[] = [
  ['the defaults', {}],
  ['alert after 1', { failAfter: 1 }],
  ['alert after 5', { failAfter: 5 }],
  ['unreachable after 30 s', { silentSeconds: 30 }],
  ['unreachable after 10 min', { silentSeconds: 600 }],
];

/** What thresholds would have told of the year of the sample nodes. */
async function benchPast(home: string): Promise<void> {
  const service = await SampleService.start({ nodes: sampleNodes });
  const directory = await mkdtemp(join(home, 'past-'));
  try {
    seedPast(directory, service.pasts(), service.ready.nodes);
    const opened = await openStoreIn(directory);
    const { health: store } = opened;
    const sources = (await store.listNodes()).map(({ id, name }) => ({
      id,
      name,
      store,
      chainChecks: null,
      sinceMs: 0,
    }));
    const toMs = clock.nowMs();
    const span = { fromMs: toMs - 365 * dayMs, toMs };
    const portsOf = (known = new KnownIncidents()) => ({
      failuresOf: known.failuresOf.bind(known),
      ...{ chains: new Map(), timers },
    });
    for (const [words, changed] of tries) {
      const startedMs = performance.now();
      const told = await tryPast(sources, { ...defaultSettings.alerts, ...changed }, span, portsOf());
      const ms = performance.now() - startedMs;
      console.log(`a year of ${sources.length} nodes, ${words}: ${told.length} alerts (${ms.toFixed(0)} ms)`);
    }
    const again = performance.now();
    await tryPast(sources, defaultSettings.alerts, { fromMs: toMs - 30 * dayMs, toMs }, portsOf());
    report('thresholds tried on the last 30 days', performance.now() - again, { atMost: 500 }, ' ms');
    await opened.close();
  } finally {
    await service.stop();
  }
}

// ---- All of it ---------------------------------------------------------------------------------------------------------

const home = await mkdtemp(join(tmpdir(), 'watchkeeper-bench-'));
try {
  if (isAsked('past')) await benchPast(home);
  if (isAsked('told')) await benchTold(home);
  if (isAsked('background')) await benchBackground(home);
} finally {
  await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
