import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadDriver } from '../sqlite/load-driver.ts';
import { makeBackup } from './backup.ts';
import { openLadder } from './ladder.ts';
import { storesOver } from '../testing/memory-stores.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'watchkeeper-backup-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const driver = loadDriver(['node:sqlite']);
const open = () => openLadder({ driver, directory, nowMs: 0, busyTimeoutMs: 0, thoroughUpToBytes: 1e9 });
const backups = () => readdirSync(directory).filter((file) => file.includes('backup'));

it('is not made where it would take the room of what else is written', () => {
  open().close();
  const withFree = (bavail: number) => ({ statFileSystem: () => ({ blocks: 1e9, bavail, bsize: 1 }) });
  expect(() => makeBackup(driver, directory, 0, withFree(50_000_000))).toThrow(
    'There is not enough disk space for it: 51 MB are needed.',
  );
  expect(backups()).toEqual([]);
  makeBackup(driver, directory, 0, withFree(51_000_000));
  expect(backups()).toEqual(['store.backup.sqlite']);
});

it.each([
  [
    'has no answer',
    () => {
      throw Object.assign(new Error('ENOSYS'), { code: 'ENOSYS', syscall: 'statfs' });
    },
  ],
  ['answers with nothing but zeros', () => ({ blocks: 0, bavail: 0, bsize: 0 })],
])('is made where the file system %s about its room', (_what, statFileSystem) => {
  open().close();
  makeBackup(driver, directory, 0, { statFileSystem });
  expect(backups()).toEqual(['store.backup.sqlite']);
});

it.each([
  ['the last one cannot be used', () => writeFileSync(join(directory, 'store.backup.sqlite'), 'noise')],
  ['there is no other, as after a crash', () => rmSync(join(directory, 'store.backup.sqlite'))],
])('from before the store shrank takes its place where %s', (_what, damage) => {
  const full = open();
  const { answers } = storesOver(full.database);
  const answer = { endpointId: 'e', paramsJson: '{}', bodyText: 'x'.repeat(1e6), fetchedAtMs: 1 };
  answers.write({ ...answer, key: 'a' });
  makeBackup(driver, directory, 5_000);
  answers.replace([], ['a']);
  makeBackup(driver, directory, 9_000);
  full.close();
  damage();
  for (const file of ['store.sqlite', 'store.sqlite-wal']) rmSync(join(directory, file), { force: true });
  const { database, notices, close } = open();
  expect(storesOver(database).answers.read('a')).not.toBeNull();
  expect(notices).toEqual([expect.stringMatching(/The backup of 1970-01-01 00:00 UTC replaces it/)]);
  close();
});
