import { firstLayout } from './migrations/0001-first-layout.ts';
import { integer } from '../sqlite/row.ts';
import { SqlFailure, type SqlDatabase } from '../sqlite/sql.ts';

/** Marks a file as a store of this app, in SQLite's own header field for it. */
export const applicationId = 0x574b5054;

/** What stores of builds before the first release are marked with. */
export const testBuildIds: readonly number[] = [0x574b5052, 0x574b5053];

/**
 * The steps to the layout of now, each as SQL: the first is version 1. Released steps never change; a new one is a new numbered
 * file, added at the end. Each runs in one transaction together with the new version number, with foreign keys on: a table that
 * others refer to is changed in place, for dropping it deletes their rows.
 */
export const allMigrations: readonly string[] = [firstLayout];

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
export function migrate(database: SqlDatabase, migrations: readonly string[] = allMigrations): void {
  const version = storeVersion(database);
  if (version > migrations.length) throw new SqlFailure('newer', '');
  for (const [step, sql] of migrations.entries()) if (step >= version) apply(database, sql, step + 1);
}

function apply(database: SqlDatabase, sql: string, version: number): void {
  database.transaction((writer) => {
    writer.exec(sql);
    // PRAGMA takes no parameters; both are integers of our own.
    writer.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version}`);
  });
}
