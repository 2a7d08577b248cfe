// `npm run test:mutants [-- ROOM…]`: which faults the tests of the pure rules notice. Stryker changes the rules in one place at a
// time and runs the tests that reach it; a change that no test notices is a survivor. Prints for each room the survivors and
// the share of noticed changes, in total and for each file; fails below the bound in stryker.config.mjs. Results for rules and
// tests that have not changed since the last run are taken from `.cache/mutants/ROOM.json`; delete it when only code that
// they import has changed.
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { projectDir } from './setup/common.mjs';

const sync = 'src/main/core/activity/sync';
const health = 'src/main/core/health';
const past = 'src/main/adapters/storage/health/history';

/**
 * The rules of each room, and the only tests that are run for them: those that are named after a rule, unless it says which.
 * @type {Record<string, { rules: string[], tests?: string[] }>}
 */
const rooms = {
  amounts: { rules: ['src/shared/amounts.ts'] },
  spam: { rules: ['src/shared/activity/{spam,look-alike}.ts'] },
  coverage: { rules: ['src/shared/activity/blocks.ts', `${sync}/{plan,range-size}.ts`] },
  // A room each, so that the bound holds for each.
  'sync-coverage': { rules: [`${sync}/coverage.ts`] },
  'sync-walk': { rules: [`${sync}/walk.ts`] },
  'sync-run': { rules: [`${sync}/run-state.ts`] },
  budget: { rules: ['src/main/core/endpoints/budget.ts'] },
  uptime: { rules: ['src/shared/health/uptime.ts', `${health}/history/strips.ts`] },
  incidents: { rules: ['src/shared/health/{incidents,worst-values}.ts'] },
  states: { rules: [`${health}/episodes/*.ts`, `${health}/poll/phase.ts`] },
  rhythm: { rules: [`${health}/poll/{poll-machine,schedule,request-gate}.ts`] },
  // The shell of the rhythm, whose tests simulate hours: the slowest room, even without the longest of them.
  poller: {
    rules: [`${health}/poll/poller.ts`],
    tests: [`${health}/poll/poller{,.automatic,.doors,.follow-up,.signs}.test.ts`],
  },
  retention: {
    rules: [`${health}/node/{sure-time,node-upkeep}.ts`, `${past}/upkeep.ts`],
    tests: [`${health}/node/{sure-time,node-upkeep}.test.ts`, `${past}/upkeep{,.damaged}.test.ts`],
  },
  ask: { rules: [`${health}/ask/*.ts`] },
  completion: { rules: ['src/main/core/activity/completion/{completion-queue,pauses}.ts'] },
  window: { rules: ['src/renderer/src/state/*.ts'], tests: ['src/renderer/src/state/*.test.ts'] },
  filters: {
    rules: [
      'src/main/adapters/storage/activity/filter-match.ts',
      'src/main/adapters/storage/activity/row-index/{fields,pills,ranges}.ts',
      'src/main/adapters/storage/sqlite/bounds.ts',
    ],
    tests: ['src/main/adapters/storage/activity/row-index/row-index.test.ts'],
  },
};

const cacheDir = join('.cache', 'mutants');

const names = process.argv.slice(2);
const unknown = names.filter((name) => !Object.hasOwn(rooms, name));
if (unknown.length > 0) {
  console.error(`No room ${unknown.join(', ')}. There are: ${Object.keys(rooms).join(', ')}.`);
  process.exit(2);
}

/** Throws where a pattern matches no file, because its rules would go untested. @param {string[]} patterns */
function filesOf(patterns) {
  return patterns.flatMap((pattern) => {
    const files = globSync(pattern, { cwd: projectDir });
    if (files.length === 0)
      throw new Error(`${pattern} is no file; mend the rooms of scripts/test-mutants.mjs.`);
    return files;
  });
}

/** @param {string} rule */
const testsNamedAfter = (rule) =>
  globSync(rule.replace(/\.ts$/, '{,.*}.test.ts'), { cwd: projectDir }).filter(
    // They take seconds, and every change would run all of them.
    (test) => !/\.(real-cluster|bad-input|node-period)\./.test(test),
  );

/** @param {string} name @param {{ rules: string[], tests?: string[] }} room */
async function testRoom(name, room) {
  const rules = filesOf(room.rules).filter((file) => !file.endsWith('.test.ts'));
  const tests = room.tests === undefined ? rules.flatMap(testsNamedAfter) : filesOf(room.tests);
  // Not by Stryker's `testFiles`, with which no test is run for changes to code that runs once, while a module loads.
  process.env['WATCHKEEPER_TESTS'] = [...new Set(tests)].join();
  const incrementalFile = join(cacheDir, `${name}.json`);
  forgetStatic(incrementalFile);
  const stryker = new Stryker({ configFile: 'stryker.config.mjs', mutate: rules, incrementalFile });
  await stryker.runMutationTest();
}

/**
 * Code that runs once, while a module loads, is covered by no single test, so Stryker would reuse its results for ever.
 * @param {string} incrementalFile
 */
function forgetStatic(incrementalFile) {
  if (!existsSync(incrementalFile)) return;
  const report = JSON.parse(readFileSync(incrementalFile, 'utf8'));
  for (const file of Object.values(report.files)) {
    file.mutants = file.mutants.filter(
      (/** @type {{ static?: boolean }} */ mutant) => mutant.static !== true,
    );
  }
  writeFileSync(incrementalFile, JSON.stringify(report));
}

process.chdir(projectDir);
mkdirSync(cacheDir, { recursive: true });
for (const [name, room] of Object.entries(rooms)) {
  if (names.length > 0 && !names.includes(name)) continue;
  console.log(`\nRoom ${name}`);
  await testRoom(name, room).catch((/** @type {Error} */ error) => {
    console.log(`${name} was not tested: ${error.message}`);
    process.exitCode = 1;
  });
}
