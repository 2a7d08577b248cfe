import { renameSync, rmSync, utimesSync } from 'node:fs';
import { openDatabase } from '../sqlite/database.ts';
import type { SqlDriver } from '../sqlite/driver.ts';
import { examine } from './examine.ts';
import { discard, filesIn, putInPlace, sizeOf, type StoreFiles } from './files.ts';
import { SqlFailure } from '../sqlite/sql.ts';

/** How long a checkpoint of the store's own connection is waited for. */
const busyTimeoutMs = 10_000;

/** A backup with less than this share of what one before it held does not take its place. */
const farLess = 0.5;

/**
 * Copies the store into its backup over a connection that only reads, so the store's own connection writes on meanwhile.
 * The copy takes the backup's place when it has been checked as a whole; its time of writing is `nowMs`. Copying reads
 * every page of the tables, so damage that was not seen at the start of the app is found here, as a `corrupt` failure.
 * Returns a sentence for the user where an earlier backup that holds far more is kept beside it, else null.
 */
export function makeBackup(driver: SqlDriver, directory: string, nowMs: number): string | null {
  const files = filesIn(directory);
  discard(files.unfinishedBackup);
  try {
    const store = openDatabase(driver, files.store, { access: 'read-only', busyTimeoutMs });
    try {
      store.copyTo(files.unfinishedBackup);
    } finally {
      store.close();
    }
    const copy = examine(driver, files.unfinishedBackup, { busyTimeoutMs, thorough: true });
    if (copy.result !== 'sound') {
      throw new SqlFailure('io', `the backup is ${copy.result}${'reason' in copy ? `, ${copy.reason}` : ''}`);
    }
    utimesSync(files.unfinishedBackup, nowMs / 1000, nowMs / 1000);
    const notice = keepLarger(files, sizeOf(files.unfinishedBackup));
    putInPlace(files.unfinishedBackup, files.backup, directory);
    return notice;
  } finally {
    // Renamed when all went well; what failed on a full disk must not keep it full.
    discard(files.unfinishedBackup);
  }
}

/** Whatever made the store lose most of what it held, the last copy of that is not overwritten. */
function keepLarger(files: StoreFiles, newBytes: number): string | null {
  if (newBytes < sizeOf(files.backup) * farLess && sizeOf(files.backup) > sizeOf(files.largerBackup)) {
    renameSync(files.backup, files.largerBackup);
  }
  const keptBytes = sizeOf(files.largerBackup);
  if (keptBytes === 0) return null;
  if (newBytes < keptBytes * farLess) {
    return `The local store holds far less than it did. The last backup from before that is kept as ${files.largerBackup}; delete it when nothing is missing.`;
  }
  rmSync(files.largerBackup);
  return null;
}
