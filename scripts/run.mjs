// The entry of `npm start`, `npm run demo`, `npm run dev`, `npm test` and others: installs what is missing, then runs the task. It must run on a bare Node 20 before anything is installed, so it imports only Node and its own
// folder; the tasks, which need the dependencies, are started as processes of the Node that npm installed.
import { delimiter, join } from 'node:path';
import { ensureDependencies } from './setup/dependencies.mjs';
import { ensureElectronRuntime } from './setup/electron-runtime.mjs';
import { ensurePrometheus } from './setup/prometheus.mjs';
import { SetupError, explain, projectDir, run, say } from './setup/common.mjs';
import { ensureSandbox, ensureSystem } from './setup/system.mjs';
import { ensureSystemPackages } from './setup/system-packages.mjs';
import { taskNames, taskOf } from './setup/tasks.mjs';

/** @param {string | undefined} name @param {string[]} rest */
async function main(name, rest) {
  const task = taskOf(name, rest, process.env, process.platform);
  if (task === undefined) {
    throw new SetupError(`Unknown task "${name ?? ''}".`, `Use one of: ${taskNames.join(', ')}.`);
  }
  const startedAtMs = performance.now();
  ensureSystem();
  const nodePath = await ensureDependencies();
  await ensureSystemPackages(task);
  const runtime = await ensureElectronRuntime({ allowSubstitute: task.substitute === true, nodePath });
  if (task.opens && !rest.includes('--no-sandbox')) ensureSandbox(runtime.dir);
  const programs = task.prometheus ? await ensurePrometheus() : [];
  say(`set-up checked in ${((performance.now() - startedAtMs) / 1000).toFixed(1)} s (${runtime.label})`);

  return run(nodePath, [join(projectDir, 'scripts', task.script), ...(task.args ?? []), ...rest], {
    env: {
      ...process.env,
      PATH: [join(projectDir, 'node_modules', '.bin'), ...programs, process.env['PATH'] ?? ''].join(
        delimiter,
      ),
      ...runtime.env,
      WATCHKEEPER_RUNTIME_LABEL: runtime.label,
    },
    handsOnSignals: true,
  });
}

try {
  process.exitCode = await main(process.argv[2], process.argv.slice(3));
} catch (error) {
  explain(error);
  process.exitCode = 1;
}
