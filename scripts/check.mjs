// `npm run check`: the static checks of the whole tree, as many at a time as there are cores. Prints one line for each,
// and the output only of those that failed, with the reason for the check and what to do. `npm run check -- lint types`
// runs these two alone; with `--files`, the checks that look at one file at a time look at the named files only.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');

/**
 * @typedef {object} Net
 * @property {string} command In node_modules/.bin.
 * @property {string[]} args
 * @property {RegExp} [each] The files that it can check one by one; without it, it checks the whole tree.
 * @property {string[]} [all] The arguments that mean all of these files, where that is not the whole tree.
 * @property {string} why
 * @property {string} remedy
 */

// The longest first, so that none is left to run alone at the end. Findings that depend on one file alone are cached
// under .cache/ until the file, the rules or the tool change.
/** @param {string} tool @returns {string[]} */
const kept = (tool) => ['--cache', '--cache-strategy=content', `--cache-location=.cache/${tool}/`];

/** @type {Record<string, Net>} */
const nets = {
  lint: {
    command: 'eslint',
    args: ['--max-warnings=0', ...kept('eslint')],
    each: /\.svelte(\.ts)?$/,
    all: ['src/**/*.svelte', 'src/**/*.svelte.ts'],
    why: 'Lint finds what compiles and is still wrong in a component, and globals and syntax that its folder forbids.',
    remedy:
      'Do what the message says. If a rule is wrong at one place: `// eslint-disable-next-line <rule> -- <reason>`.',
  },
  svelte: {
    command: 'svelte-check',
    args: ['--tsconfig', 'src/renderer/tsconfig.svelte.json', '--fail-on-warnings', '--output', 'human'],
    why: 'The compiler does not read components; this checks their types, their markup and its accessibility.',
    remedy: 'Mend the component. A warning counts: what it names does not work for somebody.',
  },
  // Type errors in a file can come from a change in another, so this always checks the whole tree.
  types: {
    command: 'oxlint',
    args: [
      ...['--type-aware', '--type-check', '--deny-warnings', '--report-unused-disable-directives'],
      ...['--format=unix', '.'],
    ],
    why: 'Each runtime has its own tsconfig, which knows only what that runtime has: no Node in shared, no DOM in main. And lint finds what compiles and is still wrong, such as a promise that nobody awaits, and globals and syntax that a folder forbids.',
    remedy:
      'Do what the message says. A name that "cannot be found" belongs to another runtime: pass its value in, or use a port or a channel. If a rule is wrong at one place: `// oxlint-disable-next-line <rule> -- <reason>`.',
  },
  dead: {
    command: 'knip',
    args: ['--no-progress', '--no-config-hints', '--cache', '--cache-location=.cache/knip'],
    why: 'Files, exports and dependencies that nothing uses are still read, audited and kept up to date by everyone.',
    remedy:
      'Delete it, or drop the word `export`. If something outside the imports uses it, name it in knip.jsonc.',
  },
  imports: {
    command: 'depcruise',
    args: ['--config', '.dependency-cruiser.mjs', '--output-type', 'err-long', '.'],
    why: 'The table of docs/architecture.md says who may import whom, and no import may go in a circle.',
    remedy: 'Do what the comment under the violation says.',
  },
  format: {
    command: 'prettier',
    args: ['--check', '--log-level', 'warn', '--ignore-unknown', ...kept('prettier')],
    each: /./,
    why: 'One format keeps every difference in a review about meaning.',
    remedy: 'npx prettier --write <file>',
  },
};

/**
 * @param {Net} net
 * @returns {Promise<{ code: number, seconds: number, output: string }>}
 */
function run({ command, args, each, all = ['.'] }) {
  const targets = each === undefined ? [] : (files?.filter((file) => each.test(file)) ?? all);
  const startedAtMs = performance.now();
  const binaries = path.join(root, 'node_modules', '.bin');
  return new Promise((resolve) => {
    /** @type {Buffer[]} */
    const chunks = [];
    const child = spawn(path.join(binaries, command), [...args, ...targets], {
      cwd: root,
      // The tools start with `#!/usr/bin/env node`, which must find the Node that npm installed.
      env: { ...process.env, PATH: `${binaries}${path.delimiter}${process.env['PATH'] ?? ''}` },
      stdio: ['ignore', 'pipe', 'pipe'],
      // On Windows they are .cmd files, which need a shell.
      shell: process.platform === 'win32',
    });
    /** @param {number} code */
    const end = (code) =>
      resolve({
        code,
        seconds: (performance.now() - startedAtMs) / 1000,
        output: Buffer.concat(chunks).toString('utf8').trim(),
      });
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.stderr.on('data', (chunk) => chunks.push(chunk));
    child.on('error', (error) => {
      chunks.push(Buffer.from(`${command} could not be started: ${error.message}. Run: npm ci`));
      end(127);
    });
    child.on('close', (code) => end(code ?? 1));
  });
}

const [asked = [], files] = split(process.argv.slice(2), '--files');
const unknown = asked.filter((name) => !Object.hasOwn(nets, name));
if (unknown.length > 0) {
  console.error(`No check named ${unknown.join(', ')}. There are: ${Object.keys(nets).join(', ')}.`);
  process.exit(2);
}

const waiting = Object.entries(nets)
  .filter(([name]) => asked.length === 0 || asked.includes(name))
  .filter(
    ([, { each }]) => files === undefined || each === undefined || files.some((file) => each.test(file)),
  );
let failures = 0;

/** @param {string[]} words @param {string} at @returns {string[][]} the words before and after it */
function split(words, at) {
  const index = words.indexOf(at);
  return index < 0 ? [words] : [words.slice(0, index), words.slice(index + 1)];
}

async function worker() {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [name, net] = next;
    const { code, seconds, output } = await run(net);
    console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name.padEnd(8)} ${seconds.toFixed(1).padStart(5)} s`);
    if (code === 0) continue;
    failures += 1;
    console.log(`\n${output}\n\n  Why: ${net.why}\n  Do:  ${net.remedy}\n`);
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, worker));
if (failures > 0) console.log(`${failures} of the checks failed.`);
process.exitCode = failures === 0 ? 0 : 1;
