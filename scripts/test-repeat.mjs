// `npm run test:repeat -- 10`: unit, component and end-to-end tests ten times, each time in another order and with other
// examples of the property tests. Reports every test that ever failed. Reports, pictures and traces of a failed run are kept
// under out/repeat/RUN/; the seed repeats a run: `npm run test:repeat -- 1 SEED`.
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir, run } from './setup/common.mjs';
import { runEndToEndTests, runUnitTests } from './test-runners.mjs';

const [times = 10, firstSeed = Math.floor(Math.random() * 1_000_000)] = process.argv.slice(2).map(Number);
if (!(Number.isSafeInteger(times) && times > 0 && Number.isSafeInteger(firstSeed))) {
  console.error('npm run test:repeat -- TIMES [SEED], both whole numbers.');
  process.exit(2);
}
const kept = join(projectDir, 'out', 'repeat');
rmSync(kept, { recursive: true, force: true });
mkdirSync(kept, { recursive: true });
process.env['WATCHKEEPER_TRACE'] = '1';

const built = await run('electron-vite', ['build', '--logLevel=warn']);
if (built !== 0) process.exit(built);

/** @type {Map<string, number[]>} the runs in which a test failed */
const red = new Map();
/** @type {string[]} */
const lines = [];
for (let number = 1; number <= times; number += 1) {
  const seed = firstSeed + number - 1;
  process.env['WATCHKEEPER_SEED'] = String(seed);
  console.log(`\n== run ${number} of ${times}, seed ${seed}`);
  const startedAtMs = performance.now();
  const shuffle = ['--sequence.shuffle.files', '--sequence.shuffle.tests', `--sequence.seed=${seed}`];
  const unit = await runUnitTests(shuffle);
  const endToEnd = await runEndToEndTests([`--shuffle=${seed}`]);
  const failed = [...unit.failed, ...endToEnd.failed];
  for (const name of failed) red.set(name, [...(red.get(name) ?? []), number]);
  if (failed.length > 0) {
    for (const findings of ['reports', 'e2e']) {
      const source = join(projectDir, 'out', findings);
      if (existsSync(source)) cpSync(source, join(kept, String(number), findings), { recursive: true });
    }
  }
  const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(0);
  lines.push(
    `run ${number}, seed ${seed}: ${unit.passed + endToEnd.passed} passed, ${failed.length} failed, ${seconds} s`,
  );
  writeFileSync(join(kept, 'report.txt'), `${report()}\n`);
}
console.log(`\n${report()}`);
process.exitCode = red.size === 0 ? 0 : 1;

function report() {
  const everRed = [...red].map(([name, runs]) => `red in ${runs.join(', ')}: ${name}`);
  const green = lines.filter((line) => line.includes(' 0 failed')).length;
  return [...lines, ...everRed, `${green} of ${lines.length} runs green`].join('\n');
}
