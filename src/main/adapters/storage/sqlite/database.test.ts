import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockFile, openDatabase } from './database.ts';
import type { DriverName } from './driver.ts';
import { loadDriver } from './load-driver.ts';
import { bytes as readBytes } from './row.ts';
import { SqlFailure, type SqlDatabase, type SqlParam } from './sql.ts';

const driverNames: DriverName[] = ['node:sqlite', 'libsql'];

describe.each(driverNames)('a database over %s', (name) => {
  const driver = loadDriver([name]);
  let directory: string;
  let path: string;
  let database: SqlDatabase;

  const open = (access: 'read-write' | 'read-only' = 'read-write') =>
    openDatabase(driver, path, { access, busyTimeoutMs: 0 });

  const failureOf = (work: () => unknown): SqlFailure => {
    try {
      work();
    } catch (cause) {
      if (cause instanceof SqlFailure) return cause;
      throw cause;
    }
    throw new Error('nothing was thrown');
  };

  const write = (sql: string, ...params: SqlParam[]) =>
    database.transaction((writer) => writer.run(sql, params));

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'watchkeeper-sql-'));
    path = join(directory, 'a.sqlite');
    database = open();
    database.pragma('journal_mode = WAL');
    database.pragma('foreign_keys = ON');
    database.transaction((writer) =>
      writer.exec(`CREATE TABLE parent (id INTEGER PRIMARY KEY) STRICT;
        CREATE TABLE item (
          id INTEGER PRIMARY KEY, name TEXT UNIQUE, amount INTEGER, share REAL,
          parent_ref INTEGER REFERENCES parent (id)
        ) STRICT;`),
    );
  });

  afterEach(() => {
    database.close();
    rmSync(directory, { recursive: true });
  });

  it('is the driver that was asked for', () => {
    expect(driver.name).toBe(name);
  });

  it.each([0n, 1n, -1n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)])(
    'returns the integer %s exactly',
    (value) => {
      write('INSERT INTO item (amount) VALUES (?)', value);
      expect(database.get('SELECT amount FROM item')).toEqual({ amount: value });
    },
  );

  it('binds whole numbers as integers, so that division is whole', () => {
    expect(database.get('SELECT ? / ? AS whole', [7, 2])).toEqual({ whole: 3n });
  });

  it('tells the row id of a row that is inserted, a given one included', () => {
    const insert = (sql: string) => database.transaction((writer) => writer.insert(sql, ['a']));
    expect(insert('INSERT INTO item (id, name) VALUES (41, ?)')).toBe(41);
    expect(insert('INSERT INTO item (share, name) VALUES (1, ? || 2)')).toBe(42);
  });

  it('keeps fractions, nulls and any text', () => {
    const text = 'ä€😀\n\u0001 \ufffd';
    write('INSERT INTO item (name, amount, share) VALUES (?, ?, ?)', text, null, 0.1);
    expect(database.all('SELECT name, amount, share FROM item')).toEqual([
      { name: text, amount: null, share: 0.1 },
    ]);
  });

  it('keeps bytes, a part of a larger buffer and none at all included', () => {
    const all = Buffer.from([9, 9, 0, 1, 0, 255]);
    database.transaction((writer) =>
      writer.exec('CREATE TABLE raw (id INTEGER PRIMARY KEY, bytes BLOB) STRICT'),
    );
    const stored = [
      new Uint8Array([0, 1, 0]),
      all.subarray(2),
      new Uint8Array(0),
      new Uint8Array(300_000).fill(7),
    ];
    for (const bytes of stored) write('INSERT INTO raw (bytes) VALUES (?)', bytes);
    const rows = database.all('SELECT bytes FROM raw ORDER BY id');
    expect(rows.map((row) => Buffer.from(readBytes(row, 'bytes')))).toEqual(
      stored.map((bytes) => Buffer.from(bytes)),
    );
    expect(database.get('SELECT bytes FROM raw WHERE bytes = ?', [stored[0] ?? null])).toEqual(rows[0]);
  });

  it.each([
    ['an integer of more than 64 bits', 2n ** 63n],
    ['a whole number that a double does not hold exactly', 2 ** 53],
    ['NaN', Number.NaN],
    ['a text that would be cut', 'a\0b'],
  ])('refuses %s', (_what, value) => {
    const failure = failureOf(() => write('INSERT INTO item (amount) VALUES (?)', value));
    expect(failure.kind).toBe('value');
    expect(database.get('SELECT count(*) AS n FROM item')).toEqual({ n: 0n });
  });

  it.each([true, undefined, {}])('refuses %s, which only a defect can pass', (value) => {
    // @ts-expect-error -- the types do not let it through either
    const failure = failureOf(() => write('INSERT INTO item (amount) VALUES (?)', value));
    expect(failure.kind).toBe('defect');
  });

  it('tells what a statement changed', () => {
    expect(write('INSERT INTO item (name) VALUES (?), (?)', 'a', 'b')).toBe(2);
    expect(write('UPDATE item SET amount = 1 WHERE name = ?', 'c')).toBe(0);
    expect(write('DELETE FROM item')).toBe(2);
  });

  it('gives nothing for no row', () => {
    expect(database.get('SELECT * FROM item')).toBeUndefined();
    expect(database.all('SELECT * FROM item')).toEqual([]);
  });

  it('iterates, and can be left and used again', () => {
    write('INSERT INTO item (amount) VALUES (1), (2), (3)');
    const amounts = 'SELECT amount FROM item ORDER BY amount';
    for (const row of database.iterate(amounts)) {
      expect(row).toEqual({ amount: 1n });
      break;
    }
    expect([...database.iterate(amounts)].map((row) => row['amount'])).toEqual([1n, 2n, 3n]);
    // An iteration that stayed open would keep the log from being emptied.
    expect(database.pragma('wal_checkpoint(TRUNCATE)')).toEqual([{ busy: 0n, log: 0n, checkpointed: 0n }]);
  });

  it('undoes all of a transaction that throws, and works on', () => {
    const reason = new Error('stop');
    const attempt = () =>
      database.transaction((writer) => {
        writer.run('INSERT INTO item (name) VALUES (?)', ['lost']);
        throw reason;
      });
    expect(attempt).toThrow(reason);
    write('INSERT INTO item (name) VALUES (?)', 'kept');
    expect(database.all('SELECT name FROM item')).toEqual([{ name: 'kept' }]);
  });

  it('can be read by another connection, which never changes the file', () => {
    write('INSERT INTO item (name) VALUES (?)', 'a');
    const reader = open('read-only');
    expect(reader.get('SELECT name FROM item')).toEqual({ name: 'a' });
    const failure = failureOf(() => reader.transaction((writer) => writer.exec('DELETE FROM item')));
    expect(failure.kind).toBe('unwritable');
    reader.close();
  });

  it('copies itself to a new file, from a reading connection too', () => {
    write('INSERT INTO item (name) VALUES (?)', 'a');
    const copyPath = join(directory, "it's a copy.sqlite");
    const reader = open('read-only');
    reader.copyTo(copyPath);
    expect(failureOf(() => reader.copyTo(copyPath)).message).toMatch(/exists/);
    reader.close();
    const copy = openDatabase(driver, copyPath, { access: 'read-only', busyTimeoutMs: 0 });
    expect(copy.all('SELECT name FROM item')).toEqual([{ name: 'a' }]);
    copy.close();
  });

  describe('failures', () => {
    it('busy: another connection writes', () => {
      const other = open();
      other.transaction(() => {
        expect(failureOf(() => database.transaction(() => null)).kind).toBe('busy');
      });
      other.close();
    });

    it('disk-full: no page is left', () => {
      database.pragma('max_page_count = 8');
      const failure = failureOf(() => write('INSERT INTO item (name) VALUES (?)', 'x'.repeat(100_000)));
      expect(failure.kind).toBe('disk-full');
      database.pragma('max_page_count = 1000');
      write('INSERT INTO item (name) VALUES (?)', 'fits');
      expect(database.all('SELECT name FROM item')).toEqual([{ name: 'fits' }]);
    });

    it('value: a column refuses what it is given', () => {
      write('INSERT INTO item (name) VALUES (?)', 'a');
      expect(failureOf(() => write('INSERT INTO item (name) VALUES (?)', 'a')).kind).toBe('value');
      expect(failureOf(() => write('INSERT INTO item (amount) VALUES (?)', 0.5)).kind).toBe('value');
      expect(failureOf(() => write('INSERT INTO item (amount) VALUES (?)', 'x')).kind).toBe('value');
    });

    it('missing-parent: what it belongs to is gone', () => {
      expect(failureOf(() => write('INSERT INTO item (parent_ref) VALUES (?)', 7)).kind).toBe(
        'missing-parent',
      );
    });

    it('defect: the statement is wrong', () => {
      expect(failureOf(() => database.get('SELECT nothing FROM nowhere')).kind).toBe('defect');
    });

    it('corrupt: the file is no database', () => {
      path = join(directory, 'noise.sqlite');
      writeFileSync(path, 'noise'.repeat(2000));
      const failure = failureOf(() => open().all('SELECT * FROM sqlite_schema'));
      expect(failure.kind).toBe('corrupt');
    });

    it('unwritable: the file cannot be opened', () => {
      path = join(directory, 'missing', 'a.sqlite');
      expect(failureOf(() => open()).kind).toBe('unwritable');
      path = join(directory, 'absent.sqlite');
      expect(failureOf(() => open('read-only').pragma('user_version')).kind).toBe('unwritable');
    });
  });

  it('locks a file until it lets go', () => {
    const lock = join(directory, 'lock');
    const release = lockFile(driver, lock, 0);
    expect(failureOf(() => lockFile(driver, lock, 0)).kind).toBe('busy');
    release();
    lockFile(driver, lock, 0)();
  });
});

describe('the choice of the driver', () => {
  it('prefers what the runtime brings', () => {
    expect(loadDriver().name).toBe('node:sqlite');
  });

  it('says so when there is none', () => {
    expect(() => loadDriver([])).toThrow(SqlFailure);
  });
});
