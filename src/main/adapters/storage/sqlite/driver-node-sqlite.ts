import type { DatabaseSync } from 'node:sqlite';
import type { DriverConnection, DriverStatement, SqlDriver } from './driver.ts';

/** SQLite as it is built into Node 24 and the current Electron; null where the runtime has none. */
export function loadNodeSqlite(): SqlDriver | null {
  // The type says that it is always there, but Node 20, and so Electron 33, does not have it.
  const module = process.getBuiltinModule('node:sqlite') as typeof import('node:sqlite') | undefined;
  if (module === undefined) return null;
  return {
    name: 'node:sqlite',
    open: (path, access) => connect(new module.DatabaseSync(path, { readOnly: access === 'read-only' })),
    resultCode: (cause) =>
      cause instanceof Error && 'errcode' in cause && typeof cause.errcode === 'number'
        ? cause.errcode
        : null,
  };
}

export function connect(database: DatabaseSync): DriverConnection {
  return {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => prepare(database, sql),
    get inTransaction() {
      return database.isTransaction;
    },
    close: () => database.close(),
  };
}

function prepare(database: DatabaseSync, sql: string): DriverStatement {
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  return {
    run: (params) => Number(statement.run(...params).changes),
    insert: (params) => Number(statement.run(...params).lastInsertRowid),
    get: (params) => statement.get(...params),
    all: (params) => statement.all(...params),
    iterate: (params) => statement.iterate(...params),
  };
}
