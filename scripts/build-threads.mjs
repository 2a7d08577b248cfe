import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import { projectDir, run } from './setup/common.mjs';

/** Programs of threads, each of which tests start as one file: that takes a third of the time of a hundred files. */
const threads = {
  'storage-worker': 'src/main/adapters/storage/thread/worker.ts',
  'decode-worker': 'src/main/decode-worker.ts',
};

/** In the project, so that what they require is found. */
const folder = join(projectDir, '.cache', 'threads');

/** Programs that tests start often, and kill before they can write their part of the compile cache. */
const programs = [
  join(projectDir, 'src/main/adapters/storage/thread/open-store.ts'),
  ...Object.keys(threads).map((name) => join(folder, `${name}.js`)),
];

/** Before the tests, and before each run of those that wait for changes. @param {import('vitest/node').TestProject} project */
export default async function setUp(project) {
  project.onTestsRerun(buildThreads);
  await rm(folder, { recursive: true, force: true });
  await buildThreads();
  await warmCompileCache();
}

async function buildThreads() {
  await build({
    configFile: false,
    root: projectDir,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: folder,
      target: 'node24',
      minify: false,
      chunkSizeWarningLimit: 2_000,
      rolldownOptions: {
        input: Object.fromEntries(
          Object.entries(threads).map(([name, file]) => [name, join(projectDir, file)]),
        ),
      },
    },
  });
}

/** Compiles them into the cache (see test-runners.mjs) before the tests. Node has one cache for each set of V8 options. */
async function warmCompileCache() {
  if (process.env['NODE_COMPILE_CACHE'] === undefined) return;
  const urls = programs.map((program) => JSON.stringify(program));
  // A worker's program fails outside of a thread, but only after it has been compiled.
  const script = `await Promise.allSettled([${urls.join()}].map((program) => import(program))); process.exit()`;
  const runs = [[], ['--no-wasm-tier-up']].map(async (options) => {
    const code = await run(process.execPath, [...options, '--input-type=module', '--eval', script]);
    if (code !== 0) throw new Error(`Compiling the programs that tests start ended with code ${code}.`);
  });
  await Promise.all(runs);
}
