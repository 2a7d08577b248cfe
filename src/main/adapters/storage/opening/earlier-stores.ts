import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { filesIn } from './files.ts';

/** Where SQLite's file header has the version of the layout (its format, "User version number"). */
const versionAt = 60;

/** The folders in a folder whose stores have an older layout than this version. */
export function foldersOfEarlierStores(parent: string, version: number): string[] {
  return readFolders(parent).filter((folder) => {
    const found = layoutOf(filesIn(folder).store);
    return found !== null && found > 0 && found < version;
  });
}

function readFolders(parent: string): string[] {
  try {
    const entries = readdirSync(parent, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(parent, name));
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return [];
    throw cause;
  }
}

/** Null for a file that is missing or too short. */
function layoutOf(path: string): number | null {
  const header = Buffer.alloc(versionAt + 4);
  let file: number | null = null;
  try {
    file = openSync(path, 'r');
    return readSync(file, header, 0, header.length, 0) < header.length
      ? null
      : header.readUInt32BE(versionAt);
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return null;
    throw cause;
  } finally {
    if (file !== null) closeSync(file);
  }
}
