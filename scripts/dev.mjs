// `npm run dev`: the app with live reload of its window.
import { spawn } from 'node:child_process';
import { projectDir } from './setup/common.mjs';

const child = spawn('electron-vite', ['dev', ...process.argv.slice(2)], {
  cwd: projectDir,
  stdio: 'inherit',
  // Chromium refuses its sandbox to root; only a test machine is used as root.
  env: { ...process.env, ...(process.getuid?.() === 0 ? { NO_SANDBOX: '1' } : {}) },
  shell: process.platform === 'win32',
});
child.on('error', (error) => {
  console.error(`electron-vite could not be started: ${error.message}`);
  process.exitCode = 1;
});
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
