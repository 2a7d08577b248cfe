import { mkdtemp, rm, stat } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { Watchkeeper } from '../e2e/pages/watchkeeper.ts';
import { Profile, type RunningApp } from '../e2e/running-app.ts';
import { SampleService } from '../e2e/sample-service.ts';
import { median, report } from './bench-house.ts';
import { storeRows } from './bench-window-rows.ts';

/**
 * The window of the built app: how long its start takes with a long timeline and with an empty profile, and how evenly a
 * fling through a million rows is drawn, against an empty page that is scrolled in the same window, and what the export of
 * all rows takes.
 */

/** Fewer by `BENCH_ROWS`, for a quick look. */
const rowCount = Number(process.env['BENCH_ROWS'] ?? 1_000_000);
const startRows = Math.min(400_000, rowCount);
const starts = 5;
const flings = 3;
const flingMs = 10_000;
/** About 150 rows a second. */
const pxPerSecond = 6_000;

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? NaN;

const load = () => `load average ${loadavg()[0]?.toFixed(1) ?? '?'}`;

// ---- Start -------------------------------------------------------------------------------------------------------------

/** From nothing until the Activity view shows what there is and has answered a key. */
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
    await page.getByText('No address yet').waitFor();
    const button = page.getByRole('main').getByRole('button', { name: 'Watch an address' });
    await button.press('Tab');
    await button.and(page.locator(':not(:focus)')).waitFor();
  }
  const ms = performance.now() - startedMs;
  await running.quit();
  return ms;
}

async function benchStart(full: Profile, empty: Profile): Promise<void> {
  const times: { full: number[]; empty: number[] } = { full: [], empty: [] };
  // The first start of each makes what a profile has from then on, and reads the program into memory.
  for (let n = 0; n <= starts; n += 1) {
    const emptyMs = await startMs(empty, false);
    const fullMs = await startMs(full, true);
    if (n === 0) continue;
    times.empty.push(emptyMs);
    times.full.push(fullMs);
  }
  const words = (values: readonly number[]) => values.map((ms) => ms.toFixed(0)).join(', ');
  console.log(`${starts} starts with an empty profile: ${words(times.empty)} ms`);
  console.log(`${starts} starts with ${startRows} rows: ${words(times.full)} ms; ${load()}`);
  report(
    `start to a timeline of ${startRows} rows that answers / start with an empty profile, medians`,
    median(times.full) / median(times.empty),
    { atMost: 1.15 },
  );
}

// ---- Fling -------------------------------------------------------------------------------------------------------------

interface Fling {
  /** Between a frame and the one before it. */
  framesMs: number[];
  mostRows: number;
  /** Of the rows that were looked at, the share whose content was not there yet. */
  lateShare: number;
}

/** Runs in the page: scrolls evenly for a time, by as much in a frame as the time since the last one asks for. */
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
      else resolve({ framesMs, mostRows, lateShare: seen === 0 ? 0 : late / seen });
    };
    // The place that it begins at is drawn first.
    setTimeout(() => requestAnimationFrame(onFrame), 1_000);
  });
}

/** Runs in the page: puts an empty one in its place, with a scroller as large and as tall as that of the rows. */
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

async function benchFling(page: Page, hasShown: () => Promise<void>): Promise<void> {
  const grid = '[role="grid"]';
  const rows: Fling[] = [];
  const empty: Fling[] = [];
  for (let n = 0; n < flings; n += 1) {
    await hasShown();
    const asked = { fromShare: n / flings, pxPerSecond, forMs: flingMs };
    rows.push(await page.evaluate(fling, { ...asked, selector: grid }));
    await page.evaluate(emptyThePage, grid);
    empty.push(await page.evaluate(fling, { ...asked, selector: '#empty' }));
    await page.reload();
  }
  const frames = (of: readonly Fling[]) => of.flatMap(({ framesMs }) => framesMs);
  const words = (of: readonly Fling[]) =>
    `frames p50 ${percentile(frames(of), 0.5).toFixed(1)} ms, p95 ${percentile(frames(of), 0.95).toFixed(1)} ms, p99 ${percentile(frames(of), 0.99).toFixed(1)} ms, ${((frames(of).length / flings / flingMs) * 1000).toFixed(0)} a second`;
  console.log(`${flings} flings of ${flingMs / 1000} s, ${pxPerSecond} px/s, an empty page: ${words(empty)}`);
  console.log(`the same through ${rowCount} rows: ${words(rows)}; ${load()}`);
  report(
    'rows drawn whose content was not there yet',
    100 * Math.max(...rows.map(({ lateShare }) => lateShare)),
    { atMost: 5 },
    ' %',
  );
  report('rows in the page', Math.max(...rows.map(({ mostRows }) => mostRows)), { atMost: 60 });
  report(
    'p95 of a frame while the rows are flung / an empty page',
    percentile(frames(rows), 0.95) / percentile(frames(empty), 0.95),
    { atMost: 1.25 },
  );
}

// ---- Export ------------------------------------------------------------------------------------------------------------

/** What the main process, its threads included, takes of memory while it writes all rows. */
async function benchExport(running: RunningApp, folder: string): Promise<void> {
  const app = new Watchkeeper(running.page);
  await app.go('Activity');
  await app.row().waitFor();
  await running.saveTo(join(folder, 'all.csv'));
  const memory = () => running.app.evaluate(() => process.memoryUsage().rss);
  const startBytes = await memory();
  let mostBytes = startBytes;
  const startedMs = performance.now();
  await app.exportActivity('CSV', true);
  const written = running.page.getByText(/ transactions written to /);
  const isOver = () => written.isVisible();
  while (!(await isOver())) {
    mostBytes = Math.max(mostBytes, await memory());
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const seconds = (performance.now() - startedMs) / 1000;
  const { size } = await stat(join(folder, 'all.csv'));
  // The bound of the time is that of `bench/activity.ts`, whose rows are of the usual length.
  console.log(
    `${rowCount} long rows exported from the window in ${seconds.toFixed(1)} s: ${(size / 1e6).toFixed(0)} MB; ${load()}`,
  );
  report('memory of the main process for it', (mostBytes - startBytes) / 1e6, { atMost: 50 }, ' MB');
}

// ---- All of it ---------------------------------------------------------------------------------------------------------

const home = await mkdtemp(join(tmpdir(), 'watchkeeper-bench-'));
const service = await SampleService.start({ limits: false });
const full = new Profile(join(home, 'full'));
const empty = new Profile(join(home, 'empty'));
try {
  await full.useService(service);
  await empty.useService(service);
  const seedStartMs = performance.now();
  await storeRows(full.dir, service, 0, startRows);
  await benchStart(full, empty);
  if (rowCount > startRows) await storeRows(full.dir, service, startRows, rowCount);
  const running = await full.launch({ drawing: 'usual' });
  const app = new Watchkeeper(running.page);
  await benchFling(running.page, async () => {
    await app.go('Activity');
    await app.row().waitFor();
  });
  await benchExport(running, home);
  console.log(`it took ${((performance.now() - seedStartMs) / 1000).toFixed(0)} s`);
} finally {
  await full.closeAll();
  await empty.closeAll();
  await service.stop();
  await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
