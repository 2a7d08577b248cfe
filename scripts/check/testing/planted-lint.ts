// What `scripts/check.test.ts` plants for lint in a copy of the project, and what lint has to say about it.

/** One line of a planted file: the code, and words of the message it must cause; null where none may appear. */
export type PlantedLine = readonly [code: string, says: string | null];

const clock = 'tests cannot move. Instead: ';
const barrel = 'Instead: import from the file that defines it';

/** Each name with the words that must be said about it. */
const uses = (says: string, ...names: string[]): PlantedLine[] =>
  names.map((name) => [`export const planted_${name} = () => ${name};`, says]);

const imports = (says: string | null, ...specifiers: string[]): PlantedLine[] =>
  specifiers.map((specifier) => [`import '${specifier}';`, says]);

const pureCode: PlantedLine[] = [
  ...uses('Instead: the `Timers` port', 'setTimeout', 'setInterval', 'setImmediate', 'clearTimeout'),
  ...uses('Instead: the `HttpClient` port', 'fetch', 'XMLHttpRequest', 'WebSocket'),
  ...uses('Instead: the `Random` port', 'crypto'),
  ...uses('Instead: the `Clock` port', 'performance'),
  ...uses('Instead: the `Log` port', 'console'),
  ...uses('This code has no Node', 'process', 'Buffer', 'require', '__dirname', 'global'),
  ...uses('This code has no DOM', 'window', 'document', 'navigator', 'localStorage'),
  ...uses('A way round the rules on globals', 'globalThis'),
  ['export const now = Date.now();', clock],
  ['export const nowLater = Date.now;', clock],
  ['export const today = new Date();', clock],
  ['export const todayInWords = Date();', clock],
  ['export const { UTC } = Date;', clock],
  [
    'export const soon = AbortSignal.timeout(5);',
    'Instead: an AbortController that the `Timers` port aborts',
  ],
  ['export const chance = Math.random();', 'Instead: the `Random` port'],
  ["export const loaded = import('./other.ts');", 'Instead: a static import'],
  // Pure uses of the same names.
  ['export const then = new Date(0).toISOString();', null],
  ['export const midnight = Date.UTC(2026, 0, 1);', null],
  ['export const parsed = Date.parse("2026-01-01T00:00:00Z");', null],
  ['export const largest = Math.max(1, 2);', null],
];

const drawnLaw = 'Instead: a template of a component, or `shown`';
const renderer: PlantedLine[] = [
  ...uses('Instead: a channel of the bridge', 'fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource'),
  ...uses('The window has no Node', 'process', 'Buffer', 'require'),
  ...uses('Only bridge.ts touches window', 'window', 'self', 'top', 'parent'),
  ...uses(
    'Instead: a setting, or a store of the main process',
    'localStorage',
    'sessionStorage',
    'indexedDB',
  ),
  ...uses('Instead: a dialog of ui/', 'alert', 'confirm', 'prompt'),
  ...uses('Instead: the `Log` port', 'console'),
  // A time that a person reads needs the clock.
  ['export const now = new Date();', null],
  ['export const title = document.title;', null],
  ['export const draw = (to: Element) => (to.textContent = title);', drawnLaw],
  ['export const say = (to: Element) => to.setAttribute("aria-label", title);', drawnLaw],
  ['export const add = (to: Element) => to.append(document.createTextNode(title));', drawnLaw],
  ['export const put = (to: Element) => to.insertAdjacentText("beforeend", title);', drawnLaw],
  ['void ((to: Element) => (to.textContent = ""));', null],
  [
    'void ((to: Element, shown: (text: string) => unknown) => (to.textContent = String(shown(title))));',
    null,
  ],
  ['void ((to: Element, shown: (text: string) => string) => (to.textContent = shown(title)));', null],
];

/**
 * Files that break what lint forbids in their folder, line by line. Lint judges what is written, so what they import
 * need not be there.
 */
export const lintFiles: Readonly<Record<string, readonly PlantedLine[]>> = {
  'src/shared/planted.ts': [...pureCode],
  'src/main/core/planted.ts': [...pureCode],
  'src/main/adapters/planted/planted.ts': [
    ...uses('Instead: the `Log` port', 'console'),
    ['export const now = Date.now();', null],
  ],
  'src/main/adapters/http/planted.ts': [['export const planted_fetch = () => fetch;', null]],
  'src/main/ipc/planted.ts': [...uses('Instead: the `Log` port', 'console')],
  'src/main/shell/planted.ts': [
    ...uses('Instead: the `Log` port', 'console'),
    ...uses('Instead: the `HttpClient` port', 'fetch', 'WebSocket'),
  ],
  'src/preload/planted.ts': [...uses('Instead: the `Log` port', 'console')],
  'src/renderer/src/planted.ts': renderer,
  'src/renderer/src/Planted.svelte': [
    ['<script lang="ts">', null],
    ...renderer.map(([code, says]): PlantedLine => [code.replace(/^export /, ''), says]),
    ['</script>', null],
    ['<p>{@html title}</p>', '`{@html}` can lead to XSS attack'],
    ['<p>{title} {now}</p>', null],
  ],
  'src/renderer/src/PlantedScript.svelte': [
    ['<script>', 'lang'],
    ['</script>', null],
  ],
  'src/renderer/src/ui/planted.ts': [...uses('Only bridge.ts touches window', 'window')],
  'sample-service/planted.ts': [
    ["export * from './clock.ts';", barrel],
    ['export const now = Date.now();', null],
  ],
  'scripts/setup/planted.mjs': [["export const loaded = await import('electron-store');", null]],
  'src/main/planted-everywhere.ts': [
    ...imports('Instead: the `node:` prefix', 'fs', 'child_process'),
    ...imports('Instead: write the extension', './planted', '../shared/errors', '.'),
    ["export { clock } from './planted.ts';", barrel],
    ["export * from './planted.ts';", barrel],
    ['declare const given: string[], whatever: unknown, work: () => Promise<void>;', null],
    ['export let loose: any;', 'Unexpected `any`'],
    ['export const first = given[0]!;', 'Forbidden non-null assertion'],
    ['export const text = whatever as string;', 'A cast is believed and never checked. Instead: '],
    // Taken apart, so that a search for such comments does not find this line.
    ['// ' + 'TODO: think', "Unexpected 'todo' comment"],
    ['// The caller has looked at it.', null],
    ['export const reasoned = whatever as string;', null],
    ['export const fixed = [1, 2] as const;', null],
    ['// eslint-disable-next-line eqeqeq', 'Instead: mend the cause, or write the reason after'],
    ['export const same = text == reasoned;', null],
    ['// eslint-disable-next-line eqeqeq -- the planted reason', null],
    ['export const alsoSame = text == reasoned;', null],
    ['try { given.pop(); } catch {}', 'An empty catch swallows every error'],
    ['try { given.pop(); } catch { /* swallowed */ }', 'An empty catch swallows every error'],
    ['work().catch(() => {});', 'An empty handler swallows every rejection'],
    ['work();', 'Promises must be awaited'],
    ["export const length: number = JSON.parse('1').length;", 'Unsafe'],
  ],
  'src/main/plantedName.ts': [['export const name = 1;', 'Instead of "plantedName.ts": kebab-case']],
  'src/renderer/src/planted-name.svelte': [['<p></p>', 'Instead of "planted-name.svelte": kebab-case']],
  'src/renderer/src/Planted.test.ts': [['export const name = 1;', null]],
  'src/renderer/src/Planted.one-thing.test.ts': [['export const name = 1;', null]],
  'src/renderer/src/Unplanted.test.ts': [['export const name = 1;', 'A test stands beside what it tests.']],
  'scripts/lone-planted.test.ts': [['export const name = 1;', null]],
  'src/main/planted-length.ts': Array.from({ length: 401 }, (_, line): PlantedLine => {
    return [`export const line${line} = ${line};`, line === 400 ? 'too many lines' : null];
  }),
  'src/shared/planted.test.ts': [
    ["import { describe, it } from 'vitest';", null],
    // Taken apart, so that a search for such tests does not find this line.
    [
      'it' + ".only('focused', () => {});",
      'A focused or skipped test makes a green run mean less than it says',
    ],
    ['describe' + ".skip('skipped', () => {});", 'Instead: mend it or delete it'],
    ["it.skipIf(true)('missing facility', () => {});", null],
    ['export const now = Date.now();', null],
  ],
};
