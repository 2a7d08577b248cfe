import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir, run } from './setup/common.mjs';

/** Programs that tests start often, and kill before they can write their part of the compile cache. */
const programs = [
  'src/main/adapters/storage/thread/open-store.ts',
  'src/main/adapters/storage/thread/worker.ts',
  'src/main/decode-worker.ts',
];

/** Compiles them into the cache (see test-runners.mjs) before the tests. Node has one cache for each set of V8 options. */
export default async function warmCompileCache() {
  if (process.env['NODE_COMPILE_CACHE'] === undefined) return;
  const missing = programs.filter((program) => !existsSync(join(projectDir, program)));
  if (missing.length > 0) throw new Error(`There is no ${missing.join(', ')} to compile.`);
  const urls = programs.map((program) => JSON.stringify(join(projectDir, program)));
  // A worker's program fails outside of a thread, but only after it has been compiled.
  const script = `await Promise.allSettled([${urls.join()}].map((program) => import(program))); process.exit()`;
  const runs = [[], ['--no-wasm-tier-up']].map(async (options) => {
    const code = await run(process.execPath, [...options, '--input-type=module', '--eval', script]);
    if (code !== 0) throw new Error(`Compiling the programs that tests start ended with code ${code}.`);
  });
  await Promise.all(runs);
}
