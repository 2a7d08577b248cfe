import type { DriverName } from '../sqlite/driver.ts';
import { openInMemory } from '../opening/ladder.ts';
import { loadDriver } from '../sqlite/load-driver.ts';
import { wordsFor, type SqlDatabase } from '../sqlite/sql.ts';
import { storageFailure } from '../thread/storage-thread.ts';
import { callStore, portsOver, type ServedStores, type StorePorts } from '../store-ports.ts';
import { createSqlStores } from '../thread/stores.ts';

export function openMemoryDatabase(drivers?: readonly DriverName[]): SqlDatabase {
  return openInMemory(loadDriver(drivers));
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
