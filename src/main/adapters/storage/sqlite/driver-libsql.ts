import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { BoundParam, DriverConnection, DriverStatement, SqlDriver } from './driver.ts';
import type { SqlRow } from './sql.ts';

/**
 * The package `libsql`, a development dependency for the older Electron that tests may run in. Its quirks are handled
 * here or in `database.ts`: a boolean parameter aborts the process, and so do bytes as the only parameter outside a
 * list; text is cut at its first U+0000 when read; bytes are read as an `ArrayBuffer`; `close` releases the file only
 * when all statements have been garbage-collected.
 */

/** The part that is used; the package's own types are of another library. */
interface LibsqlStatement {
  run(params: BoundParam[]): { changes: number; lastInsertRowid: number | bigint };
  all(params: BoundParam[]): SqlRow[];
  safeIntegers(on: boolean): LibsqlStatement;
}

interface LibsqlDatabase {
  exec(sql: string): void;
  prepare(sql: string): LibsqlStatement;
  readonly inTransaction: boolean;
  close(): void;
}

/** Null when the package is not installed. */
export function loadLibsql(): SqlDriver | null {
  let Database: new (path: string) => LibsqlDatabase;
  try {
    // The package is untyped; the types above are written by hand.
    Database = createRequire(import.meta.url)('libsql') as typeof Database;
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'MODULE_NOT_FOUND') return null;
    throw cause;
  }
  return {
    name: 'libsql',
    open: (path, access) =>
      connect(new Database(access === 'read-only' ? `${pathToFileURL(path).href}?mode=ro` : path)),
    resultCode,
  };
}

function connect(database: LibsqlDatabase): DriverConnection {
  return {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => prepare(database, sql),
    get inTransaction() {
      return database.inTransaction;
    },
    close: () => database.close(),
  };
}

function prepare(database: LibsqlDatabase, sql: string): DriverStatement {
  const statement = database.prepare(sql).safeIntegers(true);
  // Only `all`: `get` adds a field of its own to the row, and an iteration that is left early stays open.
  return {
    run: (params) => statement.run(params).changes,
    insert: (params) => Number(statement.run(params).lastInsertRowid),
    get: (params) => statement.all(params).map(withBytes)[0],
    all: (params) => statement.all(params).map(withBytes),
    iterate: (params) => statement.all(params).map(withBytes).values(),
  };
}

function withBytes(row: SqlRow): SqlRow {
  if (!Object.values(row).some((value) => value instanceof ArrayBuffer)) return row;
  const read = (value: unknown) => (value instanceof ArrayBuffer ? new Uint8Array(value) : value);
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, read(value)]));
}

/** Errors of statements have the code as a property, those of opening only in their text. */
function resultCode(cause: unknown): number | null {
  if (!(cause instanceof Error)) return null;
  if ('rawCode' in cause && typeof cause.rawCode === 'number') return cause.rawCode;
  const [, code] = /^ConnectionFailed\(.*: (\d+)"\)$/s.exec(cause.message) ?? [];
  return code === undefined ? null : Number(code);
}
