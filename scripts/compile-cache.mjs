import { join } from 'node:path';
import { projectDir } from './setup/common.mjs';

/**
 * From now on every Node that this process starts keeps what it has compiled, under .cache/, by the text of each file. Tests
 * start the store's thread and the sample service hundreds of times, each from some hundred TypeScript files; compiling them
 * takes half a second, reading them from here a tenth of it.
 */
export function useCompileCache() {
  process.env['NODE_COMPILE_CACHE'] ??= join(projectDir, '.cache', 'v8');
}
