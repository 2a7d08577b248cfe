import { copyFileSync, existsSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { utcText } from '../../../../shared/time.ts';
import { lockFile, openDatabase } from '../sqlite/database.ts';
import type { SqlDriver } from '../sqlite/driver.ts';
import { examine, type Examination, type ReadForStart } from './examine.ts';
import {
  discard,
  filesIn,
  hasSetAside,
  putInPlace,
  setAside,
  sizeOf,
  writtenAtMs,
  type StoreFiles,
} from './files.ts';
import { migrate } from './migrate.ts';
import { SqlFailure, wordsFor, type SqlDatabase } from '../sqlite/sql.ts';

export interface LadderOptions {
  driver: SqlDriver;
  /** Created if missing. */
  directory: string;
  nowMs: number;
  /** How long to wait for another owner of the store, or another program reading it. */
  busyTimeoutMs: number;
  /** Larger stores are checked page by page only after a problem; the daily backup reads them completely. */
  thoroughUpToBytes: number;
  /** Reads what the app does not start without; called where it could not be read before. */
  read?: ReadForStart;
}

export interface OpenedDatabase {
  database: SqlDatabase;
  state: 'ready' | 'memory';
  /** What was done or could not be done, as sentences for the user. */
  notices: string[];
  /** When the last backup was made; null without one. */
  backupAtMs: number | null;
  /** Writes the journal into the store and releases the lock. */
  close: () => void;
}

/**
 * Opens the store of a folder, whatever its state: waits for the lock, sets a damaged store aside and continues with
 * the last backup or an empty store, or works in memory where nothing can be stored or the files must not be touched.
 * Never deletes anything unreadable. Throws only if a store in memory fails too.
 */
export function openLadder(options: LadderOptions): OpenedDatabase {
  const files = filesIn(options.directory);
  let release: (() => void) | null = null;
  try {
    mkdirSync(options.directory, { recursive: true, mode: 0o700 });
    release = takeLock(options, files);
    return openFiles(options, files, release);
  } catch (cause) {
    release?.();
    const database = openInMemory(options.driver);
    const notices = [whyMemory(cause, files)];
    return { database, state: 'memory', notices, backupAtMs: null, close: () => database.close() };
  }
}

function whyMemory(cause: unknown, files: StoreFiles): string {
  const consequence =
    'Until you fix this and restart the app, new data is kept in memory only and will be lost when the app closes.';
  const leftAsItIs = cause instanceof SqlFailure && cause.kind === 'newer' ? ' It was not changed.' : '';
  return `${wordsFor(cause)} Its folder is ${files.directory}.${leftAsItIs} ${consequence}`;
}

export function openInMemory(driver: SqlDriver): SqlDatabase {
  const database = openDatabase(driver, ':memory:', { access: 'read-write', busyTimeoutMs: 0 });
  database.pragma('foreign_keys = ON');
  migrate(database);
  return database;
}

/** So that an older version of the app sees the version in the file's header. A full disk is no reason to open nothing. */
function writeJournal(database: SqlDatabase): void {
  try {
    database.pragma('wal_checkpoint(TRUNCATE)');
  } catch (cause) {
    if (!(cause instanceof SqlFailure) || !['disk-full', 'io'].includes(cause.kind)) throw cause;
  }
}

function openFiles(options: LadderOptions, files: StoreFiles, release: () => void): OpenedDatabase {
  discard(files.unfinishedStore);
  discard(files.unfinishedBackup);
  const isSmall = sizeOf(files.store) <= options.thoroughUpToBytes;
  const thorough = isSmall || existsSync(files.suspect);
  const notices = prepareStore(options, files, examineOne(options, files, files.store, thorough));
  const { busyTimeoutMs } = options;
  const database = openDatabase(options.driver, files.store, { access: 'read-write', busyTimeoutMs });
  try {
    configure(database);
    migrate(database);
    writeJournal(database);
  } catch (cause) {
    database.close();
    const isExamined = existsSync(files.suspect);
    if (isExamined || !(cause instanceof SqlFailure) || cause.kind !== 'corrupt') throw cause;
    // Of a large store only the beginning was examined.
    writeFileSync(files.suspect, '');
    return openFiles(options, files, release);
  }
  rmSync(files.suspect, { force: true });
  return {
    database,
    state: 'ready',
    notices,
    backupAtMs: writtenAtMs(files.backup),
    close: () => {
      try {
        database.pragma('wal_checkpoint(TRUNCATE)');
      } finally {
        database.close();
        release();
      }
    },
  };
}

/**
 * In WAL mode with `synchronous = FULL`, a commit is written to the log and flushed before it returns. An acknowledged
 * write thus survives the end of the process, and a loss of power as far as the disk's flush can be trusted. (`NORMAL`
 * flushes at checkpoints only and would lose the last commits.) On macOS only a full flush reaches the disk itself; it
 * happens at checkpoints, so a loss of power may cost the last commits there but never the store.
 */
function configure(database: SqlDatabase): void {
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.pragma('checkpoint_fullfsync = ON');
  database.pragma(`wal_autocheckpoint = ${checkpointPages}`);
  database.pragma('foreign_keys = ON');
  // The indexes of a large history need more than the default of 2 MB.
  database.pragma('cache_size = -32768');
}

/**
 * A checkpoint when the log has 16 MiB instead of the usual 4: it costs more flushes than a commit, and a page changed
 * by several commits is copied only once.
 */
const checkpointPages = 4_000;

// ---- Rungs -----------------------------------------------------------------------------------------------------------

function examineOne(
  { driver, busyTimeoutMs, read }: LadderOptions,
  { suspect }: StoreFiles,
  database: string,
  thorough: boolean,
): Examination {
  const isSuspect = existsSync(suspect);
  return examine(driver, database, { busyTimeoutMs, thorough, read: isSuspect ? read : undefined });
}

/** Ensures that there is a store to open; returns notices for the user. */
function prepareStore(options: LadderOptions, files: StoreFiles, found: Examination): string[] {
  switch (found.result) {
    case 'sound':
      return [];
    case 'newer':
      throw new SqlFailure('newer', '');
    case 'damaged': {
      const aside = setAside(files, files.store, options.nowMs);
      const what = `The local store couldn’t be used (${found.reason}). It was set aside as ${aside}.`;
      return [`${what} ${replaceStore(options, files)}`];
    }
    case 'missing': {
      const hadJournal = sizeOf(`${files.store}-wal`) > 0;
      // One is set aside before there is another, which a full disk or a crash may prevent.
      const hadOther = existsSync(files.backup) || existsSync(files.largerBackup) || hasSetAside(files);
      if (!hadJournal && !hadOther) {
        createStore(options.driver, files);
        return [];
      }
      const aside = hadJournal
        ? ` What was left of it was set aside as ${setAside(files, files.store, options.nowMs)}-wal.`
        : '';
      return [`The local store was missing from ${files.directory}.${aside} ${replaceStore(options, files)}`];
    }
  }
}

/** Restores the last backup that can be used or creates an empty store; returns a notice that says which. */
function replaceStore(options: LadderOptions, files: StoreFiles): string {
  const asides: string[] = [];
  for (const backup of [files.backup, files.largerBackup]) {
    const madeAtMs = writtenAtMs(backup);
    if (madeAtMs === null) continue;
    if (examineOne(options, files, backup, true).result === 'sound') {
      copyFileSync(backup, files.unfinishedStore);
      putInPlace(files.unfinishedStore, files.store, files.directory);
      const what = `The backup of ${utcText(madeAtMs)} UTC replaces it; newer data is missing.`;
      return [...asides, what].join(' ');
    }
    const aside = setAside(files, backup, options.nowMs);
    asides.push(`A backup couldn’t be used either and was set aside as ${aside}.`);
  }
  createStore(options.driver, files);
  return asides.length === 0
    ? 'There was no backup, so a new, empty store was started.'
    : `${asides.join(' ')} A new, empty store was started.`;
}

/** Under another name until it is complete, so that an empty or unfinished store is never taken for the user's. */
function createStore(driver: SqlDriver, files: StoreFiles): void {
  const database = openDatabase(driver, files.unfinishedStore, { access: 'read-write', busyTimeoutMs: 0 });
  try {
    migrate(database);
  } finally {
    database.close();
  }
  putInPlace(files.unfinishedStore, files.store, files.directory);
}

/**
 * Ensures a single owner: otherwise two apps that find a damaged store could each set aside what the other has just put
 * in place. Damage to the lock file does not matter, as it has no content.
 */
function takeLock(options: LadderOptions, files: StoreFiles): () => void {
  try {
    return lockFile(options.driver, files.lock, options.busyTimeoutMs);
  } catch (cause) {
    if (!(cause instanceof SqlFailure) || cause.kind !== 'corrupt') throw cause;
    truncateSync(files.lock);
    return lockFile(options.driver, files.lock, options.busyTimeoutMs);
  }
}
