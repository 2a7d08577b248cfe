import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../sqlite/database.ts';
import { loadDriver } from '../sqlite/load-driver.ts';
import { createErrorLog, createManualTimers, fixedClock } from '../testing/ports.ts';
import { sampleNode } from '../testing/sample-data.ts';
import { openStore, type OpenStoreOptions } from './open-store.ts';
import { workerUrl } from '../testing/worker-url.ts';

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
  if (!isBackedUp) await unread.backup();
  await expect(unread.health.listNodes()).rejects.toThrow('set aside if need be');
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
