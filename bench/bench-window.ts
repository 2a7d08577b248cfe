import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { Watchkeeper } from '../e2e/pages/watchkeeper.ts';
import { Profile, type RunningApp } from '../e2e/running-app.ts';
import { SampleService } from '../e2e/sample-service.ts';
import { serviceFolder } from '../src/main/adapters/storage/opening/service-folder.ts';
import { everything } from '../src/shared/activity/filter.ts';
import { exporterInto, isAsked, load, openStoreIn, median, percentile, report } from './bench-harness.ts';
import { storeNode } from './bench-window-node.ts';
import { storeRows } from './bench-window-rows.ts';

/**
 * The window of the built app: how smoothly a fling through a million rows is drawn, compared with an empty page scrolled in the
 * same window, how soon a day of a node is loaded, and the time and memory of exporting all rows.
 */

/** `BENCH_ROWS` makes it shorter, and so does one of the parts `day`, `fling` and `export`. */
const rowCount = Number(process.env['BENCH_ROWS'] ?? 1_000_000);
const flings = 3;
const flingMs = 10_000;
/** About 150 rows a second. */
const pxPerSecond = 6_000;

// ---- Fling -------------------------------------------------------------------------------------------------------------

interface Fling {
  /** The time between two frames. */
  framesMs: number[];
  mostRows: number;
  /** The share of drawn rows whose content was not loaded yet. */
  lateShare: number;
  /** From the last scroll until the frame in which all rows on the screen have their content. */
  restMs: number;
}

/** Runs in the page: scrolls at a constant speed for a time, each frame by the time since the last one. */
function fling({
  selector,
  fromShare,
  pxPerSecond,
  forMs,
}: {
  selector: string;
  fromShare: number;
  pxPerSecond: number;
  forMs: number;
}): Promise<Fling> {
  const scroller = document.querySelector(selector);
  if (scroller === null) throw new Error('There is nothing to scroll.');
  scroller.scrollTop = (scroller.scrollHeight - scroller.clientHeight) * fromShare;
  const framesMs: number[] = [];
  let mostRows = 0;
  let seen = 0;
  let late = 0;
  return new Promise((resolve) => {
    let startedMs: number | null = null;
    let lastMs = 0;
    const onFrame = (nowMs: number) => {
      startedMs ??= nowMs;
      if (lastMs > 0) {
        framesMs.push(nowMs - lastMs);
        scroller.scrollTop += (pxPerSecond * (nowMs - lastMs)) / 1000;
      }
      lastMs = nowMs;
      if (framesMs.length % 10 === 0) {
        const rows = scroller.querySelectorAll('[data-place]');
        mostRows = Math.max(mostRows, rows.length);
        seen += rows.length;
        late += scroller.querySelectorAll('[data-place] > .loading').length;
      }
      if (nowMs - startedMs < forMs) requestAnimationFrame(onFrame);
      else atRest(nowMs);
    };
    const atRest = (sinceMs: number) =>
      requestAnimationFrame((nowMs) => {
        if (scroller.querySelector('[data-place] > .loading') !== null) atRest(sinceMs);
        else
          resolve({ framesMs, mostRows, lateShare: seen === 0 ? 0 : late / seen, restMs: nowMs - sinceMs });
      });
    // Waits until the rows at the start are drawn.
    setTimeout(() => requestAnimationFrame(onFrame), 1_000);
  });
}

/** Runs in the page: replaces its content by an empty scroller of the same size and height as that of the rows. */
function emptyThePage(selector: string): void {
  const rows = document.querySelector(selector);
  if (rows === null) throw new Error('There is nothing to replace.');
  const scroller = document.createElement('div');
  const content = document.createElement('div');
  scroller.id = 'empty';
  scroller.style.cssText = `width: ${rows.clientWidth}px; height: ${rows.clientHeight}px; overflow-y: scroll`;
  content.style.height = `${rows.scrollHeight}px`;
  scroller.append(content);
  document.body.replaceChildren(scroller);
}

const grid = '[role="grid"]';

interface Flung {
  rows: Fling[];
  empty: Fling[];
}

/** Does each fling through the rows, and then through an empty page in the same window. */
async function flingBoth(
  page: Page,
  hasShown: () => Promise<void>,
  asked: readonly { fromShare: number; pxPerSecond: number }[],
): Promise<Flung> {
  const flung: Flung = { rows: [], empty: [] };
  for (const one of asked) {
    await hasShown();
    flung.rows.push(await page.evaluate(fling, { ...one, forMs: flingMs, selector: grid }));
    await page.evaluate(emptyThePage, grid);
    flung.empty.push(await page.evaluate(fling, { ...one, forMs: flingMs, selector: '#empty' }));
    await page.reload();
  }
  return flung;
}

function reportFlung(what: string, { rows, empty }: Flung): void {
  const frames = (of: readonly Fling[]) => of.flatMap(({ framesMs }) => framesMs);
  const words = (of: readonly Fling[]) =>
    `frames p50 ${percentile(frames(of), 0.5).toFixed(1)} ms, p95 ${percentile(frames(of), 0.95).toFixed(1)} ms, p99 ${percentile(frames(of), 0.99).toFixed(1)} ms, ${((frames(of).length / of.length / flingMs) * 1000).toFixed(0)} a second`;
  console.log(`${what}, an empty page: ${words(empty)}`);
  console.log(`${what}, ${rowCount} rows: ${words(rows)}; ${load()}`);
  report(`${what}: rows in the page`, Math.max(...rows.map(({ mostRows }) => mostRows)), { atMost: 60 });
  report(
    `${what}: p95 of a frame while the rows are flung / an empty page`,
    percentile(frames(rows), 0.95) / percentile(frames(empty), 0.95),
    { atMost: 1.25 },
  );
  report(
    `${what}: what comes to rest is there, slowest`,
    Math.max(...rows.map(({ restMs }) => restMs)),
    { atMost: 100 },
    ' ms',
  );
}

const lateShare = ({ rows }: Flung) => 100 * Math.max(...rows.map((one) => one.lateShare));

async function benchFling(page: Page, hasShown: () => Promise<void>): Promise<void> {
  const places = Array.from({ length: flings }, (_value, n) => ({ fromShare: n / flings, pxPerSecond }));
  const flung = await flingBoth(page, hasShown, places);
  const name = `${flings} flings of ${flingMs / 1000} s, ${pxPerSecond} px/s`;
  reportFlung(name, flung);
  report(`${name}: rows drawn whose content was not there yet`, lateShare(flung), { atMost: 5 }, ' %');

  await hasShown();
  const height = await page.evaluate((selector) => document.querySelector(selector)?.scrollHeight ?? 0, grid);
  const whole = await flingBoth(page, hasShown, [{ fromShare: 0, pxPerSecond: (height / flingMs) * 1000 }]);
  const all = `one fling through the whole list in ${flingMs / 1000} s`;
  reportFlung(all, whole);
  // Every frame shows other rows, so content is loaded only where the fling ends.
  console.log(
    `${all}: ${lateShare(whole).toFixed(0)} % of the rows were drawn before their content was there`,
  );
}

// ---- A day of a node ---------------------------------------------------------------------------------------------------

/** Runs in the page: makes the calls for opening a day through the bridge; returns their time in ms. */
async function openDay({ id, fromMs, toMs }: { id: string; fromMs: number; toMs: number }): Promise<number> {
  const bridge = window.watchkeeper;
  const startedMs = performance.now();
  const [strips, , changes] = await Promise.all([
    bridge.invoke('nodes.strips', { id, fromMs, toMs, cellCount: 288, limit: 26 }),
    bridge.invoke('nodes.uptime', { id, fromMs, toMs }),
    bridge.invoke('nodes.moments', { id, fromMs, toMs: toMs - 1, limit: 20_000 }),
  ]);
  if (!strips.ok || !changes.ok) throw new Error('The day could not be read.');
  const atMs = changes.value.moments.at(-1)?.atMs ?? toMs;
  const shown = await bridge.invoke('nodes.reportAt', { id, atMs });
  if (!shown.ok || !shown.value?.report?.checks.some(({ message }) => message !== null)) {
    throw new Error('The day has no messages.');
  }
  return performance.now() - startedMs;
}

async function benchDay(page: Page, daysOfNode: readonly { id: string; fromMs: number; toMs: number }[]) {
  const times: number[] = [];
  for (const day of daysOfNode) times.push(await page.evaluate(openDay, day));
  console.log(
    `days of a node through the bridge: ${times.map((ms) => ms.toFixed(0)).join(', ')} ms; ${load()}`,
  );
  console.log(`the median: ${median(times).toFixed(0)} ms`);
  report(
    `a day of a node opened for the first time, through the bridge, slowest of ${times.length}`,
    Math.max(...times),
    { atMost: 100 },
    ' ms',
  );
}

// ---- Export ------------------------------------------------------------------------------------------------------------

/** The time of the same export of the same store in Node, with the driver of the app's runtime; in seconds. */
async function exportInNode(profileDir: string, dataUrl: string): Promise<number> {
  const directory = join(profileDir, 'services', serviceFolder(dataUrl));
  const store = await openStoreIn(directory, { drivers: ['libsql'] });
  await store.activity.prepare();
  const { exporting, remove } = exporterInto(store.activity, join(profileDir, 'node.csv'));
  const startedMs = performance.now();
  await exporting.start({ filter: { ...everything, showHidden: true }, format: 'csv' });
  const seconds = (performance.now() - startedMs) / 1000;
  console.log(`export of ${rowCount} rows in Node: ${seconds.toFixed(1)} s; ${load()}`);
  await store.close();
  await remove();
  return seconds;
}

/** The time of exporting all rows, and the memory that the main process and its threads take meanwhile. */
async function benchExport(running: RunningApp, folder: string, nodeSeconds: number): Promise<void> {
  const app = new Watchkeeper(running.page);
  await app.go('Activity');
  await app.row().waitFor();
  // As in Node, the index of the rows is there before: the first filter or export after a start waits for it.
  const pills = [{ field: 'direction' as const, not: false, values: ['out'] }];
  await running.page.evaluate(
    (filter) => window.watchkeeper.invoke('activity.rows', { filter, offset: 0, anchor: null, limit: 1 }),
    { ...everything, pills },
  );
  await running.saveTo(join(folder, 'all.csv'));
  // From the system: calling the main process meanwhile could fail, as its garbage collector may drop the call's object.
  const memory = () => 1024 * Number(execFileSync('ps', ['-o', 'rss=', '-p', String(running.pid)]));
  const startBytes = memory();
  let mostBytes = startBytes;
  const startedMs = performance.now();
  await app.exportActivity('CSV', true);
  const written = running.page.getByText(/Saved .* transactions to /);
  while (!(await written.isVisible())) {
    if (performance.now() - startedMs > 300_000) throw new Error('The export from the window does not end.');
    mostBytes = Math.max(mostBytes, memory());
    // Seldom: what looks on takes part of the processor.
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  const seconds = (performance.now() - startedMs) / 1000;
  const { size } = await stat(join(folder, 'all.csv'));
  console.log(`${(size / 1e6).toFixed(0)} MB, ${(size / rowCount).toFixed(0)} bytes a row; ${load()}`);
  report(`export of ${rowCount} rows from the window`, seconds, { atMost: 20 }, ' s');
  report('the same / the same export in Node', seconds / nodeSeconds, { atMost: 1.1 });
  report('memory of the main process for it', (mostBytes - startBytes) / 1e6, { atMost: 50 }, ' MB');
}

// ---- All of it ---------------------------------------------------------------------------------------------------------

const home = await mkdtemp(join(tmpdir(), 'watchkeeper-bench-'));
const service = await SampleService.start({ limits: false });
const full = new Profile(join(home, 'full'));
try {
  await full.useService(service);
  const seedStartMs = performance.now();
  await storeRows(full.dir, service, 0, rowCount);
  const daysOfNode = isAsked('day') ? await storeNode(full.dir) : [];
  const nodeSeconds = isAsked('export') ? await exportInNode(full.dir, service.ready.dataUrl) : null;
  const running = await full.launch({ drawing: 'usual' });
  const app = new Watchkeeper(running.page);
  if (isAsked('day')) {
    // As a user comes to a day: over the panel of its node, and not while the app still starts.
    await app.go('Nodes');
    await app.node('node-0').waitFor();
    await running.page.waitForTimeout(2_000);
    await benchDay(running.page, daysOfNode);
  }
  const hasShown = async () => {
    await app.go('Activity');
    await app.row().waitFor();
  };
  if (isAsked('fling')) await benchFling(running.page, hasShown);
  if (nodeSeconds !== null) await benchExport(running, home, nodeSeconds);
  console.log(`it took ${((performance.now() - seedStartMs) / 1000).toFixed(0)} s`);
} finally {
  await full.closeAll();
  await service.stop();
  await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
