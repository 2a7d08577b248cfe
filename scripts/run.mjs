// The entry of `npm start`, `npm run demo`, `npm run dev`, `npm test` and `npm run test:repeat`: installs what is missing,
// then runs the task. It must run on a bare Node 20 before anything is installed, so it imports only Node and its own
// folder; the tasks, which need the dependencies, are started as processes of the Node that npm installed.
import { delimiter, join } from 'node:path';
import { ensureDependencies } from './setup/dependencies.mjs';
import { ensureElectronRuntime } from './setup/electron-runtime.mjs';
import { SetupError, projectDir, run, say } from './setup/common.mjs';
import { ensureSystemPackages, appPackages, harnessPackages } from './setup/system-packages.mjs';

/**
 * What each task needs. `harness`: a display without a screen and a private keyring. `substitute`: whether the test
 * runtime may stand in for the official one.
 * @type {Record<string, { script: string, harness: boolean, substitute: boolean }>}
 */
const tasks = {
  start: { script: 'start.mjs', harness: false, substitute: false },
  dev: { script: 'dev.mjs', harness: false, substitute: true },
  demo: { script: 'demo.mjs', harness: true, substitute: true },
  test: { script: 'test.mjs', harness: true, substitute: true },
  repeat: { script: 'test-repeat.mjs', harness: true, substitute: true },
  'test:pictures': { script: 'test-pictures.mjs', harness: true, substitute: true },
  package: { script: 'package.mjs', harness: false, substitute: true },
  'test:package': { script: 'test-package.mjs', harness: true, substitute: true },
  'test:real-node': { script: 'test-real-node.mjs', harness: true, substitute: true },
};

/** @param {string | undefined} name @param {string[]} rest */
async function main(name, rest) {
  const task = name === undefined ? undefined : tasks[name];
  if (task === undefined) {
    throw new SetupError(`Unknown task "${name ?? ''}".`, `Use one of: ${Object.keys(tasks).join(', ')}.`);
  }
  const startedAtMs = performance.now();
  const nodePath = await ensureDependencies();
  await ensureSystemPackages(task.harness ? [...appPackages, ...harnessPackages] : appPackages);
  const runtime = await ensureElectronRuntime({ allowSubstitute: task.substitute });
  say(`set-up checked in ${((performance.now() - startedAtMs) / 1000).toFixed(1)} s (${runtime.label})`);

  return run(nodePath, [join(projectDir, 'scripts', task.script), ...rest], {
    env: {
      ...process.env,
      PATH: `${join(projectDir, 'node_modules', '.bin')}${delimiter}${process.env['PATH'] ?? ''}`,
      ...runtime.env,
      WATCHKEEPER_RUNTIME_LABEL: runtime.label,
    },
    handsOnSignals: true,
  });
}

try {
  process.exitCode = await main(process.argv[2], process.argv.slice(3));
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(`\n${error.message}\n${error.remedy}`);
  process.exitCode = 1;
}
