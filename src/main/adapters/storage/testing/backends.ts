import { openDatabase } from '../database.ts';
import { loadDriver } from '../load-driver.ts';
import { createMemoryStores, portsInProcess } from '../memory.ts';
import { migrate } from '../migrate.ts';
import type { StorePorts } from '../store-ports.ts';
import { createSqlStores } from '../stores.ts';

/** Fresh stores of each kind: all of them keep the same contracts. */
export const backends: readonly { name: string; open: () => StorePorts }[] = [
  { name: 'node:sqlite', open: () => openSql('node:sqlite') },
  { name: 'libsql', open: () => openSql('libsql') },
  { name: 'memory', open: createMemoryStores },
];

function openSql(name: 'node:sqlite' | 'libsql'): StorePorts {
  const database = openDatabase(loadDriver([name]), ':memory:', { access: 'read-write', busyTimeoutMs: 0 });
  database.pragma('foreign_keys = ON');
  migrate(database);
  return portsInProcess(createSqlStores(database));
}
