import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

/** Asked of the script itself, in a Node of its own. */
function isBuilt(folder: string): boolean {
  const script = `import { isBuilt } from './build.mjs'; console.log(isBuilt(${JSON.stringify(folder)}));`;
  const args = ['--input-type=module', '-e', script];
  return execFileSync(process.execPath, args, { cwd: import.meta.dirname, encoding: 'utf8' }) === 'true\n';
}

/** A project whose sources were changed at 1 s, and its build when `parts` say. */
async function made(parts: Readonly<Record<string, number>>) {
  const folder = await mkdtemp(join(tmpdir(), 'built-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const write = async (path: string, atSeconds: number) => {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), '');
    for (const each of [path, join(path, '..')]) await utimes(join(folder, each), atSeconds, atSeconds);
  };
  await write('src/index.js', 1);
  for (const [name, atSeconds] of Object.entries(parts)) await write(`out/${name}/index.js`, atSeconds);
  return { folder, write };
}

const whole = { main: 2, preload: 2, renderer: 2, 'sample-data': 2 };

it.each([
  ['whole and newer than the sources', whole, true],
  ['missing', {}, false],
  ['older than a source', { main: 0, preload: 0, renderer: 0, 'sample-data': 0 }, false],
  ['interrupted before its window', { main: 2, preload: 2 }, false],
  ['interrupted before a newer window', { ...whole, renderer: 0 }, false],
])('a build that is %s', async (_what, parts, expected) => {
  const { folder } = await made(parts);
  expect(isBuilt(folder)).toBe(expected);
});

it.each(['svelte.config.js', 'scripts/drawn-text.ts'])(
  'a build that is older than %s, with which components are compiled',
  async (file) => {
    const { folder, write } = await made(whole);
    await write(file, 3);
    expect(isBuilt(folder)).toBe(false);
  },
);
