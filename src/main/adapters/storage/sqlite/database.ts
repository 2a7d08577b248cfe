import { toBound } from './bind.ts';
import type { BoundParam, DriverConnection, DriverStatement, SqlDriver } from './driver.ts';
import {
  SqlFailure,
  toSqlFailure,
  type SqlDatabase,
  type SqlFailureKind,
  type SqlParam,
  type SqlRow,
  type SqlSnapshot,
  type SqlWriter,
} from './sql.ts';

export interface DatabaseOptions {
  access: 'read-write' | 'read-only';
  /** How long a statement waits for another connection's lock. */
  busyTimeoutMs: number;
}

/** Opens `path` (or `:memory:`) with either driver; throws only `SqlFailure`. */
export function openDatabase(driver: SqlDriver, path: string, options: DatabaseOptions): SqlDatabase {
  return new Database(driver, path, options);
}

/**
 * Locks an empty database at `path` against all other connections until the returned function is called or the process
 * ends. Throws `busy` when another connection holds the lock for longer than `busyTimeoutMs`.
 */
export function lockFile(driver: SqlDriver, path: string, busyTimeoutMs: number): () => void {
  const database = new Database(driver, path, { access: 'read-write', busyTimeoutMs });
  try {
    // Its journal, in which nothing is ever written, would need room on a disk that may be full.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (cause) {
    database.close();
    throw cause;
  }
  return () => database.close();
}

class Database implements SqlDatabase, SqlWriter {
  readonly #driver: SqlDriver;
  readonly #path: string;
  readonly #connection: DriverConnection;
  readonly #statements = new Map<string, DriverStatement>();
  readonly #snapshots = new Set<Database>();

  constructor(driver: SqlDriver, path: string, { access, busyTimeoutMs }: DatabaseOptions) {
    this.#driver = driver;
    this.#path = path;
    this.#connection = this.#guard(() => driver.open(path, access));
    this.pragma(`busy_timeout = ${Math.trunc(busyTimeoutMs)}`);
  }

  #guard<T>(work: () => T): T {
    try {
      return work();
    } catch (cause) {
      throw readFailure(this.#driver, cause);
    }
  }

  #do<T>(
    sql: string,
    params: readonly SqlParam[],
    work: (statement: DriverStatement, params: BoundParam[]) => T,
  ): T {
    return this.#guard(() => {
      const statement = this.#statements.get(sql) ?? this.#connection.prepare(sql);
      this.#statements.set(sql, statement);
      return work(statement, params.map(toBound));
    });
  }

  get(sql: string, params: readonly SqlParam[] = []): SqlRow | undefined {
    return this.#do(sql, params, (statement, bound) => statement.get(bound));
  }

  all(sql: string, params: readonly SqlParam[] = []): SqlRow[] {
    return this.#do(sql, params, (statement, bound) => statement.all(bound));
  }

  *iterate(sql: string, params: readonly SqlParam[] = []): Generator<SqlRow, void> {
    const rows = this.#do(sql, params, (statement, bound) => statement.iterate(bound));
    try {
      for (;;) {
        const next = this.#guard(() => rows.next());
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      rows.return?.();
    }
  }

  run(sql: string, params: readonly SqlParam[] = []): number {
    return this.#do(sql, params, (statement, bound) => statement.run(bound));
  }

  insert(sql: string, params: readonly SqlParam[]): number {
    return this.#do(sql, params, (statement, bound) => statement.insert(bound));
  }

  exec(sql: string): void {
    this.#guard(() => this.#connection.exec(sql));
  }

  pragma(text: string): ReturnType<SqlDatabase['pragma']> {
    return this.#guard(() => this.#connection.prepare(`PRAGMA ${text}`).all([]));
  }

  transaction<T>(work: (writer: SqlWriter) => T): T {
    // Takes the write lock first, so that nothing read in the transaction can change before it is written.
    this.exec('BEGIN IMMEDIATE');
    try {
      const result = work(this);
      this.exec('COMMIT');
      return result;
    } catch (cause) {
      // A full or failing disk may have caused a rollback already.
      if (this.#connection.inTransaction) this.exec('ROLLBACK');
      throw cause;
    }
  }

  snapshot(): SqlSnapshot {
    if (this.#path === ':memory:') return { reader: this, close: () => undefined };
    const other = new Database(this.#driver, this.#path, { access: 'read-only', busyTimeoutMs: 0 });
    this.#snapshots.add(other);
    // A transaction's snapshot begins with its first read.
    other.exec('BEGIN');
    other.get('SELECT 1 AS one FROM sqlite_schema LIMIT 1');
    return {
      reader: other,
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
    // Explicit, because the connection may close late (driver-libsql.ts).
    if (this.#connection.inTransaction) this.exec('ROLLBACK');
    this.#statements.clear();
    this.#guard(() => this.#connection.close());
  }
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
  // Of what is stored: nothing else is read as JSON by SQLite.
  const kind = message.includes('malformed JSON') ? 'corrupt' : kindByCode.get(code & 0xff);
  return new SqlFailure(kind ?? 'defect', message, { cause });
}
