// `npm run test:pictures`: the end-to-end test that compares the views with their stored pictures, alone. With `-- --accept` the
// current pictures become the stored ones: look at them (out/e2e has them in full size) before committing them.
import { run } from './setup/common.mjs';
import { runEndToEndTests } from './test-runners.mjs';

const [option, ...rest] = process.argv.slice(2);
if (rest.length > 0 || (option !== undefined && option !== '--accept')) {
  console.error('npm run test:pictures takes no argument but --accept.');
  process.exit(2);
}
if (process.env['WATCHKEEPER_RUNTIME_LABEL']?.startsWith('test runtime') !== true) {
  console.error(
    'The stored pictures are those of the test runtime: WATCHKEEPER_RUNTIME=test npm run test:pictures',
  );
  process.exit(2);
}
const built = await run('electron-vite', ['build', '--logLevel=warn']);
if (built !== 0) process.exit(built);
const { code } = await runEndToEndTests([
  'pictures',
  ...(option === undefined ? [] : ['--update-snapshots=all']),
]);
process.exitCode = code;
