// `npm test`: static checks, unit and component tests, build, end-to-end tests in real Electron. The last line counts
// what the runners themselves reported.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from './setup/common.mjs';
import { runInSession } from './session.mjs';

const reportsDir = join(projectDir, 'out', 'reports');
const unitReport = join(reportsDir, 'unit.json');
const endToEndReport = join(reportsDir, 'end-to-end.json');
rmSync(reportsDir, { recursive: true, force: true });
mkdirSync(reportsDir, { recursive: true });

/** @param {string} title @param {string} command @param {string[]} args @param {NodeJS.ProcessEnv} [env] */
function step(title, command, args, env) {
  console.log(`\n== ${title}`);
  const result = spawnSync(command, args, {
    cwd: projectDir,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  if (result.error !== undefined) throw result.error;
  return result.status ?? 1;
}

/** @param {string} path */
function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    console.error(`The report of a test runner cannot be read: ${String(error)}`);
    return null;
  }
}

const codes = [step('static checks', process.execPath, [join(projectDir, 'scripts', 'check.mjs')])];
codes.push(
  step('unit and component tests', 'vitest', [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${unitReport}`,
  ]),
);
const built = step('build', 'electron-vite', ['build', '--logLevel=warn']);
codes.push(built);
if (built === 0) {
  console.log('\n== end-to-end tests in Electron');
  codes.push(
    await runInSession(join(projectDir, 'node_modules', '.bin', 'playwright'), ['test'], {
      display: 'virtual',
      env: { PLAYWRIGHT_JSON_OUTPUT_FILE: endToEndReport },
    }),
  );
}

const unit = readReport(unitReport);
const endToEnd = built === 0 ? readReport(endToEndReport) : null;
const passed = (unit?.numPassedTests ?? 0) + (endToEnd?.stats?.expected ?? 0);
// A test that passed only when it was tried again is counted as failed: it cannot be relied on.
let failed = (unit?.numFailedTests ?? 0) + (endToEnd?.stats?.unexpected ?? 0) + (endToEnd?.stats?.flaky ?? 0);
const green = codes.every((code) => code === 0) && unit !== null && endToEnd !== null && passed > 0;
// A step that failed without a failing test (a static check, the build, a runner that crashed) counts as one.
if (!green && failed === 0) failed = 1;

console.log(`\ntests: ${passed} passed, ${failed} failed`);
process.exitCode = green && failed === 0 ? 0 : 1;
