import type { DriverName, SqlDriver } from './driver.ts';
import { loadLibsql } from './driver-libsql.ts';
import { loadNodeSqlite } from './driver-node-sqlite.ts';
import { SqlFailure } from './sql.ts';

/** The first of `names` that this runtime has. Throws `no-driver` if there is none. */
export function loadDriver(names: readonly DriverName[] = ['node:sqlite', 'libsql']): SqlDriver {
  for (const name of names) {
    const driver = name === 'libsql' ? loadLibsql() : loadNodeSqlite();
    if (driver !== null) return driver;
  }
  throw new SqlFailure('no-driver', `tried ${names.join(' and ')}`);
}
