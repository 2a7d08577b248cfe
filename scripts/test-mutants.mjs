// `npm run test:mutants [-- ROOM…]`: which faults the tests of the pure rules notice. Stryker changes the rules in one place at a
// time and runs the tests that reach it; a change that no test notices is a survivor. Prints for each room the survivors and
// the share of noticed changes, in total and for each file; fails below the bound in stryker.config.mjs. Results for rules and
// tests that have not changed since the last run are taken from `.cache/mutants/ROOM.json`; delete it when only code that
// they import has changed.
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { projectDir } from './setup/common.mjs';

/**
 * The rules of each room, and the only tests that are run for them.
 * @type {Record<string, { rules: string[], tests: string[] }>}
 */
const rooms = {
  amounts: { rules: ['src/shared/amounts.ts'], tests: ['src/shared/amounts.test.ts'] },
  spam: {
    rules: ['src/shared/activity/{spam,look-alike}.ts'],
    tests: ['src/shared/activity/{spam,look-alike}.test.ts'],
  },
  coverage: {
    rules: ['src/shared/activity/blocks.ts', 'src/main/core/activity/sync/{plan,range-size}.ts'],
    tests: ['src/shared/activity/blocks.test.ts', 'src/main/core/activity/sync/{plan,range-size}.test.ts'],
  },
  // A room each, so that the bound holds for each.
  'sync-coverage': {
    rules: ['src/main/core/activity/sync/coverage.ts'],
    tests: ['src/main/core/activity/sync/coverage.test.ts'],
  },
  'sync-walk': {
    rules: ['src/main/core/activity/sync/walk.ts'],
    tests: ['src/main/core/activity/sync/walk.test.ts', 'src/main/core/activity/sync/walk.seconds.test.ts'],
  },
  'sync-run': {
    rules: ['src/main/core/activity/sync/run-state.ts'],
    tests: ['src/main/core/activity/sync/run-state*.test.ts'],
  },
  budget: {
    rules: ['src/main/core/endpoints/budget.ts'],
    tests: ['src/main/core/endpoints/budget.test.ts'],
  },
  uptime: {
    rules: ['src/shared/health/uptime.ts', 'src/main/core/health/history/strips.ts'],
    tests: ['src/shared/health/uptime*.test.ts', 'src/main/core/health/history/strips.test.ts'],
  },
  incidents: {
    rules: ['src/shared/health/{incidents,worst-values}.ts'],
    tests: ['src/shared/health/{incidents,worst-values}.test.ts'],
  },
  states: {
    rules: ['src/main/core/health/episodes/*.ts', 'src/main/core/health/poll/phase.ts'],
    tests: [
      // Without the recorded cluster: it is replayed before its tests, so every change would run all of it.
      'src/main/core/health/episodes/{check-history,episodes,runs,silence,slow,stall}.test.ts',
      // Without the tests of the poller, which simulate hours: they would run for nearly every change and prove no more.
      'src/main/core/health/poll/{phase,phase.property}.test.ts',
    ],
  },
  rhythm: {
    rules: ['src/main/core/health/poll/{poll-machine,schedule,request-gate}.ts'],
    tests: ['src/main/core/health/poll/{poll-machine,poll-machine.learns,schedule,request-gate}.test.ts'],
  },
  // The shell of the rhythm, whose tests simulate hours: the slowest room.
  poller: {
    rules: ['src/main/core/health/poll/poller.ts'],
    tests: [
      'src/main/core/health/poll/{poller,poller.automatic,poller.doors,poller.follow-up,poller.signs}.test.ts',
    ],
  },
  retention: {
    rules: [
      'src/main/core/health/node/{sure-time,node-upkeep}.ts',
      'src/main/adapters/storage/health/history/upkeep.ts',
    ],
    tests: [
      'src/main/core/health/node/{sure-time,node-upkeep}.test.ts',
      'src/main/adapters/storage/health/history/upkeep{,.damaged}.test.ts',
    ],
  },
  ask: {
    rules: ['src/main/core/health/ask/*.ts'],
    tests: [
      // Without the tests of hostile answers, which take seconds each.
      'src/main/core/health/ask/{ask-node,check,check-names,no-report,node-clock,node-disagreement}.test.ts',
      'src/main/core/health/ask/{node-fields,node-network,node-rpc,probe,report}.test.ts',
    ],
  },
  completion: {
    rules: ['src/main/core/activity/completion/{completion-queue,pauses}.ts'],
    tests: ['src/main/core/activity/completion/completion-queue.test.ts'],
  },
  window: {
    rules: ['src/renderer/src/state/*.ts'],
    tests: ['src/renderer/src/state/*.test.ts'],
  },
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

/** @param {string} name @param {{ rules: string[], tests: string[] }} room */
async function testRoom(name, { rules, tests }) {
  // Not by Stryker's `testFiles`, with which no test is run for changes to code that runs once, while a module loads.
  process.env['WATCHKEEPER_TESTS'] = filesOf(tests).join();
  const incrementalFile = join(cacheDir, `${name}.json`);
  forgetStatic(incrementalFile);
  const stryker = new Stryker({
    configFile: 'stryker.config.mjs',
    mutate: filesOf(rules).filter((file) => !file.endsWith('.test.ts')),
    incrementalFile,
  });
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
