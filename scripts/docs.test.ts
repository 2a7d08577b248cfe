// The documents name files, links and commands: each of them is there.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { hiddenWords } from '../src/shared/activity/spam-types.ts';

const project = path.resolve(import.meta.dirname, '..');
const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: project,
  encoding: 'utf8',
  maxBuffer: 64 << 20,
});
// A tracked file that was just deleted is still listed.
const files = listed.split('\0').filter((name) => name !== '' && existsSync(path.join(project, name)));
const folders = new Set(files.flatMap((file) => ancestors(file)));
const documents = files.filter((name) => name.endsWith('.md'));
/** Where comments may speak of a document. */
const sources = files.filter((name) => /\.(ts|mjs|cjs|js|svelte|css)$/.test(name));

function ancestors(file: string): string[] {
  const parts = file.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

function textOf(file: string): string {
  return readFileSync(path.join(project, file), 'utf8');
}

/** Whether a name such as `sync-run.ts`, `activity/sync/` or `history/*.ts` is of a file or folder of the project. */
function isThere(name: string): boolean {
  const wanted = name.replace(/\/$/, '');
  const pattern = new RegExp(
    `(^|/)${wanted.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*')}$`,
  );
  return files.some((file) => pattern.test(file)) || [...folders].some((folder) => pattern.test(folder));
}

/** The id that a heading has as the target of a link. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}

describe.each(documents)('%s', (document) => {
  const text = textOf(document);
  const withoutBlocks = text.replace(/^```[^]*?^```$/gm, '');

  it('links to what is there', () => {
    const targets = [...withoutBlocks.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '');
    const broken = targets.filter((target) => {
      if (/^https?:/.test(target)) return false;
      const [file = '', anchor] = target.split('#');
      const linked = file === '' ? document : path.posix.join(path.posix.dirname(document), file);
      if (!files.includes(linked) && !folders.has(linked.replace(/\/$/, ''))) return true;
      if (anchor === undefined) return false;
      const headings = [...textOf(linked).matchAll(/^#+ (.*)$/gm)].map((match) => anchorOf(match[1] ?? ''));
      return !headings.includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  it('names files that are there', () => {
    const names = [...withoutBlocks.matchAll(/`([\w./*@-]+)`/g)].map((match) => match[1] ?? '');
    const ofFiles = names.filter((name) => /^[\w*@-][\w./*@-]*\.(ts|mjs|cjs|svelte|css|md)$/.test(name));
    expect(ofFiles.filter((name) => !isThere(name))).toEqual([]);
  });

  it('names commands that are there', () => {
    // The schema of package.json is npm's.
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
    const named = [...text.matchAll(/npm (?:run (?:--silent )?([\w:-]+)|(start|test)\b)/g)];
    expect(named.map((match) => match[1] ?? match[2] ?? '').filter((name) => !(name in scripts))).toEqual([]);
  });
});

it('every folder of the app says what it is for, and which rooms it uses: none too many', () => {
  const isCode = (name: string) =>
    /^src\/.*\.(ts|svelte)$/.test(name) && !/\.test\.|\/testing\/|\.d\.ts$/.test(name);
  const withCode = new Set(files.filter(isCode).map((name) => path.posix.dirname(name)));
  for (const root of ['src/main', 'src/main/core', 'src/renderer/src', 'src/shared']) withCode.delete(root);
  expect([...withCode].filter((folder) => !files.includes(`${folder}/README.md`))).toEqual([]);
  const idle = documents
    .filter((name) => name.startsWith('src/'))
    .flatMap((document) => {
      const folder = path.posix.dirname(document);
      const imported = sources
        .filter((source) => path.posix.dirname(source) === folder && isCode(source))
        .flatMap((source) => [...textOf(source).matchAll(/['"](\.\.?\/[^'"]+)['"]/g)])
        .map(([, to = '']) => path.posix.join(folder, path.posix.dirname(to)));
      const [, uses = ''] = /^Uses: ([^]*)/m.exec(textOf(document)) ?? [];
      return [...uses.matchAll(/`([^`]+)`/g)]
        .filter(([, used = '']) => !imported.some((one) => one.endsWith(`/${used}`)))
        .map(([, used = '']) => `${folder} uses ${used}`);
    });
  expect(idle).toEqual([]);
});

it('rooms that use each other in a circle are refused, also by way of the folders that they lie in', () => {
  const made = mkdtempSync(path.join(tmpdir(), 'watchkeeper-rooms-'));
  const room = (folder: string, ...uses: string[]) => {
    mkdirSync(path.join(made, folder), { recursive: true });
    const list = uses.length === 0 ? '' : `\nUses: ${uses.map((used) => `\`${used}\``).join(', ')}\n`;
    writeFileSync(path.join(made, folder, 'README.md'), `# Room\n\nIs for a test.\n${list}`);
  };
  const read = () =>
    spawnSync(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { readRooms } from ${JSON.stringify(pathToFileURL(path.join(project, 'scripts/check/rooms.mjs')))}; readRooms(${JSON.stringify(made)});`,
      ],
      { encoding: 'utf8' },
    ).stderr;
  try {
    for (const region of ['shared', 'main/adapters', 'renderer/src/ui', 'renderer/src/features'])
      mkdirSync(path.join(made, 'src', region), { recursive: true });
    room('src/main/core/a/one', 'b/one');
    room('src/main/core/a/two');
    room('src/main/core/b/one');
    room('src/main/core/b/two');
    expect(read()).toBe('');
    room('src/main/core/b/two', 'a/two');
    expect(read()).toContain(
      'These rooms use each other: src/main/core/a → src/main/core/b → src/main/core/a',
    );
    room('src/main/core/b/two');
    room('src/main/core/b/one', 'b/two');
    room('src/main/core/b/two', 'b/one');
    expect(read()).toContain('src/main/core/b/one → src/main/core/b/two → src/main/core/b/one');
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
});

it('comments cite documents that are there', () => {
  const cited = sources.flatMap((source) => {
    const found = textOf(source).matchAll(/\b(?:docs\/[\w/.-]+\.md|[\w-]+\.md(?= §)|ADR \d{4})/g);
    return [...found].map(([name]) => ({ source, name }));
  });
  const isKnown = ({ name }: { name: string }) =>
    name.startsWith('ADR')
      ? files.some((file) => file.startsWith(`docs/adr/${name.slice(4)}-`))
      : files.some((file) => file === name || file === `docs/${name}`);
  expect(cited.filter((citation) => !isKnown(citation))).toEqual([]);
});

it('the data model has every table of the store, and draws every reference', () => {
  const layout = files
    .filter((name) => /\/opening\/migrations\/\d/.test(name))
    .map(textOf)
    .join('\n');
  const tables = [...layout.matchAll(/CREATE TABLE (\w+) \(([^;]*)/g)];
  const references = tables.flatMap(([, table = '', columns = '']) =>
    [...columns.matchAll(/REFERENCES (\w+)/g)].map(([, to = '']) => `${to} ${table}`),
  );
  const model = textOf('docs/data-model.md');
  const drawn = [...model.matchAll(/^ {2}(\w+) \|\|--\S+ (\w+) :/gm)];
  expect(drawn.map(([, to = '', table = '']) => `${to} ${table}`).sort()).toEqual(references.sort());
  const described = [...model.matchAll(/^\| `(\w+)`/gm)].map(([, table = '']) => table);
  expect(described.sort()).toEqual(tables.map(([, table = '']) => table).sort());
});

it('the guide says of each reason for hiding a row what it means', () => {
  const guide = textOf('docs/user-guide.md');
  const words = Object.values(hiddenWords).map(({ word }) => word);
  expect(words.filter((word) => !guide.includes(`| **${word}**`))).toEqual([]);
});
