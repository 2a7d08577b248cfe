import { renameSync, rmSync, statfsSync, utimesSync, type StatsFs } from 'node:fs';
import { AppFailure } from '../../../../shared/errors.ts';
import { openDatabase } from '../sqlite/database.ts';
import type { SqlDriver } from '../sqlite/driver.ts';
import { examine, type ReadForStart } from './examine.ts';
import { discard, filesIn, putInPlace, sizeOf, type StoreFiles } from './files.ts';
import { SqlFailure } from '../sqlite/sql.ts';

/** How long to wait for a checkpoint of the store's own connection. */
const busyTimeoutMs = 10_000;

/** The store, and other programs, go on writing meanwhile: without room, what they write would be lost. */
const spareBytes = 50_000_000;

/** A new backup with less than this share of the old one's size does not overwrite it. */
const farLess = 0.5;

/**
 * Copies the store into its backup over a read-only connection, while the store's own connection goes on writing. The
 * copy replaces the backup once it has passed a full check; its file time is set to `nowMs`. Copying reads every page
 * of the tables, so it also finds damage that the start of the app did not, as a `corrupt` failure. Returns a notice
 * for the user when a much larger earlier backup is kept beside it, else null.
 */
export function makeBackup(
  driver: SqlDriver,
  directory: string,
  nowMs: number,
  { read, statFileSystem = statfsSync }: BackupOptions = {},
): string | null {
  const files = filesIn(directory);
  discard(files.unfinishedBackup);
  const neededBytes = sizeOf(files.store) + spareBytes;
  if (freeBytesOf(directory, statFileSystem) < neededBytes) {
    const message = `There is not enough disk space for it: ${Math.ceil(neededBytes / 1e6)} MB are needed.`;
    throw new AppFailure({ code: 'storage', message });
  }
  try {
    const store = openDatabase(driver, files.store, { access: 'read-only', busyTimeoutMs });
    try {
      read?.(store);
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
    // After success it has been renamed; after a failure it must not go on filling the disk.
    discard(files.unfinishedBackup);
  }
}

interface BackupOptions {
  /** Reads what the app does not start without: a store that cannot be read takes no earlier backup's place. */
  read?: ReadForStart;
  statFileSystem?: StatFileSystem;
}

type StatFileSystem = (path: string) => Pick<StatsFs, 'blocks' | 'bavail' | 'bsize'>;

/** As much as one likes where the file system does not say. */
function freeBytesOf(directory: string, statFileSystem: StatFileSystem): number {
  try {
    const { blocks, bavail, bsize } = statFileSystem(directory);
    return blocks === 0 ? Infinity : bavail * bsize;
  } catch (cause) {
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
    return Infinity;
  }
}

/** If the store has lost most of its data, for whatever reason, its last full backup must not be overwritten. */
function keepLarger(files: StoreFiles, newBytes: number): string | null {
  if (newBytes < sizeOf(files.backup) * farLess && sizeOf(files.backup) > sizeOf(files.largerBackup)) {
    renameSync(files.backup, files.largerBackup);
  }
  const keptBytes = sizeOf(files.largerBackup);
  if (keptBytes === 0) return null;
  if (newBytes < keptBytes * farLess) {
    return `The local store has become much smaller. The last larger backup is kept as ${files.largerBackup}; delete it once you are sure that nothing is missing.`;
  }
  rmSync(files.largerBackup);
  return null;
}
