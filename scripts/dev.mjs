// `npm run dev`: the app with live reload of its window. In the runtime of the tests, which must never see a real key, it has
// sample data and no keychain.
import { run } from './setup/common.mjs';

const isOfTests = process.env['WATCHKEEPER_RUNTIME_LABEL']?.startsWith('test runtime') === true;
process.exitCode = await run(
  'electron-vite',
  ['dev', ...process.argv.slice(2), ...(isOfTests ? ['--', '--sample-data'] : [])],
  // Chromium's sandbox does not run as root, and only test machines are used as root.
  { env: { ...process.env, ...(process.getuid?.() === 0 ? { NO_SANDBOX: '1' } : {}) } },
);
