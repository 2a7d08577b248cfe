import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeBackup } from './backup.ts';
import { openDatabase } from '../sqlite/database.ts';
import type { DriverName } from '../sqlite/driver.ts';
import { openLadder, type LadderOptions, type OpenedDatabase } from './ladder.ts';
import { loadDriver } from '../sqlite/load-driver.ts';
import { latestVersion } from './migrate.ts';
import { storesOver } from '../testing/memory-stores.ts';
import { onFullDisk } from '../testing/full-disk.ts';
import { withNoise } from '../testing/noise.ts';

const driverNames: DriverName[] = ['node:sqlite', 'libsql'];
const nowMs = Date.UTC(2026, 2, 1, 14, 5, 9);

describe.each(driverNames)('opening a store with %s', (name) => {
  const driver = loadDriver([name]);
  let root: string;
  let directory: string;
  let store: string;
  const opened: OpenedDatabase[] = [];

  const open = (options: Partial<LadderOptions> = {}) => {
    const ladder = openLadder({
      driver,
      directory,
      nowMs,
      busyTimeoutMs: 0,
      thoroughUpToBytes: 1e9,
      ...options,
    });
    opened.push(ladder);
    return ladder;
  };

  const close = (ladder: OpenedDatabase) => {
    opened.splice(opened.indexOf(ladder), 1);
    ladder.close();
  };

  const put = (ladder: OpenedDatabase, ...keys: string[]) => {
    const { answers } = storesOver(ladder.database);
    for (const key of keys) {
      answers.write({ key, endpointId: 'e', paramsJson: '{}', bodyText: key.repeat(500), fetchedAtMs: 1 });
    }
  };

  const keysIn = (ladder: OpenedDatabase) =>
    ladder.database.all('SELECT key FROM answer ORDER BY key').map((row) => row['key']);

  /** A store that was closed in good order. */
  const fill = (...keys: string[]) => {
    const ladder = open();
    put(ladder, ...keys);
    close(ladder);
  };

  const asideFiles = () => readdirSync(directory).filter((file) => file.startsWith('store.corrupt'));

  /** Drops the version and the like into the header, as a later app would. */
  const writeHeader = (offset: number, value: number) => {
    const bytes = readFileSync(store);
    bytes.writeUInt32BE(value, offset);
    writeFileSync(store, bytes);
  };

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'watchkeeper-ladder-'));
    directory = join(root, 'a', "user's data");
    store = join(directory, 'store.sqlite');
  });

  afterEach(() => {
    for (const ladder of opened.splice(0)) ladder.close();
    rmSync(root, { recursive: true });
  });

  it('has what is stored also on a full disk', () => {
    fill('a', 'b');
    const ladder = open({ driver: onFullDisk(driver) });
    expect(ladder.state).toBe('ready');
    expect(keysIn(ladder)).toEqual(['a', 'b']);
    expect(() => close(ladder)).toThrow('full');
  });

  it('starts a store where there is none, and finds it again', () => {
    const first = open();
    expect(first).toMatchObject({ state: 'ready', notices: [], backupAtMs: null });
    put(first, 'a');
    close(first);
    const second = open();
    expect(second).toMatchObject({ state: 'ready', notices: [] });
    expect(keysIn(second)).toEqual(['a']);
  });

  it('runs with the settings that durability needs', () => {
    const { database } = open();
    expect(database.pragma('journal_mode')).toEqual([{ journal_mode: 'wal' }]);
    expect(database.pragma('synchronous')).toEqual([{ synchronous: 2n }]);
    expect(database.pragma('wal_autocheckpoint')).toEqual([{ wal_autocheckpoint: 4_000n }]);
    expect(database.pragma('foreign_keys')).toEqual([{ foreign_keys: 1n }]);
  });

  it('keeps the folder to the user alone', () => {
    open();
    expect(statSync(directory).mode & 0o077).toBe(0);
  });

  it('leaves everything in the store itself when it is closed', () => {
    fill('a');
    const copy = join(root, 'copy.sqlite');
    cpSync(store, copy);
    const database = openDatabase(driver, copy, { access: 'read-write', busyTimeoutMs: 0 });
    expect(database.all('SELECT key FROM answer')).toEqual([{ key: 'a' }]);
    database.close();
  });

  it('removes what a kill left unfinished', () => {
    fill('a');
    writeFileSync(join(directory, 'store.unfinished.sqlite'), 'half');
    writeFileSync(join(directory, 'store.backup.unfinished.sqlite-journal'), 'half');
    expect(open().notices).toEqual([]);
    expect(readdirSync(directory).filter((file) => file.includes('unfinished'))).toEqual([]);
  });

  describe('busy', () => {
    it('goes on in memory while another one owns the store, and leaves it alone', () => {
      const owner = open();
      put(owner, 'a');
      const second = open();
      expect(second.state).toBe('memory');
      expect(second.notices).toEqual([expect.stringMatching(/in use by another program.*memory only/s)]);
      put(second, 'b');
      expect(keysIn(second)).toEqual(['b']);
      expect(keysIn(owner)).toEqual(['a']);
      close(owner);
      const third = open();
      expect(third.state).toBe('ready');
      expect(keysIn(third)).toEqual(['a']);
    });

    // libsql lets go of files late, so that here nobody could have them alone.
    if (name === 'node:sqlite')
      it('does so when another program has locked the file', () => {
        fill('a');
        const other = driver.open(store, 'read-write');
        other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
        expect(open()).toMatchObject({
          state: 'memory',
          notices: [expect.stringMatching(/another program/)],
        });
        other.close();
        expect(asideFiles()).toEqual([]);
      });

    it('does not mind noise in the lock file', () => {
      fill('a');
      writeFileSync(join(directory, 'store.lock'), 'noise'.repeat(1000));
      const ladder = open();
      expect(ladder.state).toBe('ready');
      expect(open().state).toBe('memory');
    });
  });

  describe('damaged', () => {
    const damages: [string, () => void][] = [
      ['empty', () => writeFileSync(store, '')],
      ['cut inside the header', () => truncateSync(store, 50)],
      ['cut by one byte', () => truncateSync(store, statSync(store).size - 1)],
      ['cut in half', () => truncateSync(store, statSync(store).size / 2)],
      ['another kind of file', () => writeFileSync(store, 'noise'.repeat(10_000))],
      ['noise after the header', () => writeFileSync(store, withNoise(readFileSync(store), 4096, 20_000, 1))],
      ['a database of something else', () => writeHeader(68, 0)],
    ];

    it.each(damages)('%s: sets it aside, every byte, and starts a fresh store', (_what, damage) => {
      fill('a', 'b', 'c');
      damage();
      const bytes = readFileSync(store);
      const ladder = open();
      expect(ladder.state).toBe('ready');
      expect(ladder.notices).toHaveLength(1);
      const aside = join(directory, 'store.corrupt-2026-03-01T14-05-09Z.sqlite');
      expect(ladder.notices[0]).toContain(`It was set aside as ${aside}. There was no backup`);
      expect(readFileSync(aside).equals(bytes)).toBe(true);
      expect(keysIn(ladder)).toEqual([]);
      put(ladder, 'new');
      close(ladder);
      const next = open();
      expect(next).toMatchObject({ state: 'ready', notices: [] });
      expect(keysIn(next)).toEqual(['new']);
    });

    it('keeps each damaged store under a name of its own', () => {
      for (const content of ['first', 'second']) {
        fill('a');
        writeFileSync(store, content);
        close(open());
      }
      expect(asideFiles().map((file) => readFileSync(join(directory, file), 'utf8'))).toEqual([
        'second',
        'first',
      ]);
    });

    it('goes on with the last backup, says of when it is, and keeps it', () => {
      fill('a');
      makeBackup(driver, directory, nowMs - 3_600_000);
      fill('b');
      writeFileSync(store, 'noise'.repeat(10_000));
      const ladder = open();
      expect(ladder.state).toBe('ready');
      expect(ladder.notices).toEqual([
        expect.stringContaining('The backup of 2026-03-01 13:05 UTC replaces it; newer data is missing.'),
      ]);
      expect(ladder.backupAtMs).toBe(nowMs - 3_600_000);
      expect(keysIn(ladder)).toEqual(['a']);
      expect(asideFiles()).toHaveLength(1);
    });

    it('sets a damaged backup aside too', () => {
      fill('a');
      makeBackup(driver, directory, nowMs);
      writeFileSync(store, 'noise');
      writeFileSync(join(directory, 'store.backup.sqlite'), 'more noise');
      const ladder = open();
      expect(ladder.notices).toEqual([
        expect.stringMatching(/backup couldn’t be used either and was set aside as/),
      ]);
      expect(ladder.backupAtMs).toBeNull();
      expect(
        asideFiles()
          .map((file) => readFileSync(join(directory, file), 'utf8'))
          .sort(),
      ).toEqual(['more noise', 'noise']);
    });

    it('says so again when a full disk has prevented a fresh one', () => {
      fill('a');
      writeFileSync(store, 'noise');
      const full = new Error('database or disk is full');
      const ladder = open({
        driver: {
          name,
          resultCode: (cause) => (cause === full ? 13 : driver.resultCode(cause)),
          open: (path, access) => {
            if (path.includes('unfinished')) throw full;
            return driver.open(path, access);
          },
        },
      });
      expect(ladder.state).toBe('memory');
      close(ladder);
      expect(asideFiles()).toHaveLength(1);
      expect(open().notices).toEqual([
        expect.stringMatching(/was missing .* a new, empty store was started/),
      ]);
    });

    it('takes the backup when the store is missing', () => {
      fill('a');
      makeBackup(driver, directory, nowMs);
      rmSync(store);
      const ladder = open();
      expect(ladder.notices).toEqual([expect.stringMatching(/was missing .* replaces it/)]);
      expect(keysIn(ladder)).toEqual(['a']);
    });

    it('keeps a journal whose store is missing', () => {
      mkdirSync(directory, { recursive: true });
      writeFileSync(`${store}-wal`, 'journal');
      const ladder = open();
      expect(ladder.notices).toEqual([
        expect.stringMatching(/was missing .* set aside as .*-wal\. There was no backup/),
      ]);
      const aside = asideFiles();
      expect(aside).toEqual(['store.corrupt-2026-03-01T14-05-09Z.sqlite-wal']);
      expect(readFileSync(join(directory, aside[0] ?? ''), 'utf8')).toBe('journal');
    });

    it('looks at the whole of a large store only when it is under suspicion', () => {
      // Enough for the last page to be one of rows and not of the schema.
      fill(...Array.from({ length: 200 }, (_key, place) => `key ${place} `));
      writeFileSync(store, withNoise(readFileSync(store), statSync(store).size - 4096, 4096, 2));
      const trusting = open({ thoroughUpToBytes: 0 });
      expect(trusting).toMatchObject({ state: 'ready', notices: [] });
      close(trusting);
      writeFileSync(join(directory, 'store.suspect'), '');
      expect(open({ thoroughUpToBytes: 0 }).notices).toEqual([
        expect.stringMatching(/couldn’t be used .*Tree 2 page/s),
      ]);
      expect(existsSync(join(directory, 'store.suspect'))).toBe(false);
    });
  });

  describe('newer', () => {
    it('leaves the store of a later app untouched and goes on in memory', () => {
      fill('a');
      writeHeader(60, latestVersion + 1);
      const before = readFileSync(store);
      const ladder = open();
      expect(ladder.state).toBe('memory');
      expect(ladder.notices).toEqual([expect.stringMatching(/newer version of the app.*was not changed/)]);
      put(ladder, 'b');
      close(ladder);
      expect(readFileSync(store).equals(before)).toBe(true);
      expect(asideFiles()).toEqual([]);
    });

    it('does so too when only the journal says so', () => {
      const ladder = open();
      ladder.database.transaction((writer) => writer.exec(`PRAGMA user_version = ${latestVersion + 1}`));
      const copy = join(root, 'copy');
      cpSync(directory, copy, { recursive: true });
      close(ladder);
      directory = copy;
      store = join(copy, 'store.sqlite');
      const before = readFileSync(`${store}-wal`);
      expect(open()).toMatchObject({ state: 'memory', notices: [expect.stringMatching(/newer version/)] });
      expect(readFileSync(`${store}-wal`).equals(before)).toBe(true);
    });
  });

  describe('unwritable', () => {
    it('goes on in memory when the folder cannot be made', () => {
      writeFileSync(join(root, 'a'), 'a file where the folder should be');
      const ladder = open();
      expect(ladder.state).toBe('memory');
      expect(ladder.notices).toEqual([expect.stringMatching(/user's data.*memory only/s)]);
    });

    it('goes on in memory when the store cannot be opened', () => {
      mkdirSync(join(directory, 'store.lock'), { recursive: true });
      const ladder = open();
      expect(ladder.state).toBe('memory');
      expect(ladder.notices).toEqual([expect.stringMatching(/can’t be opened or written/)]);
    });
  });

  describe('a backup', () => {
    it('is a whole store, made while the store is in use', () => {
      const ladder = open();
      put(ladder, 'a');
      makeBackup(driver, directory, nowMs - 5_000);
      put(ladder, 'b');
      makeBackup(driver, directory, nowMs - 2_000);
      put(ladder, 'c');
      close(ladder);
      rmSync(store);
      rmSync(`${store}-wal`, { force: true });
      const restored = open();
      expect(restored.backupAtMs).toBe(nowMs - 2_000);
      expect(keysIn(restored)).toEqual(['a', 'b']);
    });

    it('is left alone when a new one cannot be made', () => {
      fill('a', 'b', 'c');
      makeBackup(driver, directory, nowMs);
      const backup = readFileSync(join(directory, 'store.backup.sqlite'));
      writeFileSync(store, withNoise(readFileSync(store), 8192, statSync(store).size - 8192, 3));
      expect(() => makeBackup(driver, directory, nowMs)).toThrow(/malformed/);
      expect(readFileSync(join(directory, 'store.backup.sqlite')).equals(backup)).toBe(true);
      expect(readdirSync(directory).filter((file) => file.includes('unfinished'))).toEqual([]);
    });
  });

  it('times the last backup by its file', () => {
    fill('a');
    makeBackup(driver, directory, nowMs);
    utimesSync(join(directory, 'store.backup.sqlite'), 7, 7);
    expect(open().backupAtMs).toBe(7_000);
  });
});
