/**
 * SQLite as the stores see it: two drivers behind one interface, typed reading of rows, failures in the app's own words.
 * Uses no other room.
 */
import { toBound } from './bind.ts';
import type { DriverConnection, DriverStatement, SqlDriver } from './driver.ts';
import {
  SqlFailure,
  toSqlFailure,
  type SqlDatabase,
  type SqlFailureKind,
  type SqlSnapshot,
  type SqlWriter,
  type WriteStatement,
} from './sql.ts';

export interface DatabaseOptions {
  access: 'read-write' | 'read-only';
  /** How long a statement waits for another connection's lock. */
  busyTimeoutMs: number;
}

type Guard = <T>(work: () => T) => T;

function guardOf(driver: SqlDriver): Guard {
  return (work) => {
    try {
      return work();
    } catch (cause) {
      throw readFailure(driver, cause);
    }
  };
}

/** Opens `path` (`:memory:` for none) with either driver; every failure is a `SqlFailure`. */
export function openDatabase(driver: SqlDriver, path: string, options: DatabaseOptions): SqlDatabase {
  const guard = guardOf(driver);
  const connection = guard(() => driver.open(path, options.access));
  const database = new Database(connection, guard, () => {
    if (path === ':memory:') return null;
    return new Database(
      guard(() => driver.open(path, 'read-only')),
      guard,
      () => null,
    );
  });
  database.pragma(`busy_timeout = ${Math.trunc(options.busyTimeoutMs)}`);
  return database;
}

/**
 * Locks `path`, a database that holds nothing, against every other connection, until the returned function is called or
 * the process ends, however it ends. Throws `busy` when another one keeps it for longer than `busyTimeoutMs`.
 */
export function lockFile(driver: SqlDriver, path: string, busyTimeoutMs: number): () => void {
  const guard = guardOf(driver);
  const connection = guard(() => driver.open(path, 'read-write'));
  try {
    guard(() => connection.exec(`PRAGMA busy_timeout = ${Math.trunc(busyTimeoutMs)}; BEGIN EXCLUSIVE`));
  } catch (cause) {
    connection.close();
    throw cause;
  }
  return () =>
    guard(() => {
      // Said explicitly, because the end of a connection may be late (driver-libsql.ts).
      connection.exec('ROLLBACK');
      connection.close();
    });
}

class Database implements SqlDatabase, SqlWriter {
  readonly #connection: DriverConnection;
  readonly #guard: Guard;
  readonly #openAgain: () => Database | null;
  readonly #statements = new Map<string, WriteStatement>();
  readonly #snapshots = new Set<Database>();

  /** `openAgain` opens another connection to the same file, for reading; null where there is no file. */
  constructor(connection: DriverConnection, guard: Guard, openAgain: () => Database | null) {
    this.#connection = connection;
    this.#guard = guard;
    this.#openAgain = openAgain;
  }

  prepare(sql: string): WriteStatement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = guarded(
      this.#guard(() => this.#connection.prepare(sql)),
      this.#guard,
    );
    this.#statements.set(sql, statement);
    return statement;
  }

  exec(sql: string): void {
    this.#guard(() => this.#connection.exec(sql));
  }

  pragma(text: string): ReturnType<SqlDatabase['pragma']> {
    return this.#guard(() => this.#connection.prepare(`PRAGMA ${text}`).all([]));
  }

  transaction<T>(work: (writer: SqlWriter) => T): T {
    // Taking the write lock first means that nothing read inside can have changed before it is written.
    this.exec('BEGIN IMMEDIATE');
    try {
      const result = work(this);
      this.exec('COMMIT');
      return result;
    } catch (cause) {
      // A full disk or a failing one may have rolled back already.
      if (this.#connection.inTransaction) this.exec('ROLLBACK');
      throw cause;
    }
  }

  snapshot(): SqlSnapshot {
    const other = this.#openAgain();
    if (other === null) return { prepare: (sql) => this.prepare(sql), close: () => undefined };
    this.#snapshots.add(other);
    // A transaction begins to see with its first read.
    other.exec('BEGIN');
    other.prepare('SELECT 1 AS one FROM sqlite_schema LIMIT 1').get();
    return {
      prepare: (sql) => other.prepare(sql),
      close: () => {
        if (this.#snapshots.delete(other)) other.close();
      },
    };
  }

  copyTo(path: string): void {
    this.#guard(() => this.#connection.prepare('VACUUM INTO ?').run([path]));
  }

  close(): void {
    for (const snapshot of this.#snapshots) snapshot.close();
    this.#snapshots.clear();
    // Said explicitly, because the end of a connection may be late (driver-libsql.ts).
    if (this.#connection.inTransaction) this.exec('ROLLBACK');
    this.#statements.clear();
    this.#guard(() => this.#connection.close());
  }
}

function guarded(statement: DriverStatement, guard: Guard): WriteStatement {
  return {
    run: (...params) => guard(() => statement.run(params.map(toBound))),
    insert: (...params) => guard(() => statement.insert(params.map(toBound))),
    get: (...params) => guard(() => statement.get(params.map(toBound))),
    all: (...params) => guard(() => statement.all(params.map(toBound))),
    iterate: function* (...params) {
      const rows = guard(() => statement.iterate(params.map(toBound)));
      try {
        for (;;) {
          const next = guard(() => rows.next());
          if (next.done === true) return;
          yield next.value;
        }
      } finally {
        rows.return?.();
      }
    },
  };
}

/** Primary result codes of SQLite, the low byte of extended ones. */
const kindByCode: ReadonlyMap<number, SqlFailureKind> = new Map([
  [5, 'busy'],
  [6, 'busy'],
  [8, 'unwritable'],
  [10, 'io'],
  [11, 'corrupt'],
  [13, 'disk-full'],
  [14, 'unwritable'],
  [18, 'value'],
  [19, 'value'],
  [23, 'unwritable'],
  [26, 'corrupt'],
]);

const foreignKeyViolation = 787;

function readFailure(driver: SqlDriver, cause: unknown): SqlFailure {
  if (cause instanceof SqlFailure) return cause;
  const code = driver.resultCode(cause);
  if (code === null) return toSqlFailure(cause);
  if (code === foreignKeyViolation) return new SqlFailure('missing-parent', '', { cause });
  const message = cause instanceof Error ? cause.message : '';
  return new SqlFailure(kindByCode.get(code & 0xff) ?? 'defect', message, { cause });
}
