import { utimesSync } from 'node:fs';
import { openDatabase } from './database.ts';
import type { SqlDriver } from './driver.ts';
import { examine } from './examine.ts';
import { discard, filesIn, putInPlace } from './files.ts';
import { SqlFailure } from './sql.ts';

/** How long a checkpoint of the store's own connection is waited for. */
const busyTimeoutMs = 10_000;

/**
 * Copies the store into its backup over a connection that only reads, so the store's own connection writes on meanwhile.
 * The copy takes the backup's place when it has been checked as a whole; its time of writing is `nowMs`. Copying reads
 * every page of the tables, so damage that was not seen at the start of the app is found here, as a `corrupt` failure.
 */
export function makeBackup(driver: SqlDriver, directory: string, nowMs: number): void {
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
    putInPlace(files.unfinishedBackup, files.backup, directory);
  } finally {
    // Renamed when all went well; what failed on a full disk must not keep it full.
    discard(files.unfinishedBackup);
  }
}
