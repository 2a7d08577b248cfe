import { closeSync, existsSync, openSync, readdirSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesIn } from './files.ts';

/** Where SQLite's file header has the version of the layout (its format, "User version number"). */
const versionAt = 60;

/**
 * Calls `empty` with each folder in a folder whose store has an older layout than this version. Opening the store brings it
 * to the latest, so a file says until `empty` has ended that it has to be called again.
 */
export async function emptyEarlierStores(
  parent: string,
  version: number,
  empty: (folder: string) => Promise<void>,
): Promise<void> {
  for (const name of existsSync(parent) ? readdirSync(parent) : []) {
    const folder = join(parent, name);
    const { store, emptying } = filesIn(folder);
    const found = layoutOf(store);
    if (found === 0 || (found >= version && !existsSync(emptying))) continue;
    writeFileSync(emptying, '');
    await empty(folder);
    rmSync(emptying);
  }
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
