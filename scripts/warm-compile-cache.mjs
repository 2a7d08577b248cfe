import { join } from 'node:path';
import { projectDir, run } from './setup/common.mjs';

/** Programs that tests start again and again, and kill before they could keep what they have compiled. */
const programs = [
  'src/main/adapters/storage/thread/open-store.ts',
  'src/main/adapters/storage/thread/worker.ts',
  'src/main/adapters/decode/worker.ts',
];

/** Compiles them once where that is kept (see test-runners.mjs), so that no test has to. Node keeps it apart for V8's options. */
export default async function warmCompileCache() {
  if (process.env['NODE_COMPILE_CACHE'] === undefined) return;
  const urls = programs.map((program) => JSON.stringify(join(projectDir, program)));
  // A thread's program ends with an error outside of a thread, and has been compiled by then.
  const script = `await Promise.allSettled([${urls.join()}].map((program) => import(program))); process.exit()`;
  const runs = [[], ['--no-wasm-tier-up']].map(async (options) => {
    const code = await run(process.execPath, [...options, '--input-type=module', '--eval', script]);
    if (code !== 0) throw new Error(`Compiling the programs that tests start ended with code ${code}.`);
  });
  await Promise.all(runs);
}
