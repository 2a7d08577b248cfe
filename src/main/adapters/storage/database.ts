import { toBound } from './bind.ts';
import type { DriverConnection, DriverStatement, SqlDriver } from './driver.ts';
import {
  SqlFailure,
  toSqlFailure,
  type SqlDatabase,
  type SqlFailureKind,
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
  const database = new Database(connection, guard);
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
  readonly #statements = new Map<string, WriteStatement>();

  constructor(connection: DriverConnection, guard: Guard) {
    this.#connection = connection;
    this.#guard = guard;
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

  copyTo(path: string): void {
    this.#guard(() => this.#connection.prepare('VACUUM INTO ?').run([path]));
  }

  close(): void {
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
