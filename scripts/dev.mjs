// `npm run dev`: the app with live reload of its window.
import { run } from './setup/common.mjs';

process.exitCode = await run('electron-vite', ['dev', ...process.argv.slice(2)], {
  // Chromium's sandbox does not run as root, and only test machines are used as root.
  env: { ...process.env, ...(process.getuid?.() === 0 ? { NO_SANDBOX: '1' } : {}) },
});
