// `npm test`: static checks, unit and component tests, build, end-to-end tests in real Electron. The last line counts what
// the runners themselves reported. `npm test -- --changed` tests what has changed since `main`: all static checks (they
// cache their results for unchanged files), the unit and component tests that import a changed file, the changed end-to-end
// tests, and the test of the main job in the app as built now.
import { join } from 'node:path';
import { sources } from './build.mjs';
import { changedSinceMain } from './changed-files.mjs';
import { explain, projectDir, run } from './setup/common.mjs';
import { runEndToEndTests, runUnitTests } from './test-runners.mjs';

/** @import { Outcome } from './test-runners.mjs' */

const [option, ...rest] = process.argv.slice(2);
if (rest.length > 0 || (option !== undefined && option !== '--changed')) {
  console.error('npm test takes no argument but --changed. For single files: npx vitest run FILE');
  process.exit(2);
}
const changed = option === undefined ? null : changedFiles();

/** @type {string[]} */
const times = [];
/** @type {Outcome[]} */
const outcomes = [];

/**
 * A step: its work ends with an exit code, or with the outcome of tests.
 * @param {string} title @param {() => Promise<number | Outcome>} work
 */
async function step(title, work) {
  console.log(`\n== ${title}`);
  const startedAtMs = performance.now();
  const ended = await work();
  times.push(`${title} ${seconds(startedAtMs)}`);
  const outcome =
    typeof ended === 'number'
      ? { code: ended, passed: 0, skipped: 0, failed: ended === 0 ? [] : [title] }
      : ended;
  outcomes.push(outcome);
  return outcome.code;
}

/** @param {number} sinceMs */
const seconds = (sinceMs) => `${((performance.now() - sinceMs) / 1000).toFixed(0)} s`;

const isAppConcerned =
  changed === null ||
  changed.files.some((file) =>
    [...sources, 'e2e'].some((path) => file === path || file.startsWith(`${path}/`)),
  );

const checking = step('static checks', () =>
  run(process.execPath, [join(projectDir, 'scripts', 'check.mjs')]),
);
const building = isAppConcerned
  ? step('build', () => run('electron-vite', ['build', '--logLevel=warn']))
  : Promise.resolve(0);
// With all tests the checks run first: only the few tests for `--changed` leave a core to them.
if (changed === null) await checking;
const built = await building;
await step('unit and component tests', () =>
  runUnitTests(changed === null ? [] : ['--changed', changed.base, '--passWithNoTests']),
);
await checking;
if (isAppConcerned && built === 0) {
  await step('end-to-end tests in Electron', () =>
    runEndToEndTests(changed === null ? [] : endToEndTestsFor(changed.files)),
  );
}

const failed = outcomes.flatMap((outcome) => outcome.failed);
/** @param {'passed' | 'skipped'} what */
const sum = (what) => outcomes.reduce((total, outcome) => total + outcome[what], 0);
if (failed.length > 0) console.log(`\nFailed:\n${failed.map((name) => `  ${name}`).join('\n')}`);
const runtime = process.env['WATCHKEEPER_RUNTIME_LABEL'] ?? 'unknown runtime';
console.log(`\n${times.join(' · ')} · in all ${seconds(0)} · ${runtime}`);
const skipped = sum('skipped') === 0 ? '' : `, ${sum('skipped')} skipped`;
console.log(`tests: ${sum('passed')} passed, ${failed.length} failed${skipped}`);
process.exitCode =
  failed.length === 0 && outcomes.every(({ code }) => code === 0) && sum('passed') > 0 ? 0 : 1;

function changedFiles() {
  try {
    const found = changedSinceMain();
    console.log(`${found.files.length} files have changed since ${found.base.slice(0, 10)}.`);
    return found;
  } catch (error) {
    explain(error);
    process.exit(2);
  }
}

/** The main job and the changed tests; all tests where code that they share has changed. @param {string[]} files */
function endToEndTestsFor(files) {
  const ofTests = files.filter((file) => file.startsWith('e2e/'));
  return ofTests.every((file) => file.startsWith('e2e/specs/')) ? ['main-job', ...ofTests] : [];
}
