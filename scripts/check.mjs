// `npm run check`: the static checks of the whole tree, as many at a time as there are cores. Prints one line for each,
// and the output only of those that failed, with the reason for the check and what to do. `npm run check -- lint types`
// runs these two alone.
import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const binaries = path.join(root, 'node_modules', '.bin');

/**
 * A check: a command in node_modules/.bin, and what is said when it fails.
 * @typedef {Record<'command' | 'why' | 'remedy', string> & { args: string[] }} Net
 */

// The longest first, so that none is left to run alone at the end. Findings that depend on one file alone are cached
// under .cache/ until the file, the rules or the tool change.
/** @param {string} tool @returns {string[]} */
const kept = (tool) => ['--cache', '--cache-strategy=content', `--cache-location=.cache/${tool}/`];

/** @type {Record<string, Net>} */
const nets = {
  lint: {
    command: 'eslint',
    args: ['--max-warnings=0', ...kept('eslint'), 'src/**/*.svelte{,.ts}'],
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
    args: ['--check', '--log-level', 'warn', '--ignore-unknown', ...kept('prettier'), '.'],
    why: 'One format keeps every difference in a review about meaning.',
    remedy: 'npx prettier --write <file>',
  },
};

/** @param {Net} net @returns {Promise<{ isGreen: boolean, output: string }>} */
function run({ command, args }) {
  const options = {
    cwd: root,
    // The tools start with `#!/usr/bin/env node`, which must find the Node that npm installed.
    env: { ...process.env, PATH: `${binaries}${path.delimiter}${process.env['PATH'] ?? ''}` },
    maxBuffer: Infinity,
    // On Windows they are .cmd files, which need a shell.
    shell: process.platform === 'win32',
  };
  return new Promise((resolve) => {
    execFile(path.join(binaries, command), args, options, (error, stdout, stderr) => {
      const output = `${stdout}${stderr}`.trim();
      resolve({ isGreen: error === null, output: output === '' ? `${error?.message}. Run: npm ci` : output });
    });
  });
}

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(nets, name));
if (unknown.length > 0) {
  console.error(`No check named ${unknown.join(', ')}. There are: ${Object.keys(nets).join(', ')}.`);
  process.exit(2);
}

const waiting = Object.entries(nets).filter(([name]) => asked.length === 0 || asked.includes(name));
let failures = 0;

async function worker() {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [name, net] = next;
    const startedAtMs = performance.now();
    const { isGreen, output } = await run(net);
    const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(1);
    console.log(`${isGreen ? 'ok    ' : 'FAILED'} ${name.padEnd(8)} ${seconds.padStart(5)} s`);
    if (isGreen) continue;
    failures += 1;
    console.log(`\n${output}\n\n  Why: ${net.why}\n  Do:  ${net.remedy}\n`);
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, worker));
if (failures > 0) console.log(`${failures} of the checks failed.`);
process.exitCode = failures === 0 ? 0 : 1;
