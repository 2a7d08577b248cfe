import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright/test';
import { Watchkeeper } from '../e2e/pages/watchkeeper.ts';
import { Profile, projectDir, runtimePath } from '../e2e/running-app.ts';
import { SampleService } from '../e2e/sample-service.ts';
import { clock, isAsked, load, median, openStoreIn, percentile, report } from './bench-harness.ts';
import { nodeOf } from './bench-node-history.ts';
import { storeRows } from './bench-window-rows.ts';
import { memoryOf, processorMsOf, treeOf } from './process-tree.ts';

/**
 * What the built app costs, compared with a bare window of the same runtime in the same run: the time until its window
 * is shown, how soon it responds with a long timeline, how soon sample data is there, its memory and processor time while
 * idle with five nodes, how soon another view is shown, and the size of the window's code.
 */

/** `BENCH_ROWS` and `BENCH_MINUTES` make it shorter, and so does one of the parts named at the end. */
const rowCount = Number(process.env['BENCH_ROWS'] ?? 400_000);
const idleMinutes = Number(process.env['BENCH_MINUTES'] ?? 10);
/** The first part of the idle time, in which work of the start may still go on. */
const settlingMs = 30_000;
const starts = 5;
const nodeCount = 5;
const sampleStarts = 3;
const roundsOfViews = 20;

const bareWindow = join(import.meta.dirname, 'bare-window');
const tellShown = join(import.meta.dirname, 'tell-shown.cjs');

// ---- Start -------------------------------------------------------------------------------------------------------------

interface Shown {
  child: ChildProcess;
  ms: number;
}

/** Starts an app as a desktop does, and waits until its window is shown. */
async function show(program: string, profileDir: string): Promise<Shown> {
  const startedMs = performance.now();
  const child = spawn(
    runtimePath,
    ['-r', tellShown, '--no-sandbox', `--user-data-dir=${profileDir}`, program],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  for await (const line of createInterface(child.stdout)) {
    if (line === 'window shown') return { child, ms: performance.now() - startedMs };
  }
  throw new Error(`${program} ended without a window.`);
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

const inWords = (values: readonly number[]) => values.map((ms) => ms.toFixed(0)).join(', ');

/** Times of two works in turn. The first of each, which makes what a profile has from then on, is not counted. */
async function inTurn(one: () => Promise<number>, other: () => Promise<number>) {
  const times: { ones: number[]; others: number[] } = { ones: [], others: [] };
  for (let n = 0; n <= starts; n += 1) {
    const [oneMs, otherMs] = [await one(), await other()];
    if (n === 0) continue;
    times.ones.push(oneMs);
    times.others.push(otherMs);
  }
  return times;
}

async function benchShown(profileDir: string, bareDir: string): Promise<void> {
  const shownMs = async (program: string, directory: string) => {
    const { child, ms } = await show(program, directory);
    await end(child);
    return ms;
  };
  const { ones: bare, others: app } = await inTurn(
    () => shownMs(bareWindow, bareDir),
    () => shownMs(projectDir, profileDir),
  );
  console.log(`window shown, bare: ${inWords(bare)} ms; app: ${inWords(app)} ms; ${load()}`);
  report('window shown / a bare window, medians', median(app) / median(bare), { atMost: 2 });
}

/** From the launch until the Activity view shows its rows and has responded to a key. */
async function startMs(profile: Profile, hasRows: boolean): Promise<number> {
  const startedMs = performance.now();
  const running = await profile.launch({ drawing: 'usual' });
  const { page } = running;
  const app = new Watchkeeper(page);
  await app.go('Activity');
  if (hasRows) {
    await page.locator('[data-place="0"] time').waitFor();
    await app.timeline.press('ArrowDown');
    await page.locator('[data-place="1"][aria-selected="true"]').waitFor();
  } else {
    await page.getByText('No addresses yet').waitFor();
    const button = page.getByRole('main').getByRole('button', { name: 'Watch an address' });
    await button.press('Tab');
    await button.and(page.locator(':not(:focus)')).waitFor();
  }
  const ms = performance.now() - startedMs;
  await running.quit();
  return ms;
}

async function benchStart(full: Profile, empty: Profile): Promise<void> {
  const { ones, others } = await inTurn(
    () => startMs(empty, false),
    () => startMs(full, true),
  );
  console.log(`${starts} starts with an empty profile: ${inWords(ones)} ms`);
  console.log(`${starts} starts with ${rowCount} rows: ${inWords(others)} ms; ${load()}`);
  report(
    `start to a timeline of ${rowCount} rows that answers / start with an empty profile, medians`,
    median(others) / median(ones),
    { atMost: 1.15 },
  );
}

// ---- Views -------------------------------------------------------------------------------------------------------------

/** By view, an element of its main part that exists once the content is loaded. */
const contents: Record<string, string> = {
  Overview: '[aria-labelledby="nodes"]',
  Activity: '[data-place="0"] time',
  Nodes: 'article table',
  Explore: 'nav[aria-label="Endpoints and node calls"]',
  Settings: 'section',
};

/** Runs in the page: from the click until the frame after the one with the content. */
function switchTo({ view, content }: { view: string; content: string }): Promise<number> {
  const button = document.querySelector<HTMLButtonElement>(`nav button[aria-label="${view}"]`);
  if (button === null) throw new Error(`There is no view ${view}.`);
  const startedMs = performance.now();
  button.click();
  return new Promise((resolve) => {
    const onFrame = () => {
      if (document.querySelector(`main ${content}`) === null) requestAnimationFrame(onFrame);
      else requestAnimationFrame(() => resolve(performance.now() - startedMs));
    };
    requestAnimationFrame(onFrame);
  });
}

async function benchViews(page: Page): Promise<void> {
  // Each view is drawn once before it is measured.
  const app = new Watchkeeper(page);
  for (const view of ['Overview', 'Activity', 'Nodes', 'Explore', 'Settings'] as const) {
    await app.go(view);
    await page.locator(`main ${contents[view]}`).first().waitFor();
  }
  const times: number[] = [];
  for (let round = 0; round < roundsOfViews; round += 1) {
    for (const [view, content] of Object.entries(contents)) {
      times.push(await page.evaluate(switchTo, { view, content }));
    }
  }
  const byView = Object.keys(contents).map((view, index) => {
    const own = times.filter((_ms, place) => place % Object.keys(contents).length === index);
    return `${view} ${median(own).toFixed(0)}`;
  });
  console.log(`medians: ${byView.join(', ')} ms`);
  console.log(
    `${times.length} changes of the view: p50 ${percentile(times, 0.5).toFixed(0)} ms, slowest ${Math.max(...times).toFixed(0)} ms; ${load()}`,
  );
  report('another view is there with its content, p95', percentile(times, 0.95), { atMost: 100 }, ' ms');
}

// ---- Left alone --------------------------------------------------------------------------------------------------------

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Leaves an app alone, after its start; returns what it uses then. */
async function leaveAlone(program: string, profileDir: string) {
  const { child } = await show(program, profileDir);
  const tree = () => treeOf(child.pid ?? 0);
  try {
    await wait(settlingMs);
    const startedMs = performance.now();
    const usedMs = await processorMsOf(await tree());
    await wait(idleMinutes * 60_000 - settlingMs);
    const pids = await tree();
    const passedMs = performance.now() - startedMs;
    const percent = (100 * ((await processorMsOf(pids)) - usedMs)) / passedMs;
    return { processes: pids.length, percent, bytes: await memoryOf(pids) };
  } finally {
    await end(child);
  }
}

/** One after the other: of two that run at once, each counts half of the pages of the runtime that they share. */
async function benchIdle(profileDir: string, bareDir: string): Promise<void> {
  const bare = await leaveAlone(bareWindow, bareDir);
  const app = await leaveAlone(projectDir, profileDir);
  const words = ({ processes, bytes }: typeof app) =>
    `${processes} processes with ${(bytes / 1e6).toFixed(0)} MB`;
  console.log(`after ${idleMinutes} minutes: ${words(app)}, bare ${words(bare)}; ${load()}`);
  report(`memory with ${rowCount} rows and ${nodeCount} nodes / a bare window`, app.bytes / bare.bytes, {
    atMost: 1.6,
  });
  report(`processor of one core while ${nodeCount} nodes are watched`, app.percent, { atMost: 0.5 }, ' %');
}

// ---- Sample data -------------------------------------------------------------------------------------------------------

/** From the window that says that sample data is being made until its nodes are shown, with their year of past. */
async function benchSampleData(parentDir: string): Promise<void> {
  const times: number[] = [];
  for (let n = 0; n < sampleStarts; n += 1) {
    const running = await new Profile(await mkdtemp(join(parentDir, 'sample-'))).launch({
      args: ['--sample-data'],
      drawing: 'usual',
    });
    const { page } = running;
    await page.getByText('Generating a year of sample history').waitFor();
    const startedMs = performance.now();
    await page.getByRole('article').filter({ hasText: 'harbor-1' }).first().waitFor();
    times.push(performance.now() - startedMs);
    await running.quit();
  }
  console.log(`sample data is there after ${inWords(times)} ms; ${load()}`);
  report('sample data is made and shown', median(times), { atMost: 3_000 }, ' ms');
}

// ---- Size --------------------------------------------------------------------------------------------------------------

async function benchSize(): Promise<void> {
  const folder = join(projectDir, 'out', 'renderer', 'assets');
  let bytes = 0;
  let packedBytes = 0;
  for (const name of await readdir(folder)) {
    if (!/\.(js|css)$/.test(name)) continue;
    const file = await readFile(join(folder, name));
    bytes += file.length;
    packedBytes += gzipSync(file).length;
  }
  console.log(`scripts and styles of the window: ${(bytes / 1e3).toFixed(0)} kB`);
  report('scripts and styles of the window, compressed', packedBytes / 1e3, { atMost: 300 }, ' kB');
}

// ---- All of it ---------------------------------------------------------------------------------------------------------

const home = await mkdtemp(join(tmpdir(), 'watchkeeper-bench-'));
const names = Array.from({ length: nodeCount }, (_value, index) => `node-${index + 1}`);
const service = await SampleService.start({
  limits: false,
  nodes: names.map((name) => ({ name, scenario: 'healthy' })),
});
const full = new Profile(join(home, 'full'));
const empty = new Profile(join(home, 'empty'));
const bareDir = join(home, 'bare');
try {
  if (isAsked('size')) await benchSize();
  if (isAsked('sample')) await benchSampleData(home);
  await full.useService(service);
  await empty.useService(service);
  await storeRows(full.dir, service, 0, rowCount);
  const store = await openStoreIn(full.dir);
  for (const { name, url } of service.ready.nodes) {
    await store.health.putNode({ ...nodeOf(name), url, addedAtMs: clock.nowMs() });
  }
  await store.close();
  if (isAsked('shown')) await benchShown(full.dir, bareDir);
  if (isAsked('start')) await benchStart(full, empty);
  if (isAsked('views')) {
    const running = await full.launch({ drawing: 'usual' });
    await benchViews(running.page);
    await running.quit();
  }
  if (isAsked('idle')) await benchIdle(full.dir, bareDir);
} finally {
  await full.closeAll();
  await empty.closeAll();
  await service.stop();
  await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
