import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Size in bytes of each file and folder directly in a folder, subfolders included, by name. */
export async function folderSizes(folder: string): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    // Each may have been deleted in the meantime, as the folder of the sample data, or a folder may not be the user's.
    if (entry.isFile())
      sizes[entry.name] = await stat(path).then(
        ({ size }) => size,
        () => 0,
      );
    if (!entry.isDirectory()) continue;
    const within = Object.values<number>(await folderSizes(path).catch(() => ({})));
    sizes[entry.name] = within.reduce((sum, size) => sum + size, 0);
  }
  return sizes;
}
