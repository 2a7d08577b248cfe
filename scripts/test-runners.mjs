// Starts the two test runners for `npm test` and `npm run test:repeat`, and reads their reports.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { runInSession } from './session.mjs';
import { projectDir, run } from './setup/common.mjs';

// Every Node that is started from here caches compiled code by the text of each file. Tests start the store's thread and
// the sample service hundreds of times, each from about a hundred TypeScript files: compiling them takes half a second, reading
// them from the cache a quarter of that.
process.env['NODE_COMPILE_CACHE'] ??= join(projectDir, '.cache', 'v8');

/**
 * @typedef {object} Outcome
 * @property {number} code The exit code of the runner; 0 when all tests passed.
 * @property {number} passed
 * @property {number} skipped
 * @property {string[]} failed The names of the tests that failed, with their files.
 */

const reportsDir = join(projectDir, 'out', 'reports');

/** Unit and component tests; the arguments are vitest's. @param {string[]} args @returns {Promise<Outcome>} */
export async function runUnitTests(args = []) {
  const file = freshReport('unit.json');
  const code = await run('vitest', [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
    ...args,
  ]);
  const report = read(file);
  /** @type {{ name: string, assertionResults: { status: string, fullName: string }[] }[]} */
  const files = report?.testResults ?? [];
  const failed = files.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName }) => `${relative(projectDir, name)}: ${fullName}`),
  );
  return {
    code,
    passed: report?.numPassedTests ?? 0,
    skipped: report?.numPendingTests ?? 0,
    failed: named(failed, code, 'vitest'),
  };
}

/** End-to-end tests of the built app; the arguments are Playwright's. @param {string[]} args @returns {Promise<Outcome>} */
export async function runEndToEndTests(args = []) {
  const file = freshReport('end-to-end.json');
  const code = await runInSession(join(projectDir, 'node_modules', '.bin', 'playwright'), ['test', ...args], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: file,
  });
  const report = read(file);
  // A test that passed only on a second try counts as failed.
  const isRed = (/** @type {{ status: string }} */ { status }) => /^(unexpected|flaky)$/.test(status);
  /** @param {any} suite The schema of the report is Playwright's. @returns {string[]} */
  const failedIn = ({ specs = [], suites = [] }) => [
    ...specs.flatMap((/** @type {any} */ { title, file: name, tests }) =>
      tests.some(isRed) ? [`e2e/specs/${name}: ${title}`] : [],
    ),
    ...suites.flatMap(failedIn),
  ];
  const failed = report === null ? [] : failedIn(report);
  const { expected = 0, skipped = 0 } = report?.stats ?? {};
  return { code, passed: expected, skipped, failed: named(failed, code, 'Playwright') };
}

/** A runner that failed without a failing test (it crashed, or an error came outside of tests) counts as one.
 * @param {string[]} failed @param {number} code @param {string} runner */
function named(failed, code, runner) {
  return code === 0 || failed.length > 0 ? failed : [`${runner} ended with code ${code}`];
}

/** @param {string} name */
function freshReport(name) {
  mkdirSync(reportsDir, { recursive: true });
  const file = join(reportsDir, name);
  rmSync(file, { force: true });
  return file;
}

/** @param {string} path */
function read(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    console.error(`The report of a test runner cannot be read: ${String(error)}`);
    return null;
  }
}
