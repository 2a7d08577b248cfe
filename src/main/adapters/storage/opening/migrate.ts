import type { Migration } from './migrations/migration.ts';
import { migrations as allMigrations } from './migrations/registry.ts';
import { integer } from '../sqlite/row.ts';
import { SqlFailure, type SqlDatabase } from '../sqlite/sql.ts';

/** Marks a file as a store of this app ("WKPR"), in SQLite's own header field for it. */
export const applicationId = 0x574b5053;

/** The layout that this version of the app writes. */
export const latestVersion = allMigrations.length;

/** The layout of an open store; 0 for an empty file. */
export function storeVersion(database: SqlDatabase): number {
  const row = database.pragma('user_version')[0];
  return row === undefined ? 0 : integer(row, 'user_version');
}

/**
 * Brings an open store to the newest layout, step by step; a step that fails leaves the store at the one before.
 * Throws `newer` for a store that a later version of the app wrote, without touching it.
 */
export function migrate(database: SqlDatabase, migrations: readonly Migration[] = allMigrations): void {
  const version = storeVersion(database);
  if (version > migrations.length) throw new SqlFailure('newer', '');
  for (const migration of migrations.slice(version)) apply(database, migration);
}

function apply(database: SqlDatabase, migration: Migration): void {
  database.transaction((writer) => {
    writer.exec(migration.sql);
    // PRAGMA takes no parameters; both are integers of our own.
    writer.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${migration.version}`);
  });
}
