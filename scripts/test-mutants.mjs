// `npm run test:mutants [-- ROOM…]`: what the tests of the pure rules would notice. Stryker changes the rules in one place at a
// time, and runs the tests that reach it; a change that no test notices is a survivor. Prints the share of noticed changes of
// each room, and the survivors; red below 85 %. What has not changed since the last run, in the rules and in their tests, is
// taken from `.cache/mutants/ROOM.json`; delete it when a rule has changed that these only import.
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { projectDir } from './setup/common.mjs';

/** @typedef {Awaited<ReturnType<Stryker['runMutationTest']>>[number]} MutantResult */

const leastPercent = 85;

/**
 * The rules of each room, and the tests that alone have to prove them.
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
    rules: ['src/main/core/health/episodes/*.ts', 'src/main/core/health/poll/{poll-machine,phase}.ts'],
    tests: [
      // Without the recorded cluster, which is played before its tests: so each change would be tested by all of it.
      'src/main/core/health/episodes/{check-history,episodes,runs,silence,slow,stall}.test.ts',
      // Without those of the poller, which play hours: each would be run for nearly every change, and prove no more.
      'src/main/core/health/poll/{poll-machine,poll-machine-learns,phase,phase.property}.test.ts',
    ],
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
const unknown = names.filter((name) => rooms[name] === undefined);
if (unknown.length > 0) {
  console.error(`No room ${unknown.join(', ')}. There are: ${Object.keys(rooms).join(', ')}.`);
  process.exit(2);
}

/** A pattern that nothing fits any more would let its rules go untested. @param {string[]} patterns */
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
  // Not by Stryker's `testFiles`: with it, changes of what is made once, while a module is read, are tested by no test.
  process.env['WATCHKEEPER_TESTS'] = filesOf(tests).join();
  const incrementalFile = join(cacheDir, `${name}.json`);
  forgetStatic(incrementalFile);
  const stryker = new Stryker({
    configFile: 'stryker.config.mjs',
    mutate: filesOf(rules).filter((file) => !file.endsWith('.test.ts')),
    incrementalFile,
  });
  return stryker.runMutationTest();
}

/**
 * What is made once, while a module is read, has no test of its own, so Stryker would never ask again after a new test.
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

const isNoticed = (/** @type {MutantResult} */ { status }) => status === 'Killed' || status === 'Timeout';
const isMissed = (/** @type {MutantResult} */ { status }) => status === 'Survived' || status === 'NoCoverage';

/** @param {MutantResult} mutant */
function lineOf({ fileName, location: { start, end }, replacement, status }) {
  const lines = readFileSync(fileName, 'utf8')
    .split('\n')
    .slice(start.line - 1, end.line);
  lines.push((lines.pop() ?? '').slice(0, end.column - 1));
  lines[0] = (lines[0] ?? '').slice(start.column - 1);
  const [before, after] = [lines.join('\n'), replacement ?? ''].map(short);
  const where = `${relative(projectDir, fileName)}:${start.line}:${start.column}`;
  return `  ${where}  ${before}  →  ${after}${status === 'NoCoverage' ? '  (no test comes here)' : ''}`;
}

/** @param {string} code */
function short(code) {
  const line = code.replaceAll(/\s+/g, ' ');
  return line.length > 70 ? `${line.slice(0, 68)} …` : line;
}

process.chdir(projectDir);
mkdirSync(cacheDir, { recursive: true });
/** @type {string[]} */
const scores = [];
for (const name of names.length === 0 ? Object.keys(rooms) : names) {
  const startedAtMs = performance.now();
  const room = rooms[name];
  if (room === undefined) continue;
  const mutants = await testRoom(name, room).catch((/** @type {Error} */ error) => error);
  if (mutants instanceof Error) {
    scores.push(`${name.padEnd(10)} not tested: ${mutants.message}`);
    process.exitCode = 1;
    continue;
  }
  const missed = mutants.filter(isMissed);
  const noticed = mutants.filter(isNoticed).length;
  const percent = (100 * noticed) / (noticed + missed.length);
  const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(0);
  const score = `${name.padEnd(10)} ${percent.toFixed(1).padStart(5)} %  ${noticed} of ${noticed + missed.length} changes noticed, ${seconds} s`;
  console.log(`${missed.map(lineOf).join('\n')}\n${score}\n`);
  scores.push(score);
  if (!(percent >= leastPercent)) process.exitCode = 1;
}
console.log(`${scores.join('\n')}\nAt least ${leastPercent} % of each room have to be noticed.`);
