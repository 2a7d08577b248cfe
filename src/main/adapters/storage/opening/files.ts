import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';

export type StoreFiles = ReturnType<typeof filesIn>;

/** The files of a store. Only `store` and `backup` are permanent. */
export function filesIn(directory: string) {
  return {
    directory,
    store: join(directory, 'store.sqlite'),
    /** Locked while a store is open, so that it has only one owner; the lock ends with the process. */
    lock: join(directory, 'store.lock'),
    backup: join(directory, 'store.backup.sqlite'),
    /** An earlier backup that was much larger than the current one. */
    largerBackup: join(directory, 'store.backup.larger.sqlite'),
    /** Unfinished store or backup; only left behind when the app is killed. */
    unfinishedStore: join(directory, 'store.unfinished.sqlite'),
    unfinishedBackup: join(directory, 'store.backup.unfinished.sqlite'),
    /** Exists when the next start must check the store completely, whatever its size. */
    suspect: join(directory, 'store.suspect'),
    /** Exists while something is taken out of a store whose layout was older. */
    emptying: join(directory, 'store.emptying'),
  };
}

/** Files that belong to a database's content: the write-ahead log or a rollback journal. */
const journals = ['-wal', '-journal'];

/** Index of the write-ahead log; SQLite can recreate it. */
const index = '-shm';

/** Size of a file in bytes; 0 when it does not exist. */
export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** When a file was last written; null when it does not exist. */
export function writtenAtMs(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
}

const asideName = 'store.corrupt-';

/** Whether an earlier store was set aside. */
export function hasSetAside({ directory }: StoreFiles): boolean {
  return readdirSync(directory).some((name) => name.startsWith(asideName));
}

/** Renames a database and its journal to `store.corrupt-<UTC time>.sqlite…`. Returns the new path of the database. */
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

/** A name not used yet, for a file that is kept for the user to examine. */
function freeName(files: StoreFiles, nowMs: number): string {
  const time = new Date(nowMs).toISOString().slice(0, 19).replaceAll(':', '-');
  for (let attempt = 1; ; attempt += 1) {
    const number = attempt === 1 ? '' : `-${attempt}`;
    const target = join(files.directory, `${asideName}${time}Z${number}.sqlite`);
    if (!['', ...journals].some((suffix) => existsSync(target + suffix))) return target;
  }
}

/** Removes an unfinished database and its journal. */
export function discard(unfinished: string): void {
  for (const suffix of ['', ...journals, index]) rmSync(unfinished + suffix, { force: true });
}

/** Atomically replaces `target` by a finished file. */
export function putInPlace(finished: string, target: string, directory: string): void {
  flush(finished, 'r+');
  renameSync(finished, target);
  syncDirectory(directory);
}

/** Makes renames in a folder survive a power loss; on Windows this is neither possible nor needed. */
function syncDirectory(directory: string): void {
  if (process.platform !== 'win32') flush(directory, 'r');
}

function flush(path: string, flags: 'r' | 'r+'): void {
  const file = openSync(path, flags);
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
