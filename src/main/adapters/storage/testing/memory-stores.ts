import { DatabaseSync } from 'node:sqlite';
import type { DriverName, SqlDriver } from '../sqlite/driver.ts';
import { openInMemory } from '../opening/ladder.ts';
import { connect } from '../sqlite/driver-node-sqlite.ts';
import { loadDriver } from '../sqlite/load-driver.ts';
import { wordsFor, type SqlDatabase } from '../sqlite/sql.ts';
import { storageFailure } from '../thread/storage-thread.ts';
import { callStore, portsOver, type ServedStores, type StorePorts } from '../store-ports.ts';
import { createSqlStores } from '../thread/stores.ts';

/** The bytes of a new store: to make its layout anew takes ten times as long, and tests open thousands. */
let layout: Uint8Array | null = null;

export function openMemoryDatabase(drivers?: readonly DriverName[]): SqlDatabase {
  const driver = loadDriver(drivers);
  if (driver.name === 'libsql') return openInMemory(driver);
  layout ??= serializedLayout(driver);
  const database = new DatabaseSync(':memory:');
  database.deserialize(layout);
  return openInMemory({ ...driver, open: () => connect(database) });
}

function serializedLayout(driver: SqlDriver): Uint8Array {
  const database = new DatabaseSync(':memory:');
  openInMemory({ ...driver, open: () => connect(database) });
  return database.serialize();
}

/** All stores over a database; no time passes for them, so what is loaded stays. */
export function storesOver(database: SqlDatabase): ReturnType<typeof createSqlStores> {
  return createSqlStores(database, { after: () => () => undefined });
}

/** The stores of the app over a database in memory. */
export function createMemoryStores(drivers?: readonly DriverName[]): StorePorts {
  return portsInProcess(storesOver(openMemoryDatabase(drivers)));
}

/** Ports for stores on this thread. Arguments and results are copied, as between threads. */
export function portsInProcess(stores: ServedStores): StorePorts {
  return portsOver(async (call) => {
    try {
      return structuredClone(await callStore(stores, structuredClone(call)));
    } catch (cause) {
      throw storageFailure(wordsFor(cause));
    }
  });
}
