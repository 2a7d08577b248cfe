// The workflows of a public forge cannot run here; what can be said of them without running them is held.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const project = path.resolve(import.meta.dirname, '..');
const folder = path.join(project, '.github', 'workflows');
const names = readdirSync(folder);
// The schema of package.json is npm's.
const { scripts } = JSON.parse(readFileSync(path.join(project, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

it('there are workflows for checks and for a release', () => {
  expect(names.toSorted()).toEqual(['checks.yml', 'release.yml']);
});

describe.each(names)('%s', (name) => {
  const text = readFileSync(path.join(folder, name), 'utf8');
  const all = (pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] ?? '');

  it('runs only scripts that there are', () => {
    const ran = all(/\bnpm (?:run )?(?!ci\b)([\w:-]+)/g);
    expect(ran.length).toBeGreaterThan(0);
    expect(ran.filter((script) => !(script in scripts))).toEqual([]);
  });

  it('uses only actions of the forge itself, each by its commit with the version beside it', () => {
    const used = all(/\buses:\s*(.*)$/gm);
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((use) => !/^actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(use))).toEqual([]);
  });

  it('may only read, and a job that may write runs nothing of the project', () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read\n\n/m);
    const [, jobs = ''] = text.split(/^jobs:\n/m);
    const writing = jobs.split(/^ {2}(?=\w)/m).filter((job) => /:\s*write\b/.test(job));
    expect(writing.length).toBe(name === 'release.yml' ? 1 : 0);
    for (const job of writing) expect(job).not.toMatch(/\b(npm|npx|node|checkout)\b/);
  });

  it('puts nothing that a stranger chooses into a command', () => {
    const commands = all(/^\s*(?:- )?run: (.*(?:\n {10,}.*)*)/gm);
    expect(commands.filter((command) => command.includes('${{'))).toEqual([]);
    expect(text).not.toContain('pull_request_target');
  });
});

it('the packages of a release know where the next one will be, and its lists stand beside them', () => {
  const text = readFileSync(path.join(folder, 'release.yml'), 'utf8');
  expect(text).toContain('WATCHKEEPER_UPDATES_FROM: github:${{ github.repository }}\n');
  expect(text).toContain('out/packages/latest*.yml\n');
  expect(readFileSync(path.join(folder, 'checks.yml'), 'utf8')).not.toContain('WATCHKEEPER_UPDATES_FROM');
});
