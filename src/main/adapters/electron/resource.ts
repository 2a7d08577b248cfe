import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A text file that was packed beside the app; null without it. */
export function readResource(resourcesDir: string, name: string): string | null {
  const path = join(resourcesDir, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}
