import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../sqlite/database.ts';
import { isJournalDamaged } from './journal.ts';
import { loadDriver } from '../sqlite/load-driver.ts';
import type { SqlDatabase } from '../sqlite/sql.ts';
import { withNoise } from '../testing/noise.ts';

const frameBytes = 24 + 4096;

describe('the journal that a killed app left', () => {
  let directory: string;
  let path: string;
  let database: SqlDatabase;
  /** Of several commits, each of several frames. */
  let log: Buffer;

  const insert = (rows: number) =>
    database.transaction((writer) => {
      for (let row = 0; row < rows; row += 1) {
        writer.prepare('INSERT INTO item (content) VALUES (?)').run('x'.repeat(3000));
      }
    });

  const isDamaged = (bytes: Buffer) => {
    const copy = join(directory, 'copy-wal');
    writeFileSync(copy, bytes);
    return isJournalDamaged(copy);
  };

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'watchkeeper-journal-'));
    path = join(directory, 'a.sqlite');
    database = openDatabase(loadDriver(['node:sqlite']), path, { access: 'read-write', busyTimeoutMs: 0 });
    database.pragma('journal_mode = WAL');
    database.pragma('wal_autocheckpoint = 0');
    database.transaction((writer) => writer.exec('CREATE TABLE item (content TEXT) STRICT'));
    for (let commit = 0; commit < 6; commit += 1) insert(5);
    log = readFileSync(`${path}-wal`);
  });

  afterAll(() => {
    database.close();
    rmSync(directory, { recursive: true });
  });

  it('is sound as it is, or when there is none', () => {
    expect(isDamaged(log)).toBe(false);
    expect(isDamaged(Buffer.alloc(0))).toBe(false);
    expect(isJournalDamaged(join(directory, 'missing'))).toBe(false);
  });

  it('is sound when it ends anywhere, which is how a kill ends it', () => {
    for (let length = 0; length <= log.length; length += 1009)
      expect(isDamaged(log.subarray(0, length))).toBe(false);
  });

  it('is damaged when its header is not readable', () => {
    for (const at of [0, 4, 8, 12, 16, 20, 24, 28]) expect(isDamaged(withNoise(log, at, 4, at))).toBe(true);
  });

  it('is damaged when a commit stands behind a frame that is not readable', () => {
    const lastFrame = log.length - frameBytes;
    for (let at = 32; at < lastFrame; at += 997)
      expect(isDamaged(withNoise(log, at, 64, at)), `${at}`).toBe(true);
  });

  it('is sound when only the last frame is torn', () => {
    expect(isDamaged(withNoise(log, log.length - frameBytes + 500, 64, 1))).toBe(false);
  });

  it('is sound when it was begun anew over an older one', () => {
    database.pragma('wal_checkpoint(RESTART)');
    insert(2);
    const begunAnew = readFileSync(`${path}-wal`);
    expect(begunAnew.length).toBe(log.length);
    expect(isDamaged(begunAnew)).toBe(false);
    expect(isDamaged(withNoise(begunAnew, 32 + 100, 64, 1))).toBe(true);
  });

  it('is sound when a transaction that was never committed is in it', () => {
    database.pragma('cache_size = 10');
    const copy = join(directory, 'uncommitted-wal');
    database.transaction((writer) => {
      // More than the cache holds, and the same pages again, so that frames are written over before any commit.
      for (const content of ['y', 'z', 'y']) {
        writer.prepare('UPDATE item SET content = ?').run(content.repeat(3000));
      }
      copyFileSync(`${path}-wal`, copy);
    });
    expect(readFileSync(copy).length).toBeGreaterThan(32 + 20 * frameBytes);
    expect(isJournalDamaged(copy)).toBe(false);
  });
});
