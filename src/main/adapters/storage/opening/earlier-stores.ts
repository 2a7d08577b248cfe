import { closeSync, existsSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { filesIn } from './files.ts';

/** Where SQLite's file header has the version of the layout (its format, "User version number"). */
const versionAt = 60;

/** The folders in a folder whose stores have an older layout than this version. */
export function foldersOfEarlierStores(parent: string, version: number): string[] {
  if (!existsSync(parent)) return [];
  return readdirSync(parent)
    .map((name) => join(parent, name))
    .filter((folder) => {
      const found = layoutOf(filesIn(folder).store);
      return found > 0 && found < version;
    });
}

/** 0 for a file that is missing or too short. */
function layoutOf(path: string): number {
  if (!existsSync(path)) return 0;
  const header = Buffer.alloc(versionAt + 4);
  const file = openSync(path, 'r');
  try {
    readSync(file, header, 0, header.length, 0);
    return header.readUInt32BE(versionAt);
  } finally {
    closeSync(file);
  }
}
