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

it.each([
  ['whole and newer than the sources', { main: 2, preload: 2, renderer: 2, 'sample-data': 2 }, true],
  ['missing', {}, false],
  ['older than a source', { main: 0, preload: 0, renderer: 0, 'sample-data': 0 }, false],
  ['interrupted before its window', { main: 2, preload: 2 }, false],
  ['interrupted before a newer window', { main: 2, preload: 2, renderer: 0, 'sample-data': 2 }, false],
])('a build that is %s', async (_what, parts, expected) => {
  const folder = await mkdtemp(join(tmpdir(), 'built-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const write = async (path: string, atSeconds: number) => {
    await mkdir(join(folder, path), { recursive: true });
    await writeFile(join(folder, path, 'index.js'), '');
    for (const each of [join(path, 'index.js'), path]) await utimes(join(folder, each), atSeconds, atSeconds);
  };
  await write('src', 1);
  for (const [name, atSeconds] of Object.entries(parts)) await write(join('out', name), atSeconds);
  expect(isBuilt(folder)).toBe(expected);
});
