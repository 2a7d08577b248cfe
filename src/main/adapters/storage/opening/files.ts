import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The files of one store. Only `store` and `backup` hold anything; the rest comes and goes. */
export interface StoreFiles {
  directory: string;
  store: string;
  /** Held locked for as long as a store is open: one owner at a time, whatever ends it. */
  lock: string;
  backup: string;
  /** A backup that held far more than the one that was made after it. */
  largerBackup: string;
  /** A store or backup that is not finished; left over only when the app was killed meanwhile. */
  unfinishedStore: string;
  unfinishedBackup: string;
  /** There while the store has to be checked thoroughly at the next start, however large it is. */
  suspect: string;
}

export function filesIn(directory: string): StoreFiles {
  return {
    directory,
    store: join(directory, 'store.sqlite'),
    lock: join(directory, 'store.lock'),
    backup: join(directory, 'store.backup.sqlite'),
    largerBackup: join(directory, 'store.backup.larger.sqlite'),
    unfinishedStore: join(directory, 'store.unfinished.sqlite'),
    unfinishedBackup: join(directory, 'store.backup.unfinished.sqlite'),
    suspect: join(directory, 'store.suspect'),
  };
}

/** What of a database stands outside its file: the write-ahead log, or a rollback journal. */
const journals = ['-wal', '-journal'];

/** The index of the write-ahead log, which SQLite makes anew. */
const index = '-shm';

/** Size of a file in bytes; 0 when it is not there. */
export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** When a file was written last; null when it is not there. */
export function writtenAtMs(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
}

/**
 * Renames a database and its journal to `store.corrupt-<UTC time>.sqlite…`, every byte kept. Returns the new path of the
 * database.
 */
export function setAside(files: StoreFiles, database: string, nowMs: number): string {
  const target = freeName(files, nowMs);
  if (existsSync(database)) renameSync(database, target);
  for (const suffix of journals) {
    if (sizeOf(database + suffix) > 0) renameSync(database + suffix, target + suffix);
  }
  discard(database);
  syncDirectory(files.directory);
  return target;
}

/** A name for what is kept for the user to look at, which no file has yet. */
function freeName(files: StoreFiles, nowMs: number): string {
  const time = new Date(nowMs).toISOString().slice(0, 19).replaceAll(':', '-');
  for (let attempt = 1; ; attempt += 1) {
    const number = attempt === 1 ? '' : `-${attempt}`;
    const target = join(files.directory, `store.corrupt-${time}Z${number}.sqlite`);
    if (!['', ...journals].some((suffix) => existsSync(target + suffix))) return target;
  }
}

/** Removes a database that was never finished, with all that belongs to it. */
export function discard(unfinished: string): void {
  for (const suffix of ['', ...journals, index]) rmSync(unfinished + suffix, { force: true });
}

/** Puts a finished file in the place of `target`, which afterwards is either the old or the new file, never a part. */
export function putInPlace(finished: string, target: string, directory: string): void {
  const file = openSync(finished, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(finished, target);
  syncDirectory(directory);
}

/** Makes renames in a folder survive a power loss; Windows cannot open folders and does not need it. */
function syncDirectory(directory: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(directory, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
