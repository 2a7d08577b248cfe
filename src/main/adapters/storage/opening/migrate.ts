import { firstLayout } from './migrations/0001-first-layout.ts';
import { pastQueries } from './migrations/0002-past-queries.ts';
import { firstSeen } from './migrations/0003-first-seen.ts';
import { wishesAndDoubts } from './migrations/0004-wishes-and-doubts.ts';
import { otherSides } from './migrations/0005-other-sides.ts';
import { fees } from './migrations/0006-fees.ts';
import { alerts } from './migrations/0007-alerts.ts';
import { integer } from '../sqlite/row.ts';
import { SqlFailure, type SqlDatabase } from '../sqlite/sql.ts';

/** Identifies a file as a store of this app, in SQLite's header field for that. */
export const applicationId = 0x574b5054;

/**
 * The migrations as SQL: the first leads to version 1. Released ones never change; a new one is a new numbered file,
 * added at the end. Each runs in one transaction together with the new version number, with foreign keys on: tables
 * that others refer to must be altered in place, since dropping them deletes the rows that refer to them.
 */
export const allMigrations: readonly string[] = [
  firstLayout,
  pastQueries,
  firstSeen,
  wishesAndDoubts,
  otherSides,
  fees,
  alerts,
];

/** The layout version of this version of the app. */
export const latestVersion = allMigrations.length;

/** The tables and views of a layout; none was ever removed. */
export function tablesOf(version: number): string[] {
  const created = /^CREATE (?:TABLE|VIEW) (\w+)/gm;
  const before = allMigrations.slice(0, version);
  return before.flatMap((sql) => Array.from(sql.matchAll(created), ([, name = '']) => name));
}

/** The layout version of an open store; 0 for an empty file. */
export function storeVersion(database: SqlDatabase): number {
  return integer(database.pragma('user_version')[0], 'user_version');
}

/**
 * Migrates an open store to the latest version, step by step; a failed step leaves it at the version before. Throws
 * `newer`, without changing anything, for a store that a later version of the app wrote.
 */
export function migrate(database: SqlDatabase, migrations: readonly string[] = allMigrations): void {
  const version = storeVersion(database);
  if (version > migrations.length) throw new SqlFailure('newer', '');
  for (const [step, sql] of migrations.entries()) {
    if (step < version) continue;
    database.transaction((writer) => {
      writer.exec(sql);
      // PRAGMA takes no parameters; both values are constants of the app.
      writer.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${step + 1}`);
    });
  }
}
