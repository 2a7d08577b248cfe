/**
 * From a folder to an open store, whatever state its files are in: lock, examination, backup, layout, and memory where nothing
 * else is left. Uses the room `sqlite`.
 */
import { copyFileSync, existsSync, mkdirSync, rmSync, truncateSync } from 'node:fs';
import { lockFile, openDatabase } from '../sqlite/database.ts';
import type { SqlDriver } from '../sqlite/driver.ts';
import { examine, type Examination } from './examine.ts';
import { discard, filesIn, putInPlace, setAside, sizeOf, writtenAtMs, type StoreFiles } from './files.ts';
import { migrate } from './migrate.ts';
import { SqlFailure, wordsFor, type SqlDatabase } from '../sqlite/sql.ts';

export interface LadderOptions {
  driver: SqlDriver;
  /** Made when it is missing. */
  directory: string;
  nowMs: number;
  /** How long another owner of the store, or another program reading it, is waited for. */
  busyTimeoutMs: number;
  /** Larger stores are checked page by page only after trouble; the daily backup reads them as a whole. */
  thoroughUpToBytes: number;
}

export interface OpenedDatabase {
  database: SqlDatabase;
  state: 'ready' | 'memory';
  /** What had to be done or could not be done, in sentences for the user. */
  notices: string[];
  /** When the last backup was made; null without one. */
  backupAtMs: number | null;
  /** Writes what is left in the journal into the store, and lets others have it. */
  close: () => void;
}

/**
 * Opens the store of a folder, whatever its state: waits for a lock, sets a damaged store aside and goes on with the last
 * backup or a fresh store, and goes on in memory where nothing can be stored or must not be touched. Nothing that could
 * not be read is ever deleted. Throws only when not even memory can be had.
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
    return openMemory(options.driver, whyMemory(cause, files));
  }
}

function whyMemory(cause: unknown, files: StoreFiles): string {
  const consequence =
    'Until the app is started again without this trouble, everything new is kept in memory only and is lost when it closes.';
  const leftAsItIs = cause instanceof SqlFailure && cause.kind === 'newer' ? ' It was left as it is.' : '';
  return `${wordsFor(cause)} Its folder is ${files.directory}.${leftAsItIs} ${consequence}`;
}

/** An empty store that is nowhere but in memory. */
export function openInMemory(driver: SqlDriver): SqlDatabase {
  const database = openDatabase(driver, ':memory:', { access: 'read-write', busyTimeoutMs: 0 });
  database.pragma('foreign_keys = ON');
  migrate(database);
  return database;
}

function openMemory(driver: SqlDriver, notice: string): OpenedDatabase {
  const database = openInMemory(driver);
  return { database, state: 'memory', notices: [notice], backupAtMs: null, close: () => database.close() };
}

function openFiles(options: LadderOptions, files: StoreFiles, release: () => void): OpenedDatabase {
  discard(files.unfinishedStore);
  discard(files.unfinishedBackup);
  const notices = prepareStore(options, files, examineStore(options, files));
  const database = openDatabase(options.driver, files.store, {
    access: 'read-write',
    busyTimeoutMs: options.busyTimeoutMs,
  });
  try {
    configure(database);
    migrate(database);
    // The version in the file's header is what an older app looks at first.
    database.pragma('wal_checkpoint(TRUNCATE)');
  } catch (cause) {
    database.close();
    throw cause;
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
 * A commit in WAL mode with `synchronous = FULL` has been written to the log and flushed before it returns. So what was
 * acknowledged survives the end of the process, whose writes the system keeps, and the loss of power too, as far as the
 * disk's flush can be trusted. (`NORMAL` would flush at checkpoints only and lose the last commits with the power.) On
 * macOS only a full flush reaches the disk itself; it is made at checkpoints, so that a loss of power may cost the last
 * commits there but never the store.
 */
function configure(database: SqlDatabase): void {
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.pragma('checkpoint_fullfsync = ON');
  database.pragma(`wal_autocheckpoint = ${checkpointPages}`);
  database.pragma('foreign_keys = ON');
  // Indexes of a large history take more than the 2 MB that are the default.
  database.pragma('cache_size = -32768');
}

/**
 * The log is copied into the store when it has 16 MiB, not the usual 4: a checkpoint costs more flushes than a commit, and
 * a page that several commits have changed is copied once.
 */
const checkpointPages = 4_000;

// ---- Rungs -----------------------------------------------------------------------------------------------------------

function examineStore(options: LadderOptions, files: StoreFiles): Examination {
  const isSmall = sizeOf(files.store) <= options.thoroughUpToBytes;
  return examine(options.driver, files.store, {
    busyTimeoutMs: options.busyTimeoutMs,
    thorough: isSmall || existsSync(files.suspect),
  });
}

/** Sees to it that there is a store to open; returns what the user should know. */
function prepareStore(options: LadderOptions, files: StoreFiles, found: Examination): string[] {
  switch (found.result) {
    case 'sound':
      return [];
    case 'newer':
      throw new SqlFailure('newer', '');
    case 'damaged': {
      const aside = setAside(files, files.store, options.nowMs);
      const what = `The local store could not be used (${found.reason}). It was set aside as ${aside}.`;
      return [`${what} ${replaceStore(options, files)}`];
    }
    case 'missing': {
      const hadJournal = sizeOf(`${files.store}-wal`) > 0;
      const hadBackup = existsSync(files.backup);
      if (!hadJournal && !hadBackup) {
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

/** The last backup, or a fresh store; returns a sentence that says which. */
function replaceStore(options: LadderOptions, files: StoreFiles): string {
  const madeAtMs = writtenAtMs(files.backup);
  if (madeAtMs === null) {
    createStore(options.driver, files);
    return 'There was no backup, so a new, empty store was started.';
  }
  const backup = examine(options.driver, files.backup, {
    busyTimeoutMs: options.busyTimeoutMs,
    thorough: true,
  });
  if (backup.result === 'sound') {
    copyFileSync(files.backup, files.unfinishedStore);
    putInPlace(files.unfinishedStore, files.store, files.directory);
    const time = new Date(madeAtMs).toISOString().slice(0, 16).replace('T', ' ');
    return `The backup of ${time} UTC took its place; what came after it is missing.`;
  }
  const aside = setAside(files, files.backup, options.nowMs);
  createStore(options.driver, files);
  return `The backup could not be used either and was set aside as ${aside}. A new, empty store was started.`;
}

/** Under another name until it is whole, so that an empty or half-made store is never taken for the user's. */
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
 * One owner at a time: without it, two apps that find a damaged store could each set aside what the other one has just
 * put in its place. Noise in the lock file means nothing, since it never holds anything.
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
