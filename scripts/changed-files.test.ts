import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const script = `import { changedSinceMain } from ${JSON.stringify(new URL('changed-files.mjs', import.meta.url))};
  console.log(changedSinceMain(process.cwd()).files.join());`;

let folder: string;
const git = (...args: string[]) => {
  const me = ['-c', 'user.name=me', '-c', 'user.email=me@example.org'];
  execFileSync('git', [...me, ...args], { cwd: folder, stdio: 'pipe' });
};
const ask = () =>
  spawnSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: folder, encoding: 'utf8' });
const add = (name: string) => {
  writeFileSync(join(folder, name), '');
  git('add', '.');
  git('commit', '-m', name);
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'changed-files-'));
  git('init', '--initial-branch=work');
  add('old');
});
afterEach(() => rmSync(folder, { recursive: true }));

it.each(['refs/heads/main', 'refs/remotes/origin/main'])('are those since %s, and the new ones', (main) => {
  git('update-ref', main, 'HEAD');
  add('committed');
  writeFileSync(join(folder, 'new'), '');
  expect(ask().stdout).toBe('committed,new\n');
});

it('cannot be told without main, which is said with what to do', () => {
  expect(ask().stderr).toContain('SetupError: Cannot tell what has changed since the branch main');
  rmSync(join(folder, '.git'), { recursive: true });
  expect(ask().stderr).toContain('SetupError: Cannot tell what has changed since the branch main');
});
