import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { createFileSaver } from '../src/main/adapters/export/file-saver.ts';
import { loadDriver } from '../src/main/adapters/storage/load-driver.ts';
import { openDatabase } from '../src/main/adapters/storage/database.ts';
import type { SqlDatabase, SqlParam } from '../src/main/adapters/storage/sql.ts';
import type { ActivityStore, ListPage, StoredRow } from '../src/main/core/activity-ports.ts';
import { ActivityExport, type ActivityExportFormat } from '../src/main/core/activity/export-service.ts';
import { toActivityRow } from '../src/main/core/activity/stored-rows.ts';
import {
  directionValues,
  everything,
  kindValues,
  type ActivityFilter,
  type FilterPill,
} from '../src/shared/activity/filter.ts';
import { LookAlikes } from '../src/shared/activity/look-alike.ts';
import {
  addresses,
  below,
  chains,
  methods,
  newestMs,
  parties,
  pick,
  random,
  rowAt,
  statuses,
  tokens,
} from './bench-activity-rows.ts';
import { clock, log, median, openBenchStore, report } from './bench-house.ts';

/**
 * The store of the timeline with a million rows: writing them, the first use of a filter, any filter of three pills against
 * the bare SQL of the same filter, and exporting all of them.
 */

/** Fewer by `BENCH_ROWS`, for a quick look. */
const rowCount = Number(process.env['BENCH_ROWS'] ?? 1_000_000);
/** As many as the walk hands over at once while the disk is slower than the network. */
const pageRows = 1_000;
const pagesUnderWay = 4;
const filterCount = 60;
/** As many as the window asks for. */
const firstRows = 50;

/** Pages as a walk brings them: newest first, each of one list. */
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
    sync: { covered: [], reachedStart: false, resume: null, checkedAtMs: newestMs },
    proof: null,
    sweep: null,
  }));
}

/** Only the writes are timed: what makes the rows stands for the network and the decoder. */
async function ingest(store: ActivityStore): Promise<void> {
  let writtenMs = 0;
  const delay = monitorEventLoopDelay({ resolution: 1 });
  for (let place = 0; place < rowCount; place += pageRows * 20) {
    const pages = pagesFrom(place);
    await new Promise((resolve) => setImmediate(resolve));
    const startedMs = performance.now();
    delay.enable();
    const lanes = Array.from({ length: pagesUnderWay }, async () => {
      for (let page = pages.pop(); page !== undefined; page = pages.pop()) await store.savePage(page);
    });
    await Promise.all(lanes);
    delay.disable();
    writtenMs += performance.now() - startedMs;
  }
  report('rows stored a second', rowCount / (writtenMs / 1000), { atLeast: 20_000 });
  report('event-loop delay while storing, p99', delay.percentile(99) / 1e6, { atMost: 20 }, ' ms');
}

// ---- Filters -----------------------------------------------------------------------------------------------------------

interface Bare {
  where: string;
  params: SqlParam[];
}

/** A pill with its condition in SQL over the same tables. */
function randomPill(): { pill: FilterPill; bare: Bare } {
  const not = random() < 0.25;
  const place = below(9);
  const some = <T>(values: readonly T[], most: number) =>
    Array.from({ length: 1 + below(most) }, () => pick(values));
  const choice = (
    field: 'address' | 'chain' | 'kind' | 'direction' | 'counterparty' | 'method' | 'status',
    values: string[],
    where: string,
    params: SqlParam[],
  ) => ({
    pill: { field, not, values },
    bare: { where: `${not ? 'NOT ' : ''}coalesce(${where}, 0)`, params },
  });
  const list = (values: readonly unknown[]) => `(${values.map(() => '?').join(', ')})`;
  const facets = (values: readonly string[], family: number) =>
    `IN (SELECT id FROM activity_facet WHERE family = ${family} AND content_json IN ${list(values)})`;
  switch (place) {
    case 0: {
      const values = some(addresses, 2);
      return choice(
        'address',
        values,
        `address_ref IN (SELECT id FROM watch_address WHERE address IN ${list(values)})`,
        values,
      );
    }
    case 1: {
      const values = some(chains, 3);
      return choice(
        'chain',
        values,
        `chain_ref IN (SELECT id FROM chain WHERE chain_id IN ${list(values)})`,
        values,
      );
    }
    case 2: {
      const values = some(kindValues, 3);
      return choice(
        'kind',
        values,
        `kind IN ${list(values)}`,
        values.map((kind) => kindValues.indexOf(kind)),
      );
    }
    case 3: {
      const values = some(directionValues, 3);
      return choice(
        'direction',
        values,
        `direction IN ${list(values)}`,
        values.map((one) => directionValues.indexOf(one)),
      );
    }
    case 4: {
      const values = some(parties.slice(0, 200), 5);
      return choice(
        'counterparty',
        values,
        `counterparty_ref ${facets(values, 0)}`,
        values.map((one) => JSON.stringify([one, null])),
      );
    }
    case 5: {
      const values = some(methods, 20);
      return choice(
        'method',
        values,
        `method_ref ${facets(values, 2)}`,
        values.map((one) => JSON.stringify(one)),
      );
    }
    case 6: {
      const values = some(statuses, 2);
      return choice(
        'status',
        values,
        `status IN ${list(values)}`,
        values.map((one) => statuses.indexOf(one)),
      );
    }
    case 7: {
      const from = newestMs - below(rowCount) * 13_000;
      return {
        pill: { field: 'time', not, min: String(from), max: null },
        bare: { where: `${not ? 'NOT ' : ''}(timestamp_ms >= ?)`, params: [from] },
      };
    }
    default: {
      const from = 200_000_000 - below(rowCount);
      return {
        pill: { field: 'block', not, min: String(from), max: String(from + 300_000) },
        bare: { where: `${not ? 'NOT ' : ''}(block_number BETWEEN ? AND ?)`, params: [from, from + 300_000] },
      };
    }
  }
}

/** Pills that SQL has no short words for; their times count, without a ratio. */
function otherPill(): FilterPill {
  const not = random() < 0.25;
  const token = pick(tokens);
  return random() < 0.5
    ? { field: 'amount', not, min: String(below(1_000)), max: null }
    : { field: 'token', not, values: chains.map((chainId) => `${chainId} ${token.key}`) };
}

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? NaN;

async function benchFilters(store: ActivityStore, database: SqlDatabase): Promise<void> {
  const times: number[] = [];
  const ratios: number[] = [];
  const bareTimes: number[] = [];
  for (let n = 0; n < filterCount; n += 1) {
    const isBare = n % 4 !== 3;
    const chosen = Array.from({ length: 3 }, randomPill);
    const pills = chosen.map(({ pill }) => pill);
    if (!isBare) pills[2] = otherPill();
    const filter: ActivityFilter = { pills, text: !isBare && n % 8 === 7 ? 'tok4' : '', showHidden: false };
    const startedMs = performance.now();
    const page = await store.readRows({ filter, offset: 0, anchor: null, limit: firstRows });
    const ms = performance.now() - startedMs;
    times.push(ms);
    if (!isBare) continue;
    const where = ['reasons = 0', ...chosen.map(({ bare }) => bare.where)].join(' AND ');
    const params = chosen.flatMap(({ bare }) => bare.params);
    const bareStartMs = performance.now();
    const rows = database
      .prepare(
        `SELECT activity_row.*, transaction_json FROM activity_row JOIN activity_body ON row_ref = id WHERE ${where}
         ORDER BY timestamp_ms DESC, block_number DESC, block_index DESC, tx_hash DESC LIMIT ${firstRows}`,
      )
      .all(...params);
    const count = database
      .prepare(`SELECT count(*) AS total FROM activity_row WHERE ${where}`)
      .get(...params);
    const bareMs = performance.now() - bareStartMs;
    bareTimes.push(bareMs);
    ratios.push(ms / bareMs);
    if (rows.length !== page.rows.length || count?.['total'] !== BigInt(page.totalCount)) {
      throw new Error(`The store and SQL do not agree: ${JSON.stringify(filter)}`);
    }
  }
  console.log(
    `${filterCount} filters of three pills: first rows and count p50 ${median(times).toFixed(1)} ms; bare SQL p50 ${median(bareTimes).toFixed(0)} ms, p95 ${percentile(bareTimes, 0.95).toFixed(0)} ms`,
  );
  // One call answers both, so the stricter bound holds for both.
  report(
    'first rows and count of any filter of three pills, p95',
    percentile(times, 0.95),
    { atMost: 50 },
    ' ms',
  );
  report('the same / bare SQL, median', median(ratios), { atMost: 1.5 });
  report('the same / bare SQL, worst', Math.max(...ratios), { atMost: 1.5 });
}

// ---- Export ------------------------------------------------------------------------------------------------------------

/** As the app does it, into a file, beside other work that the main process may have. */
async function exportAll(
  store: ActivityStore,
  directory: string,
  format: ActivityExportFormat,
  meanwhile = '',
): Promise<void> {
  const path = join(directory, `rows.${format}`);
  const showSaveDialog = () => Promise.resolve({ canceled: false, filePath: path });
  const exporting = new ActivityExport({
    store,
    files: createFileSaver({ showSaveDialog }, () => directory),
    names: {
      nameOf: () => null,
      chainName: (chainId) => chainId,
      nativeToken: () => ({ symbol: 'AVAX', decimals: 18 }),
      lookAlikes: () => new LookAlikes([]),
    },
    readRow: toActivityRow,
    clock,
    log,
  });
  const startBytes = process.memoryUsage().rss;
  let mostBytes = startBytes;
  exporting.onChange(() => {
    mostBytes = Math.max(mostBytes, process.memoryUsage().rss);
  });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const startedMs = performance.now();
  await exporting.start({ filter: { ...everything, showHidden: true }, format });
  await exporting.idle();
  const seconds = (performance.now() - startedMs) / 1000;
  delay.disable();
  const { state, rowsWritten, totalCount } = exporting.status();
  if (state !== 'done' || rowsWritten !== totalCount || totalCount < rowCount)
    throw new Error(`The export: ${state}, ${rowsWritten} rows.`);
  // Most of the memory is room for new objects, of which Node makes more than Electron: the bound is that of the window's
  // benchmark, which looks at the app.
  console.log(
    `${format}: ${((await stat(path)).size / 1e6).toFixed(0)} MB, ${((mostBytes - startBytes) / 1e6).toFixed(0)} MB of memory`,
  );
  report(`export of all rows, ${format}${meanwhile}`, seconds, { atMost: 20 }, ' s');
  report('event-loop delay meanwhile, p99', delay.percentile(99) / 1e6, { atMost: 20 }, ' ms');
}

/** Pages of a walk at the pace that the service allows without a key, 300 a minute, until the export is over. */
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
      const sync = { covered: [], reachedStart: false, resume: null, checkedAtMs: newestMs };
      await store.savePage({
        address,
        chainId,
        list: 'transactions',
        rows,
        records: [],
        sync,
        proof: null,
        sweep: null,
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

const { store, directory, remove } = await openBenchStore();
for (const address of addresses) {
  await store.watchlist.put({ address, label: null, tags: [], colour: null, paused: false, addedAtMs: 1 });
}
await ingest(store.activity);

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

const database = openDatabase(loadDriver(['node:sqlite', 'libsql']), `${directory}/store.sqlite`, {
  access: 'read-only',
  busyTimeoutMs: 1_000,
});
await benchFilters(store.activity, database);
database.close();
for (const format of ['csv', 'jsonl'] as const) await exportAll(store.activity, directory, format);
await exportBesideSync(store.activity, directory);
await remove();
