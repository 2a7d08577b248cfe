import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../sqlite/database.ts';
import { loadDriver } from '../sqlite/load-driver.ts';
import { createErrorLog, createManualTimers, fixedClock } from '../testing/ports.ts';
import { sampleAddress, sampleNode, samplePage } from '../testing/sample-data.ts';
import { openStore, type OpenStoreOptions } from './open-store.ts';
import { openMemoryDatabase, storesOver } from '../testing/memory-stores.ts';
import { workerUrl } from '../testing/worker-url.ts';
import { readForStart } from './stores.ts';

let directory: string;
const asides = () => readdirSync(directory).filter((name) => name.startsWith('store.corrupt-'));
const open = (options: Partial<OpenStoreOptions> = {}) =>
  openStore({
    directory,
    workerUrl,
    clock: fixedClock(0),
    timers: createManualTimers(),
    log: createErrorLog().log,
    drivers: ['node:sqlite'],
    busyTimeoutMs: 0,
    ...options,
  });

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'watchkeeper-unreadable-'));
});

afterEach(() => rmSync(directory, { recursive: true }));

it.each([
  ['its backup takes its place', true],
  ['an empty one does where the backup cannot be read either', false],
])('a sound store whose nodes cannot be read is set aside; %s', async (_what, isBackedUp) => {
  const store = await open();
  await store.health.putNode(sampleNode());
  if (isBackedUp) await store.backup();
  await store.close();
  const file = join(directory, 'store.sqlite');
  const database = openDatabase(loadDriver(['node:sqlite']), file, {
    access: 'read-write',
    busyTimeoutMs: 0,
  });
  database.transaction((writer) =>
    writer.run(`UPDATE health_node SET node_json = json_remove(node_json, '$.tags')`),
  );
  database.close();

  const unread = await open();
  // It takes the place of no backup that can be read.
  await expect(unread.backup()).rejects.toThrow('damaged');
  if (!isBackedUp) copyFileSync(file, join(directory, 'store.backup.sqlite'));
  await expect(unread.health.listNodes()).rejects.toThrow('sets it aside if it can’t be used');
  expect(asides()).toEqual([]);
  await unread.close();

  // As by Try again.
  const next = await open();
  expect(next.status).toMatchObject({ state: 'ready', notices: [expect.stringMatching(/set aside as/)] });
  expect(await next.health.listNodes()).toEqual(isBackedUp ? [sampleNode()] : []);
  expect(asides()).toHaveLength(isBackedUp ? 1 : 2);
  await next.close();
  const last = await open();
  expect(last.status.notices).toEqual([]);
  await last.close();
});

it.each([
  ['an address', `UPDATE watch_address SET address_json = json_remove(address_json, '$.tags')`],
  ['its chains', `UPDATE watch_address SET chains_json = '{'`],
  ['a name', `UPDATE book_entry SET entry_json = json_remove(entry_json, '$.name')`],
  ['how far a list is fetched', `UPDATE activity_list SET sync_json = '{}'`],
  ['a choice for a token', `UPDATE token_decision SET token_json = '1'`],
])('a service does not open without %s, so its store is looked at for that', (_what, damage) => {
  const database = openMemoryDatabase(['node:sqlite']);
  const { watchlist, book, activity } = storesOver(database);
  const { address } = sampleAddress();
  watchlist.put(sampleAddress());
  watchlist.writeChains(address, { indexedJson: '[]', unindexedIds: [], fetchedAtMs: 1, newSinceMs: {} });
  book.put({ address, name: 'Alice', note: null, changedAtMs: 1 });
  activity.savePage(samplePage());
  activity.judgeToken('token', 'hide');
  const read = () => readForStart(database, createManualTimers());
  read();
  database.transaction((writer) => writer.exec(damage));
  expect(read).toThrow('unexpected content');
});

it('a store of a service whose address cannot be read gives way to its backup', async () => {
  const store = await open();
  await store.watchlist.put(sampleAddress());
  await store.backup();
  await store.close();
  const database = openDatabase(loadDriver(['node:sqlite']), join(directory, 'store.sqlite'), {
    access: 'read-write',
    busyTimeoutMs: 0,
  });
  database.transaction((writer) => writer.exec(`UPDATE watch_address SET address_json = '{}'`));
  database.close();

  const unread = await open();
  await expect(unread.watchlist.list()).rejects.toThrow('sets it aside if it can’t be used');
  await unread.close();
  const next = await open();
  expect(await next.watchlist.list()).toEqual([sampleAddress()]);
  expect(asides()).toHaveLength(1);
  await next.close();
});

const withoutTable = (name: string) => (file: string) => {
  const database = openDatabase(loadDriver(['node:sqlite']), file, {
    access: 'read-write',
    busyTimeoutMs: 0,
  });
  database.transaction((writer) => writer.exec(`DROP ${name}`));
  database.close();
};
/** Bytes that a disk has changed. */
const withoutJson = (file: string) =>
  writeFileSync(file, readFileSync(file, 'latin1').replaceAll('"tags":[]', '"tags"[[]'), 'latin1');

it.each([
  [
    'a table is missing',
    { thoroughUpToBytes: 0 },
    withoutTable('TABLE health_node'),
    /health_node is missing/,
  ],
  ['a view is missing', { thoroughUpToBytes: 0 }, withoutTable('VIEW watched'), /watched is missing/],
  ['what is stored as JSON is none', {}, withoutJson, /malformed JSON/],
])('a store is set aside by its next start where %s', async (_what, options, damage, why) => {
  const store = await open();
  await store.health.putNode(sampleNode());
  await store.backup();
  await store.close();
  damage(join(directory, 'store.sqlite'));
  const next = await open(options);
  expect(next.status.notices).toEqual([expect.stringMatching(why)]);
  expect(await next.health.listNodes()).toEqual([sampleNode()]);
  expect(asides()).toHaveLength(1);
  await next.close();
});
