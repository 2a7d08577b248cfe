import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../sqlite/database.ts';
import { loadDriver } from '../sqlite/load-driver.ts';
import { foldersOfEarlierStores } from './earlier-stores.ts';
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

it('finds the stores of an older layout, without opening one', () => {
  expect(foldersOfEarlierStores(join(root, 'missing'), 2)).toEqual([]);
  const first = makeStore('first', 1);
  makeStore('latest', latestVersion);
  mkdirSync(join(root, 'empty'));
  mkdirSync(join(root, 'short'));
  writeFileSync(join(root, 'short', 'store.sqlite'), 'x');
  writeFileSync(join(root, 'a file'), '');
  expect(foldersOfEarlierStores(root, 2)).toEqual([first]);
});
