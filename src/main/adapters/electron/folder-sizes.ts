import { readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** Size in bytes of each file and folder directly in a folder, subfolders included, by name. */
export async function folderSizes(folder: string): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const [name = ''] = relative(folder, path).split(sep);
    // A file may have been deleted in the meantime.
    const { size } = await stat(path).catch(() => ({ size: 0 }));
    sizes[name] = (sizes[name] ?? 0) + size;
  }
  return sizes;
}
