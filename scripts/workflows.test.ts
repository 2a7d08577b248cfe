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
    const ran = all(/\b(?:npm (?:run )?(?!ci\b)|scripts\/run\.mjs )([\w:-]+)/g);
    expect(ran.length).toBeGreaterThan(0);
    expect(ran.filter((script) => !(script in scripts))).toEqual([]);
  });

  it('uses only actions of the forge itself, each by its commit with the version beside it', () => {
    const used = all(/\buses:\s*(.*)$/gm);
    expect(used.length).toBeGreaterThan(0);
    const own = names.map((each) => `./.github/workflows/${each}`);
    expect(
      used.filter(
        (use) => !own.includes(use) && !/^actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(use),
      ),
    ).toEqual([]);
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

describe('a release', () => {
  const release = readFileSync(path.join(folder, 'release.yml'), 'utf8');
  // The schema of package.json is npm's.
  const { devDependencies } = JSON.parse(readFileSync(path.join(project, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>;
  };

  it('is made only of a commit whose checks are green', () => {
    expect(release).toMatch(/^ {2}checks:\n {4}uses: \.\/\.github\/workflows\/checks\.yml\n/m);
    expect(release).toMatch(/^ {2}package:\n {4}needs: checks\n/m);
    expect(release).toMatch(/^ {2}draft:\n {4}needs: package\n/m);
    expect(readFileSync(path.join(folder, 'checks.yml'), 'utf8')).toMatch(/^ {2}workflow_call:$/m);
  });

  it('runs on the Node of the lockfile from a pinned action, and no install script downloads another', () => {
    expect(release).toContain(`node-version: ${devDependencies['node']}\n`);
    expect([...release.matchAll(/npm ci[^\n]*/g)].map(([line]) => line)).toEqual([
      'npm ci --ignore-scripts --no-audit --no-fund',
    ]);
    expect(release).toContain('run: node scripts/run.mjs package\n');
  });

  it('has its checksums, its components and its attested origin, and names its own repository', () => {
    expect(release).toContain('out/packages/*.cdx.json\n');
    expect(release).toMatch(/uses: actions\/attest@\S+ # v\S+\n {8}with:\n {10}subject-path: packages\/\*\n/);
    expect(release).toMatch(/id-token: write\n {6}attestations: write\n/);
    expect(release).toContain('"https://github.com/$GITHUB_REPOSITORY" = "$(node -p');
  });

  it('signs with what is given, and secrets reach only the steps that need them', () => {
    for (const name of ['MACOS_CERTIFICATE', 'APPLE_API_KEY', 'WINDOWS_CERTIFICATE', 'AZURE_CLIENT_SECRET']) {
      expect(release).toContain(`secrets.${name}`);
    }
    expect(release).toMatch(/^ {4}environment: release$/m);
    // Below a step, not of a job or of all jobs.
    const lines = release.split('\n').filter((line) => line.includes('secrets.'));
    expect(lines.filter((line) => !/^ {10}\w+: \$\{\{/.test(line))).toEqual([]);
  });
});

it('a bot proposes newer dependencies and newer actions', () => {
  const text = readFileSync(path.join(project, '.github', 'dependabot.yml'), 'utf8');
  expect([...text.matchAll(/package-ecosystem: (.*)/g)].map(([, name]) => name)).toEqual([
    'npm',
    'github-actions',
  ]);
  expect(text).toMatch(/^version: 2$/m);
});

it('the packages of a release know where the next one will be, and its lists stand beside them', () => {
  const text = readFileSync(path.join(folder, 'release.yml'), 'utf8');
  expect(text).toContain('WATCHKEEPER_UPDATES_FROM: github:${{ github.repository }}\n');
  expect(text).toContain('out/packages/latest*.yml\n');
  expect(readFileSync(path.join(folder, 'checks.yml'), 'utf8')).not.toContain('WATCHKEEPER_UPDATES_FROM');
});
