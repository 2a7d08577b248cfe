import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../sqlite/database.ts';
import { loadDriver } from '../sqlite/load-driver.ts';
import { emptyEarlierStores } from './earlier-stores.ts';
import { allMigrations, latestVersion, migrate } from './migrate.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'watchkeeper-earlier-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function makeStore(name: string, version: number): string {
  const folder = join(root, name);
  mkdirSync(folder);
  const database = openDatabase(loadDriver(), join(folder, 'store.sqlite'), {
    access: 'read-write',
    busyTimeoutMs: 0,
  });
  migrate(database, allMigrations.slice(0, version));
  database.close();
  return folder;
}

/** The folders that are emptied; `empty` may be cut short. */
async function emptied(parent: string, empty: () => Promise<void> = async () => undefined) {
  const folders: string[] = [];
  await emptyEarlierStores(parent, 2, async (folder) => {
    folders.push(folder);
    await empty();
  }).catch(() => undefined);
  return folders;
}

it('finds the stores of an older layout, without opening one', async () => {
  expect(await emptied(join(root, 'missing'))).toEqual([]);
  const first = makeStore('first', 1);
  makeStore('latest', latestVersion);
  mkdirSync(join(root, 'empty'));
  mkdirSync(join(root, 'short'));
  writeFileSync(join(root, 'short', 'store.sqlite'), 'x');
  writeFileSync(join(root, 'a file'), '');
  expect(await emptied(root)).toEqual([first]);
});

it('comes again to a store that it had opened, and so brought up to date, when it was killed', async () => {
  const folder = makeStore('first', 1);
  const killed = () => {
    const database = openDatabase(loadDriver(), join(folder, 'store.sqlite'), {
      access: 'read-write',
      busyTimeoutMs: 0,
    });
    migrate(database);
    database.close();
    return Promise.reject(new Error('killed'));
  };
  expect(await emptied(root, killed)).toEqual([folder]);
  expect(await emptied(root)).toEqual([folder]);
  expect(await emptied(root)).toEqual([]);
});
