import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../adapters/storage/database.ts';
import { loadDriver } from '../../adapters/storage/load-driver.ts';
import type { SqlRow } from '../../adapters/storage/sql.ts';
import { mergeBlocks } from './coverage.ts';

/**
 * A process that knows the history of an address, and fetches what a deep reorganisation has made of it: the list of
 * transactions, and one without a promised order. It is killed at the request of one page, while what came before is
 * being written or has been.
 */
const syncing = `
const [core, storage, directory, runText, killText] = process.argv.slice(2);
const load = (folder, name) => import(new URL(name, folder));
const { openStore } = await load(storage, 'open-store.ts');
const { createPagingService } = await load(core, 'testing/paging-service.ts');
const { createTestClient } = await load(core, 'testing/house.ts');
const { createFakeTime } = await load(core, '../health/testing/fake-ports.ts');
const { runSync } = await load(core, 'sync-run.ts');
const run = Number(runText);
const killAt = Number(killText);
const time = createFakeTime(1_700_000_000_000 + run * 3_600_000);
const store = await openStore({
  directory, drivers: ['node:sqlite'], workerUrl: new URL('worker.ts', storage), clock: time.clock,
  timers: { after: () => () => undefined },
  log: { info() {}, warn() {}, error: (event, cause) => { console.error(event, cause); return ''; } },
});
if (store.status.state !== 'ready') throw new Error(JSON.stringify(store.status));
const address = '0x52908400098527886E0F7030069857D2E4169EE7';
let requests = 0;
const paging = createPagingService({
  maxPageSize: () => 8,
  fault: () => {
    requests += 1;
    if (requests === killAt) process.kill(process.pid, 'SIGKILL');
    return null;
  },
});
const old = Array.from({ length: 40 }, (_nothing, i) => ({ block: 900 + 2 * Math.floor(i / 2), index: i % 2, transfers: 1 + (i % 3) }));
const walk = async (what) => {
  for (const list of ['transactions', 'erc20']) {
    const ended = await runSync(
      { store: store.activity, service: createTestClient(paging.client, time), clock: time.clock },
      {
        ref: { address, chainId: '43114', list }, what, runId: 'run ' + run, native: { symbol: 'AVAX', decimals: 18 },
        signal: new AbortController().signal, firstPriority: 'user', headFreshForMs: 0, onSaved: () => undefined,
      },
    );
    if (!ended.ok) throw new Error(ended.error.message);
  }
};
if (run === 0) {
  await store.watchlist.put({ address, label: null, tags: [], colour: null, paused: false, addedAtMs: 0 });
  paging.transactions.push(...old);
} else {
  // The newest third is of other blocks, some of it is gone, and more has come.
  const kept = old.filter(({ block, index }) => block < 930 || block % 4 === 0 || index === 0);
  paging.transactions.push(...kept.map((made) => (made.block < 926 ? made : { ...made, fork: 1 })));
  for (let i = 0; i < 20; i += 1) paging.transactions.push({ block: 1_000 + i, index: 0, transfers: 2 });
}
await walk('all');
await store.close();
process.stdout.write('done');
`;

let root: string;
let script: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'watchkeeper-sync-kill-'));
  script = join(root, 'syncing.mjs');
  writeFileSync(script, syncing);
});

afterAll(() => rmSync(root, { recursive: true }));

/** Runs it; true when it came to its end, false when it was killed. */
function sync(directory: string, run: number, killAt: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const folders = ['./', '../../adapters/storage/'].map((path) => new URL(path, import.meta.url).href);
    const child = spawn(process.execPath, [script, ...folders, directory, String(run), String(killAt)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let complaints = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
    child.on('close', (code, signal) => {
      if (signal === 'SIGKILL') resolve(false);
      else if (code === 0 && output === 'done') resolve(true);
      else reject(new Error(`It ended with ${code}: ${complaints}`));
    });
  });
}

/**
 * All that is stored of histories: rows with their marks and facets, bodies, versions, records, coverage and ledger. Ids
 * and times are those of a run and left out; what was proven in several steps is one proof.
 */
function wholeStore(directory: string): Record<string, string[]> {
  const file = readdirSync(directory).find((name) => name.endsWith('.sqlite') || name.endsWith('.db'));
  const database = openDatabase(loadDriver(['node:sqlite']), join(directory, file ?? ''), {
    access: 'read-only',
    busyTimeoutMs: 0,
  });
  const rowsOf = (table: string) => database.prepare(`SELECT * FROM ${table}`).all();
  const nameBy = (table: string, name: (row: SqlRow) => string) =>
    new Map(rowsOf(table).map((row) => [String(row['id']), name(row)]));
  const lists = nameBy('activity_list', ({ list }) => `list ${String(list)}`);
  const rows = nameBy(
    'activity_row',
    ({ list_ref, tx_hash }) => `${lists.get(String(list_ref))} ${String(tx_hash)}`,
  );
  const facets = nameBy('activity_facet', ({ content_json }) => String(content_json));
  const named = (column: string, value: unknown): unknown => {
    if (value === null || column === 'address_ref' || column === 'chain_ref') return value;
    if (column === 'list_ref') return lists.get(String(value));
    if (column === 'row_ref') return rows.get(String(value));
    return column.endsWith('_ref') ? facets.get(String(value)) : value;
  };
  const told = (row: SqlRow): string =>
    JSON.stringify(
      Object.entries(row)
        .filter(([column]) => column !== 'id' && column !== 'run_id' && !column.endsWith('_at_ms'))
        .map(([column, value]) => [column, String(named(column, value))]),
    );
  const tables = ['activity_list', 'activity_row', 'activity_body', 'activity_version', 'activity_record'];
  const whole = Object.fromEntries(tables.map((table) => [table, rowsOf(table).map(told).sort()]));
  const proofs = rowsOf('activity_proof');
  whole['ledger'] = [...lists].map(([id, list]) => {
    const own = proofs.filter(({ list_ref }) => String(list_ref) === id);
    const blocks = own.map((row) => ({
      from: BigInt(String(row['from_block'])),
      to: BigInt(String(row['to_block'])),
    }));
    return `${list}: ${mergeBlocks(blocks)
      .map(({ from, to }) => `${from}-${to}`)
      .join(' ')}`;
  });
  database.close();
  return whole;
}

it('a process that is killed at every page leaves in the end what an undisturbed one does', async () => {
  const [disturbed, undisturbed] = [join(root, 'disturbed'), join(root, 'undisturbed')];
  await Promise.all([sync(disturbed, 0, 0), sync(undisturbed, 0, 0)]);
  const whole = sync(undisturbed, 1, 0);
  let isDone = false;
  let kills = 0;
  // Each begins over what the one before has left.
  for (let killAt = 1; !isDone; killAt += 1) {
    isDone = await sync(disturbed, killAt, killAt);
    if (!isDone) kills += 1;
    if (killAt > 40) throw new Error('It never comes to its end.');
  }
  await whole;
  expect(kills).toBeGreaterThanOrEqual(5);
  const stored = wholeStore(undisturbed);
  expect(stored['activity_version']?.length).toBeGreaterThan(0);
  expect(wholeStore(disturbed)).toEqual(stored);
}, 120_000);
