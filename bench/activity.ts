import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import type { ActivityStore, ListPage, StoredRow } from '../src/main/core/activity-ports.ts';
import type { HttpClient } from '../src/main/core/ports.ts';
import type { ActivityExportFormat } from '../src/main/core/activity/export/export-text.ts';
import { everything, type ActivityFilter } from '../src/shared/activity/filter.ts';
import { addresses, chains, newestMs, rowAt, tagsOf } from './bench-activity-rows.ts';
import { PlainTable, randomPill, shown } from './bench-plain-table.ts';
import {
  clock,
  createClient,
  exporterInto,
  isAsked,
  load,
  median,
  openBenchStore,
  percentile,
  report,
  syncWhole,
} from './bench-harness.ts';

/**
 * The store of the timeline: rows from the bytes of a body to the disk; and with a million rows the first use of a filter, any
 * filter of three pills against SQL over a table that has an index for each column, and exporting all of them.
 */

/** `BENCH_ROWS` makes it shorter. */
const rowCount = Number(process.env['BENCH_ROWS'] ?? 1_000_000);
/** As many as a walk stores at once while the disk is slower than the network. */
const pageRows = 1_000;
const pagesUnderWay = 4;
const filterCount = 60;
/** As many as the window asks for. */
const firstRows = 50;

/** Pages as a walk stores them: newest first, each of one list. */
function pagesFrom(place: number): ListPage[] {
  const pages = new Map<string, StoredRow[]>();
  for (let n = place; n < place + pageRows * 20 && n < rowCount; n += 1) {
    const row = rowAt(n);
    const key = `${row.address} ${row.chainId}`;
    const rows = pages.get(key);
    if (rows === undefined) pages.set(key, [row]);
    else rows.push(row);
  }
  return [...pages.values()].map((rows) => ({
    address: rows[0]?.address ?? '',
    chainId: rows[0]?.chainId ?? '',
    list: 'transactions',
    rows,
    records: [],
    sync: { covered: [], reachedStart: false, checkedAtMs: newestMs },
    proof: null,
    walkAtMs: 1,
    sweep: [],
    doubts: 0,
  }));
}

/** Stores all rows, and also writes them into a plain table. */
async function fill(store: ActivityStore, plain: PlainTable): Promise<void> {
  let writtenMs = 0;
  for (let place = 0; place < rowCount; place += pageRows * 20) {
    const pages = pagesFrom(place);
    for (const { rows } of pages) plain.add(rows);
    const startedMs = performance.now();
    const lanes = Array.from({ length: pagesUnderWay }, async () => {
      for (let page = pages.pop(); page !== undefined; page = pages.pop()) await store.savePage(page);
    });
    await Promise.all(lanes);
    writtenMs += performance.now() - startedMs;
  }
  plain.index();
  console.log(`${rowCount} rows that were read before are written at ${perSecond(rowCount, writtenMs)}`);
}

/** Of a stored row, on average. */
const meanRowBytes = Math.round(
  Array.from({ length: 1_000 }, (_value, n) => rowAt(n).transactionJson.length).reduce(
    (sum, bytes) => sum + bytes,
    0,
  ) / 1_000,
);

const perSecond = (rows: number, ms: number) => `${(rows / (ms / 1000)).toFixed(0)} a second`;

// ---- Ingest ------------------------------------------------------------------------------------------------------------

const ingestPages = Math.min(2_000, Math.ceil(rowCount / 100));

/** The bodies of the list's pages as received. */
function bodiesOf(address: string, pages: number): Buffer[] {
  return Array.from({ length: pages }, (_value, page) => {
    const elements = Array.from({ length: 100 }, (_row, n) => {
      const row = rowAt(page * 100 + n);
      return row.transactionJson.replaceAll(row.address, address);
    });
    const next = page + 1 < pages ? `"nextPageToken":"${page + 1}",` : '';
    return Buffer.from(`{${next}"transactions":[${elements.join(',')}]}`);
  });
}

/**
 * From the body's bytes to the disk: walks as in the app, two at a time, through lists whose pages arrive at
 * once. Includes decoding, spam rules, proofs and writes.
 */
async function benchIngest(): Promise<void> {
  const { store, remove } = await openBenchStore();
  const refs = addresses
    .slice(0, 2)
    .flatMap((address) =>
      chains.slice(0, 2).map((chainId) => ({ address, chainId, list: 'transactions' as const })),
    );
  for (const address of addresses.slice(0, 2)) {
    await store.watchlist.put({ address, label: null, tags: [], colour: null, paused: false, addedAtMs: 1 });
  }
  const pages = Math.ceil(ingestPages / refs.length);
  const bodies = new Map(
    refs.map(({ address, chainId }) => [`${chainId} ${address}`, bodiesOf(address, pages)]),
  );
  const http: HttpClient = {
    send: ({ url }) => {
      const { pathname, searchParams } = new URL(url);
      const [, , , chainId, , address] = pathname.split('/');
      const bytes = bodies.get(`${chainId} ${address}`)?.[Number(searchParams.get('pageToken') ?? 0)];
      if (bytes === undefined) throw new Error(`There is no page ${url}.`);
      const body = bytes.toString();
      return Promise.resolve({ kind: 'response', status: 200, headers: {}, body, byteLength: bytes.length });
    },
  };
  const ready = { dataUrl: 'http://127.0.0.1:1', metricsUrl: 'http://127.0.0.1:1', apiKey: 'k' };
  const { service } = createClient({ ready, http });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const before = process.cpuUsage();
  const startedMs = performance.now();
  const waiting = [...refs];
  const lane = async () => {
    for (let ref = waiting.pop(); ref !== undefined; ref = waiting.pop()) {
      await syncWhole({ store: store.activity, service, clock }, ref, 'backfill');
    }
  };
  await Promise.all([lane(), lane()]);
  const ms = performance.now() - startedMs;
  delay.disable();
  const { user, system } = process.cpuUsage(before);
  const { totalCount } = await store.activity.readRows({
    filter: { ...everything, showHidden: true },
    offset: 0,
    anchor: null,
    limit: 1,
  });
  if (totalCount !== refs.length * pages * 100) throw new Error(`There are ${totalCount} rows.`);
  console.log(
    `${totalCount} rows from the bytes to the disk: ${((user + system) / totalCount).toFixed(0)} µs of the processor each; ${load()}`,
  );
  report('rows a second from the bytes to the disk', totalCount / (ms / 1000), { atLeast: 20_000 });
  report('event-loop delay meanwhile, p99', delay.percentile(99) / 1e6, { atMost: 20 }, ' ms');
  await remove();
}

// ---- Filters -----------------------------------------------------------------------------------------------------------

async function benchFilters(store: ActivityStore, plain: PlainTable): Promise<void> {
  const times: number[] = [];
  const ratios: number[] = [];
  const bareTimes: number[] = [];
  const used = new Set<string>();
  for (let n = 0; n < filterCount; n += 1) {
    const chosen = Array.from({ length: 3 }, () => randomPill(rowCount));
    const pills = chosen.map(({ pill }) => pill);
    for (const { field } of pills) used.add(field);
    // Filters by "hidden" need hidden rows shown. Text searches are not compared, since bare SQL has no usable index for them.
    const showHidden = pills.some(({ field }) => field === 'hidden');
    const isBare = n % 8 !== 7;
    const filter: ActivityFilter = { pills, text: isBare ? '' : 'tok4', showHidden };
    const startedMs = performance.now();
    const page = await store.readRows({ filter, offset: 0, anchor: null, limit: firstRows });
    const ms = performance.now() - startedMs;
    times.push(ms);
    if (!isBare) continue;
    const conditions = [...(showHidden ? [] : [shown]), ...chosen.map(({ condition }) => condition)];
    const bareStartMs = performance.now();
    const { rows, total } = plain.find(conditions, firstRows);
    const bareMs = performance.now() - bareStartMs;
    bareTimes.push(bareMs);
    ratios.push(ms / bareMs);
    if (rows !== page.rows.length || total !== page.totalCount) {
      throw new Error(`The store has ${page.totalCount}, the table ${total}: ${JSON.stringify(filter)}`);
    }
  }
  if (used.size !== 15) throw new Error(`Only ${used.size} fields were used.`);
  console.log(
    `${filterCount} filters of three pills: first rows and count p50 ${median(times).toFixed(1)} ms; bare SQL p50 ${median(bareTimes).toFixed(0)} ms, p95 ${percentile(bareTimes, 0.95).toFixed(0)} ms`,
  );
  // One call returns both, so the stricter bound applies to both.
  report(
    'first rows and count of any filter of three pills, p95',
    percentile(times, 0.95),
    { atMost: 50 },
    ' ms',
  );
  report('the same / bare SQL, median', median(ratios), { atMost: 1.5 });
  // Nobody sees the difference where both are quick.
  const losses = ratios.map(
    (ratio, n) => (ratio * (bareTimes[n] ?? 0)) / Math.max(20, 1.5 * (bareTimes[n] ?? 0)),
  );
  report('the same / the longer of 20 ms and 1.5 times bare SQL, worst', Math.max(...losses), { atMost: 1 });
}

/** Rows in any other order than newest first, with each filter once: as fast as a filter. */
async function benchOrders(store: ActivityStore): Promise<void> {
  const [row] = (await store.readRows({ filter: everything, offset: 0, anchor: null, limit: 1 })).rows;
  const token = (await store.values({ field: 'token', text: '', limit: 1 }))[0]?.value ?? '';
  if (row === undefined) throw new Error('There are no rows.');
  const pills = [
    [],
    [{ field: 'token' as const, not: false, values: [token] }],
    [{ field: 'chain' as const, not: false, values: [row.chainId] }],
  ];
  const times: number[] = [];
  for (const pill of pills) {
    for (const by of ['time', 'amount', 'fee'] as const) {
      for (const ascending of [true, false]) {
        for (const showHidden of [true, false]) {
          const filter = { pills: pill, text: '', showHidden, order: { by, ascending } };
          const startedMs = performance.now();
          await store.readRows({ filter, offset: 0, anchor: null, limit: firstRows });
          times.push(performance.now() - startedMs);
        }
      }
    }
  }
  console.log(
    `${times.length} orders: first rows p50 ${median(times).toFixed(1)} ms, longest ${Math.max(...times).toFixed(0)} ms`,
  );
  report('first rows and count in any order, p95', percentile(times, 0.95), { atMost: 50 }, ' ms');
}

// ---- Export ------------------------------------------------------------------------------------------------------------

/** Exports as the app does, into a file, and measures the event-loop delay meanwhile. */
async function exportAll(
  store: ActivityStore,
  directory: string,
  format: ActivityExportFormat,
  meanwhile = '',
): Promise<void> {
  const path = join(directory, `rows.${format}`);
  const startBytes = process.memoryUsage().rss;
  let mostBytes = startBytes;
  const { exporting } = exporterInto(store, path, () => {
    mostBytes = Math.max(mostBytes, process.memoryUsage().rss);
  });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const startedMs = performance.now();
  const written = await exporting.start({ filter: { ...everything, showHidden: true }, format });
  const seconds = (performance.now() - startedMs) / 1000;
  delay.disable();
  if (written === null || written.count < rowCount) throw new Error(`${written?.count} rows were exported.`);
  // No bound here: most of the memory is V8's space for new objects, which is larger in Node than in Electron. The window's
  // benchmark has the bound, for the app itself.
  console.log(
    `${format}: ${((await stat(path)).size / 1e6).toFixed(0)} MB from rows of ${meanRowBytes} bytes, ${((mostBytes - startBytes) / 1e6).toFixed(0)} MB of memory`,
  );
  report(`export of all rows, ${format}${meanwhile}`, seconds, { atMost: 20 }, ' s');
  report('event-loop delay meanwhile, p99', delay.percentile(99) / 1e6, { atMost: 20 }, ' ms');
}

/** Exports while pages of a walk are stored at the pace that the service allows without a key, 300 a minute. */
async function exportBesideSync(store: ActivityStore, directory: string): Promise<void> {
  const end = new AbortController();
  let place = rowCount;
  const walk = async () => {
    while (!end.signal.aborted) {
      const row = rowAt(place);
      const rows = Array.from({ length: 100 }, (_value, n) => ({
        ...rowAt(place + n),
        address: row.address,
        chainId: row.chainId,
      }));
      place += rows.length;
      const { address, chainId } = row;
      const sync = { covered: [], reachedStart: false, checkedAtMs: newestMs };
      await store.savePage({
        address,
        chainId,
        list: 'transactions',
        rows,
        records: [],
        sync,
        proof: null,
        walkAtMs: 1,
        sweep: [],
        doubts: 0,
      });
      await setTimeout(200);
    }
  };
  const walking = walk();
  await exportAll(store, directory, 'csv', ', beside a sync');
  end.abort();
  await walking;
  console.log(`${place - rowCount} rows were stored meanwhile`);
}

if (isAsked('ingest')) await benchIngest();
const { store, directory, remove } = await openBenchStore();
for (const address of addresses) {
  const tags = tagsOf(address);
  await store.watchlist.put({ address, label: null, tags, colour: null, paused: false, addedAtMs: 1 });
}
const plain = new PlainTable(join(directory, 'plain.sqlite'));
await fill(store.activity, plain);

const firstStartMs = performance.now();
await store.activity.readRows({ filter: everything, offset: 0, anchor: null, limit: firstRows });
report('first rows without a filter', performance.now() - firstStartMs, { atMost: 50 }, ' ms');

const loadStartMs = performance.now();
const loading = store.activity.prepare();
const waits: number[] = [];
const end = new AbortController();
void loading.then(() => end.abort());
do {
  const startedMs = performance.now();
  await store.answers.read('none');
  waits.push(performance.now() - startedMs);
} while (!end.signal.aborted);
report(
  'the index of all rows, loaded when it is first needed',
  performance.now() - loadStartMs,
  { atMost: 5_000 },
  ' ms',
);
report('longest wait of other calls meanwhile', Math.max(...waits), { atMost: 200 }, ' ms');

if (isAsked('filters')) {
  await benchFilters(store.activity, plain);
  await benchOrders(store.activity);
}
plain.close();
if (isAsked('export')) {
  for (const format of ['csv', 'jsonl'] as const) await exportAll(store.activity, directory, format);
  await exportBesideSync(store.activity, directory);
}
await remove();
