import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Size in bytes of each file and folder directly in a folder, subfolders included, by name. */
export async function folderSizes(folder: string): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) sizes[entry.name] = await sumOf(join(folder, entry.name));
    else if (entry.isFile()) sizes[entry.name] = await sizeOf(join(folder, entry.name));
  }
  return sizes;
}

async function sumOf(folder: string): Promise<number> {
  // It may not be the user's, or have been deleted in the meantime, as the folder of the sample data.
  const sizes = await folderSizes(folder).catch(() => ({}));
  return Object.values<number>(sizes).reduce((sum, size) => sum + size, 0);
}

async function sizeOf(file: string): Promise<number> {
  // A file may have been deleted in the meantime.
  return (await stat(file).catch(() => ({ size: 0 }))).size;
}
