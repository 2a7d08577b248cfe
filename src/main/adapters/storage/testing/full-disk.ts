import type { SqlDriver } from '../sqlite/driver.ts';

/** The driver on a disk that has no room for a journal. */
export function onFullDisk(driver: SqlDriver): SqlDriver {
  const full = new Error('database or disk is full');
  const refuse = (sql: string): void => {
    const needsRoom = sql.includes('BEGIN EXCLUSIVE') && !sql.includes('journal_mode = MEMORY');
    if (needsRoom || sql.includes('wal_checkpoint')) throw full;
  };
  return {
    name: driver.name,
    resultCode: (cause) => (cause === full ? 13 : driver.resultCode(cause)),
    open: (path, access) => {
      const connection = driver.open(path, access);
      return {
        exec: (sql) => {
          refuse(sql);
          connection.exec(sql);
        },
        prepare: (sql) => {
          refuse(sql);
          return connection.prepare(sql);
        },
        get inTransaction() {
          return connection.inTransaction;
        },
        close: () => connection.close(),
      };
    },
  };
}
