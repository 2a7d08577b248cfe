// Plants one violation of each kind in a copy of the project, runs `npm run check`'s script over it once, and proves that
// each is found, in its file, with a message that says why and what to do instead; and that nothing else is said. Of the code
// the copy has little; what is there stands where it stands in the project, and the settings of the tools are the project's.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lintFiles } from './check/testing/planted-lint.ts';
import { importPlants, sveltePlants, typePlants } from './check/testing/planted-violations.ts';

const project = path.resolve(import.meta.dirname, '..');
/** Alone the run takes half a minute; it may share its cores with every other test. */
const patienceMs = 600_000;

const unformatted = 'src/shared/planted-format.ts';
const deadFile = 'src/main/planted-dead.ts';
const deadExport = 'plantedDeadExport';
const deadExportFile = 'src/shared/ipc/channels.ts';
const deadDependency = 'planted-dependency';
/** Has no violation planted, and must not be named for one. */
const untouched = 'src/shared/time.ts';

let home = '';
let copy = '';
/** Output of each check, by its name. */
let outputs: Map<string, string>;
let exitCode: number | null;

beforeAll(async () => {
  home = realpathSync(mkdtempSync(path.join(tmpdir(), 'watchkeeper-check-')));
  // As in the home of many people: what is the source of the app is not told by this name above the project.
  copy = path.join(home, 'src', 'watchkeeper');
  plant();
  copyProject();
  const run = await runCheck();
  exitCode = run.exitCode;
  outputs = run.outputs;
}, patienceMs);

afterAll(() => {
  if (home !== '') rmSync(home, { recursive: true, force: true });
});

/** The settings of the tools, and of the code what is planted imports, and so on: the tools take as long as there is code. */
function copyProject() {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: project,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  const names = new Set(listed.split('\0'));
  const wanted = [...names].filter((name) => !name.includes('/') || /\/tsconfig[^/]*\.json$/.test(name));
  wanted.push(...[...names].filter((name) => /^src\/.*README\.md$/.test(name)));
  wanted.push('scripts/check.mjs', 'src/preload/index.ts', untouched);
  for (const file of planted) wanted.push(...importsOf(file, readFileSync(path.join(copy, file), 'utf8')));
  for (const name of wanted) {
    const source = path.join(project, name);
    const target = path.join(copy, name);
    // A tracked file that was just deleted is still listed.
    if (!names.has(name) || existsSync(target) || !existsSync(source)) continue;
    cpSync(source, target);
    wanted.push(...importsOf(name, readFileSync(source, 'utf8')));
  }
  symlinkSync(path.join(project, 'node_modules'), path.join(copy, 'node_modules'), 'junction');
}

function importsOf(file: string, code: string): string[] {
  const relative = [...code.matchAll(/['"](\.\.?\/[^'"]+)['"]/g)].map((match) => match[1] ?? '');
  return relative.map((specifier) => path.posix.join(path.posix.dirname(file), specifier));
}

const planted = new Set<string>();

function write(file: string, text: string) {
  planted.add(file);
  mkdirSync(path.join(copy, path.dirname(file)), { recursive: true });
  writeFileSync(path.join(copy, file), text);
}

function plant() {
  for (const [file, lines] of Object.entries(lintFiles)) {
    write(file, `${lines.map(([code]) => code).join('\n')}\n`);
  }
  for (const { from, code, besides } of importPlants) {
    write(from, `${code}\n`);
    for (const [file, other] of Object.entries(besides ?? {})) write(file, `${other}\n`);
  }
  for (const { file, code } of [...typePlants, ...sveltePlants]) write(file, `${code}\n`);
  write(unformatted, "export const  badlyFormatted = [ 'a','b' ]\n");
  write(deadFile, 'export const unused = 1;\n');
  const channels = readFileSync(path.join(project, deadExportFile), 'utf8');
  write(deadExportFile, `${channels}export const ${deadExport} = 1;\n`);
  // The roots of the app, which import all of it.
  write('src/main/index.ts', "import * as time from '../shared/time.ts';\nexport const used = time;\n");
  write('src/renderer/src/main.ts', 'export {};\n');
  // The schema of package.json is npm's; only this field is touched.
  const manifest = JSON.parse(readFileSync(path.join(project, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  manifest.dependencies[deadDependency] = '1.0.0';
  write('package.json', JSON.stringify(manifest, null, 2));
}

async function runCheck(): Promise<{ exitCode: number | null; outputs: Map<string, string> }> {
  // Some tools colour their words where they think that a person of a CI service reads them.
  const { CI: _ci, FORCE_COLOR: _colour, ...env } = process.env;
  const check = path.join(copy, 'scripts', 'check.mjs');
  const child = spawn(process.execPath, [check], {
    cwd: copy,
    env: { ...env, NO_COLOR: '1' },
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const sections = text.split(/^(?:ok    |FAILED) (\w+) +[\d.]+ s$/m);
  const pairs = Array.from({ length: (sections.length - 1) / 2 }, (_, i) => {
    return [sections[2 * i + 1] ?? '', sections[2 * i + 2] ?? ''] as const;
  });
  return { exitCode: code, outputs: new Map(pairs) };
}

function outputOf(name: string): string {
  const output = outputs.get(name);
  if (output === undefined) throw new Error(`The check "${name}" did not run.`);
  return output;
}

/**
 * What the two linters say about a file, by line. The layout of the first: the path, then `line:column level message rule`; of
 * the second: `path:line:column: message`, which here leaves out what the compiler itself says.
 */
function lintReports(file: string): { line: number; message: string }[] {
  const block = outputOf('lint')
    .split(/\n(?=\/|[A-Z]:\\)/)
    .find((text) => text.trimStart().startsWith(path.join(copy, file) + '\n'));
  const ofTypes = new RegExp(`^${escaped(file)}:(\\d+):\\d+: (.*)(?<!\\(TS\\d+\\)\\])$`, 'gm');
  return [
    ...(block ?? '').matchAll(/^ +(\d+):\d+ +error +(.*)$/gm),
    ...outputOf('types').matchAll(ofTypes),
  ].map((match) => ({ line: Number(match[1]), message: match[2] ?? '' }));
}

it('fails', () => {
  expect(exitCode).toBe(1);
});

describe.each(['lint', 'svelte', 'types', 'dead', 'imports', 'format'])('the check "%s"', (name) => {
  it('fails, and says why it is there and what to do', () => {
    expect(outputOf(name)).toMatch(/^ {2}Why: .{40,}\n {2}Do: {2}.{20,}$/m);
  });

  it('says nothing about a file in which nothing was planted', () => {
    expect(outputOf(name)).not.toContain(untouched);
  });
});

describe.each(Object.entries(lintFiles))('lint of %s', (file, lines) => {
  it.each(lines.map(([code, says], index) => ({ code, says, line: index + 1 })).filter(({ says }) => says))(
    'refuses $code',
    ({ says, line }) => {
      const said = lintReports(file).filter((report) => report.line === line);
      expect(said.map(({ message }) => message).join('\n')).toContain(says);
    },
  );

  it('says nothing about the other lines', () => {
    const clean = lines.flatMap(([, says], index) => (says === null ? [index + 1] : []));
    expect(lintReports(file).filter(({ line }) => clean.includes(line))).toEqual([]);
  });
});

describe('import rules', () => {
  it.each(importPlants)('$rule: $from', ({ rule, from, to }) => {
    // Long lines are wrapped, and packages are reached through the link.
    const output = outputOf('imports').replace(/\s+/g, ' ');
    const target = to.endsWith('/') ? `\\S*${escaped(to)}\\S*` : escaped(to);
    const start = output.search(new RegExp(`error ${rule}: ${escaped(from)} → ${target} `));
    expect(start, `${rule} reports ${from} → ${to}`).toBeGreaterThan(-1);
    const report = output.slice(start, output.indexOf(' error ', start + 1));
    expect(report).toMatch(/\. Instead: \S/);
  });

  it('are all planted', async () => {
    const config: { default: { forbidden: { name: string }[] } } = await import(
      path.join(project, '.dependency-cruiser.mjs')
    );
    const planted = new Set(importPlants.map(({ rule }) => rule));
    expect(config.default.forbidden.map(({ name }) => name).filter((name) => !planted.has(name))).toEqual([]);
  });
});

describe('types', () => {
  it.each(typePlants)('$file: $says', ({ file, says }) => {
    const said = outputOf('types')
      .split('\n')
      .filter((line) => line.startsWith(`${file}:1:`));
    expect(said.join('\n')).toContain(says);
  });

  it.each(sveltePlants)('$file: $says', ({ file, says }) => {
    expect(outputOf('svelte')).toMatch(
      new RegExp(`${escaped(file)}:\\d+:\\d+\n(Error|Warn): ${escaped(says)}`),
    );
  });
});

describe('dead code', () => {
  it.each([
    ['file', new RegExp(`^Unused files[^]*^${escaped(deadFile)} *$`, 'm')],
    ['export', new RegExp(`^Unused exports[^]*^${deadExport} +${escaped(deadExportFile)}`, 'm')],
    ['dependency', new RegExp(`^Unused dependencies[^]*^${deadDependency} +package.json`, 'm')],
  ])('finds a dead %s', (_, pattern) => {
    expect(outputOf('dead')).toMatch(pattern);
  });
});

it('format: names the file', () => {
  expect(outputOf('format')).toContain(`[warn] ${unformatted}\n`);
});

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
