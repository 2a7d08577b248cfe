import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { loadDriver } from '../sqlite/load-driver.ts';
import { makeBackup } from './backup.ts';
import { openLadder } from './ladder.ts';

const directory = mkdtempSync(join(tmpdir(), 'watchkeeper-backup-'));
afterEach(() => rmSync(directory, { recursive: true }));

it('is not made where it would take the room of what else is written', () => {
  const driver = loadDriver(['node:sqlite']);
  openLadder({ driver, directory, nowMs: 0, busyTimeoutMs: 0, thoroughUpToBytes: 1e9 }).close();
  const backups = () => readdirSync(directory).filter((file) => file.includes('backup'));
  expect(() => makeBackup(driver, directory, 0, 50_000_000)).toThrow(
    'There is not enough room for it: 51 MB are needed.',
  );
  expect(backups()).toEqual([]);
  makeBackup(driver, directory, 0, 51_000_000);
  expect(backups()).toEqual(['store.backup.sqlite']);
});
