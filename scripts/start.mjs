// `npm start`: builds when a source is newer than the build, then starts the app with the user's own profile.
import { spawn } from 'node:child_process';
import electronPath from 'electron';
import { ensureBuild } from './build.mjs';
import { projectDir } from './setup/common.mjs';

ensureBuild();
// In plain Node the package's export is the path of the runtime.
const child = spawn(
  /** @type {string} */ (/** @type {unknown} */ (electronPath)),
  [projectDir, ...process.argv.slice(2)],
  {
    stdio: 'inherit',
  },
);
child.on('error', (error) => {
  console.error(`Electron could not be started: ${error.message}`);
  process.exitCode = 1;
});
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
