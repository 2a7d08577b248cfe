import { openDatabase } from '../sqlite/database.ts';
import type { SqlDriver } from '../sqlite/driver.ts';
import { existsSync } from 'node:fs';
import { sizeOf } from './files.ts';
import { applicationId, latestVersion, storeVersion, tablesOf } from './migrate.ts';
import { integer, text } from '../sqlite/row.ts';
import { SqlFailure, type SqlDatabase } from '../sqlite/sql.ts';

/**
 * `damaged` gives the reason as the end of a sentence; `newer` means a store of a later version of the app. Problems
 * that say nothing about the content (a lock, a failing disk) are thrown as `SqlFailure`.
 */
export type Examination = { result: 'missing' | 'sound' | 'newer' } | { result: 'damaged'; reason: string };

export interface ExamineOptions {
  busyTimeoutMs: number;
  /** Checks the structure of the whole file; takes 0.1 s for 100 MB that are in the system's cache. */
  thorough: boolean;
  /** Reads what the app does not start without: a file that is sound may hold what no version has written. */
  read?: ReadForStart | undefined;
}

export type ReadForStart = (database: SqlDatabase) => void;

/** Examines a store or backup without changing it or its journal. */
export function examine(driver: SqlDriver, path: string, options: ExamineOptions): Examination {
  if (!existsSync(path)) return { result: 'missing' };
  // New stores are created under another name, so an empty file is not a new one.
  if (sizeOf(path) === 0) return damaged('the file is empty');
  try {
    const { busyTimeoutMs } = options;
    const database = openDatabase(driver, path, { access: 'read-only', busyTimeoutMs });
    try {
      return examineContent(database, path, options);
    } finally {
      database.close();
    }
  } catch (cause) {
    if (cause instanceof SqlFailure && cause.kind === 'corrupt') return damaged(cause.message);
    throw cause;
  }
}

function examineContent(database: SqlDatabase, path: string, options: ExamineOptions): Examination {
  if (integer(database.pragma('application_id')[0], 'application_id') !== applicationId)
    return damaged('the file is not a store of this app');
  const version = storeVersion(database);
  if (version > latestVersion) return { result: 'newer' };
  // SQLite pads a truncated last page with zeros instead of reporting it.
  if (sizeOf(path) % integer(database.pragma('page_size')[0], 'page_size') !== 0)
    return damaged('the end of the file is missing');
  const found = new Set(database.all('SELECT name FROM sqlite_schema').map((table) => text(table, 'name')));
  const missing = tablesOf(version).find((name) => !found.has(name));
  if (missing !== undefined) return damaged(`the table ${missing} is missing`);
  // So far only the schema and the size of the file were read.
  if (!options.thorough) return { result: 'sound' };
  const words = text(database.pragma('quick_check(1)')[0], 'quick_check');
  if (words !== 'ok') return damaged(words);
  if (version === latestVersion) options.read?.(database);
  return { result: 'sound' };
}

function damaged(reason: string): Examination {
  return { result: 'damaged', reason };
}
