import { builtinModules } from 'node:module';
import { readRooms } from './scripts/check/rooms.mjs';

// The import rules of docs/architecture.md over resolved paths, type imports included. Each comment says why, then what
// to do instead. Tests may import everything; nothing but tests may import them.

const tests = String.raw`\.test\.ts$|(^|/)testing(/|\.ts$)`;

/** Where a package lies, also when node_modules is a link. @param {string} names Regular expression. */
const packages = (names) => `(^|/)node_modules/(${names})`;

/**
 * One row of the table: a folder and all that its files may import.
 * @param {string} name @param {string} from @param {string[]} allowed @param {string} comment
 * @returns {import('dependency-cruiser').IForbiddenRuleType}
 */
const row = (name, from, allowed, comment) => ({
  name,
  severity: 'error',
  comment,
  from: { path: from, pathNot: tests },
  to: { pathNot: allowed },
});

/**
 * A package or file that only some files may import.
 * @param {string} name @param {string} to @param {string[]} allowed @param {string} comment
 * @returns {import('dependency-cruiser').IForbiddenRuleType}
 */
const door = (name, to, allowed, comment) => ({
  name,
  severity: 'error',
  comment,
  from: { path: '^(src|sample-service|sample-data)/', pathNot: [tests, ...allowed] },
  to: { path: to },
});

const anyPackage = packages('');
const anyNodeModule = `^(node:)?(${builtinModules.map((name) => name.replace(/^node:/, '')).join('|')})$`;

const portsAndLibraries = [
  '^src/main/core/(activity-|health-)?ports\\.ts$',
  '^src/shared/',
  anyPackage,
  anyNodeModule,
];

/** Each room may import from those that its README.md names, and from the folders that it lies in. */
const rooms = readRooms(import.meta.dirname).map(({ folder, region, uses }) => ({
  name: 'rooms-say-what-they-use',
  severity: /** @type {const} */ ('error'),
  comment:
    'The README.md of each room names the rooms that it uses, so that whoever reads it knows what else to read. Instead: move what both need into a room that both use, or name the room there; a circle is refused.',
  from: { path: `^${folder}/[^/]+$`, pathNot: tests },
  to: {
    path: `^${region}/.+/`,
    pathNot: [folder, ...uses, ...foldersAbove(folder)].map((one) => `^${one}/[^/]+$`),
  },
}));

/** @param {string} folder @returns {string[]} */
function foldersAbove(folder) {
  const parts = folder.split('/');
  return parts.map((_, index) => parts.slice(0, index).join('/')).slice(1);
}

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-cycle',
      severity: 'error',
      comment:
        'Files in a cycle can only be understood, tested and loaded together. Instead: move what both need into a third file that imports neither.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolved',
      severity: 'error',
      comment:
        'The import leads nowhere, so no rule can judge it. Instead: mend the path, or install the package with its exact version.',
      from: {},
      to: { couldNotResolve: true },
    },
    ...rooms,
    row(
      'shared-imports-itself',
      '^src/shared/',
      ['^src/shared/', packages('(zod/mini|@noble/hashes)/')],
      'src/shared runs in every process, so it imports only itself, zod/mini and @noble/hashes. Instead: pass the value in, or move the code to the one process that needs it.',
    ),
    row(
      'core-imports-core-and-shared',
      '^src/main/core/',
      ['^src/main/core/', '^src/shared/'],
      'src/main/core decides and does no I/O, so that it runs in plain Node under a fake clock. Instead: add a method to core/ports.ts and implement it in src/main/adapters.',
    ),
    row(
      'adapters-import-ports',
      '^src/main/adapters/',
      ['^src/main/adapters/', ...portsAndLibraries],
      'An adapter does what a port says and decides nothing: of the app it imports only core/ports.ts and src/shared. Instead: move the decision to core, or compose the two in src/main/services.ts.',
    ),
    {
      name: 'adapters-stand-alone',
      severity: 'error',
      comment:
        'Adapters that know each other cannot be exchanged one by one. Instead: compose them in src/main/services.ts through a port.',
      from: { path: '^src/main/adapters/([^/]+)/', pathNot: tests },
      to: { path: '^src/main/adapters/[^/]+/', pathNot: '^src/main/adapters/$1/' },
    },
    row(
      'ipc-passes-calls-on',
      '^src/main/ipc/',
      ['^src/main/(ipc|core|shell)/', '^src/main/application\\.ts$', '^src/shared/', packages('electron/')],
      'A handler passes a checked call on and has no logic of its own. Instead: call a service of core or of the shell, which src/main/index.ts passes in.',
    ),
    row(
      'shell-knows-no-domain',
      '^src/main/shell/',
      ['^src/main/shell/', ...portsAndLibraries],
      'The shell is window, scheme and policy and knows no domain. Instead: take what it needs as an argument from src/main/index.ts.',
    ),
    row(
      'preload-is-small',
      '^src/preload/',
      ['^src/shared/ipc/(channels|contract)\\.ts$', packages('electron/')],
      'The preload script has rights that the page has not, and is kept small enough to read at a glance. Instead: do it in the main process behind a channel.',
    ),
    {
      name: 'preload-bundles-names-only',
      severity: 'error',
      comment:
        'At run time the preload script needs the names of the channels and nothing else. Instead: `import type` from contract.ts.',
      from: { path: '^src/preload/' },
      to: {
        path: '^src/shared/',
        pathNot: '^src/shared/ipc/channels\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'renderer-has-no-node',
      severity: 'error',
      comment:
        'The window has no Node, no network and no secret. Instead: call the main process through a channel (src/renderer/src/bridge.ts).',
      from: { path: '^src/renderer/', pathNot: tests },
      to: { path: [packages('(electron|electron-.*|keytar|libsql|p-queue)/'), '^src/(main|preload)/'] },
    },
    {
      name: 'renderer-has-no-node-modules',
      severity: 'error',
      comment:
        'The window is a sandboxed page: a module of Node is not there. Instead: call the main process through a channel (src/renderer/src/bridge.ts).',
      from: { path: '^src/renderer/', pathNot: tests },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'ui-has-no-domain',
      severity: 'error',
      comment:
        'ui/ holds building blocks that any view can use, so it knows no feature, no state and no bridge. Instead: pass values and callbacks as props.',
      from: { path: '^src/renderer/src/ui/', pathNot: tests },
      to: { path: '^src/renderer/src/', pathNot: '^src/renderer/src/ui/' },
    },
    {
      name: 'features-do-not-know-views',
      severity: 'error',
      comment:
        'A view puts features together; a feature or state that knows its view can be used in no other. Instead: pass values and callbacks as props.',
      from: { path: '^src/renderer/src/(features|state)/', pathNot: tests },
      to: { path: '^src/renderer/src/(views/|main\\.ts$|App\\.svelte$)' },
    },
    {
      name: 'state-draws-nothing',
      severity: 'error',
      comment:
        'State is used by every feature, so it may depend on none. Instead: move what both need into state/ or src/shared.',
      from: { path: '^src/renderer/src/state/', pathNot: tests },
      to: { path: '^src/renderer/src/features/|\\.svelte$' },
    },
    door(
      'calls-guard-the-main-process',
      '^src/shared/ipc/calls\\.ts$',
      ['^src/main/ipc/', '^src/shared/ipc/'],
      'The schemas of calls check what comes from the window, once, in register.ts; anywhere else they would be a second gate or a larger window. Instead: types from shared/ipc/contract.ts.',
    ),
    door(
      'root-is-imported-by-nobody',
      '^src/main/index\\.ts$',
      [],
      'The composition root knows everything, so nothing may know it. Instead: take what you need as an argument.',
    ),
    door(
      'keychain-has-one-door',
      packages('keytar/'),
      ['^src/main/adapters/keychain/'],
      'Where secrets can be read is one folder, small enough to review. Instead: the `Keychain` port.',
    ),
    door(
      'store-has-one-door',
      `${packages('libsql/')}|^(node:)?sqlite$`,
      ['^src/main/adapters/storage/'],
      'All SQL runs in the worker, behind one interface with two drivers. Instead: a method of a store in core/ports.ts.',
    ),
    door(
      'network-has-one-door',
      '^(node:)?(http|https|http2|net|tls|dgram|dns)(/promises)?$|' +
        packages('(undici|electron-updater|builder-util-runtime)/'),
      ['^src/main/adapters/http/', '^sample-service/'],
      'Whatever leaves this computer passes the gate, which transport.ts and updater.ts ask. Instead: the `HttpClient` port, `OpenNodeLine` or `Updater`.',
    ),
    door(
      'settings-have-one-door',
      packages('electron-store/'),
      ['^src/main/adapters/(settings|electron)/'],
      'electron-store holds settings only, and one file reads and repairs them. Instead: the `SettingsStore` port.',
    ),
    {
      name: 'sample-service-stays-outside',
      severity: 'error',
      comment:
        'The app works the same with made-up data. Instead: only its address reaches src/, as a setting.',
      from: { path: '^src/', pathNot: tests },
      to: { path: '^(sample-service|sample-data|e2e|bench|world|scripts)/' },
    },
    row(
      'sample-service-is-another-program',
      '^sample-service/',
      ['^sample-service/', '^src/shared/', anyPackage, anyNodeModule],
      "A stand-in that shares the app's code agrees with its defects. Instead: the vocabulary of src/shared, and code of its own.",
    ),
    row(
      'sample-data-uses-rules-and-store',
      '^sample-data/',
      [
        '^sample-(data|service)/',
        '^src/main/(core|adapters/storage)/',
        '^src/shared/',
        anyPackage,
        anyNodeModule,
      ],
      "The program of the sample data writes a past by the app's rules into its store, and runs beside it without Electron. Instead: tell the app in the answer of src/shared/sample-data.ts.",
    ),
    {
      name: 'app-ships-its-dependencies',
      severity: 'error',
      comment:
        'The main process and the preload script load packages at run time, and only `dependencies` are packed. Instead: move the package there, or import only its types. (electron is the runtime; libsql is the driver of tests.)',
      from: { path: '^src/(main|preload|shared)/', pathNot: tests },
      to: {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['type-only'],
        pathNot: packages('(electron|libsql)/'),
      },
    },
    {
      name: 'tests-are-imported-by-nobody',
      severity: 'error',
      comment:
        'What a test file defines does not ship and may change with any test. Instead: move the shared part into a file of its own.',
      from: { pathNot: `${tests}|^(e2e|bench|world)/` },
      to: { path: tests },
    },
    {
      name: 'set-up-needs-no-dependency',
      severity: 'error',
      comment:
        'Set-up runs before the dependencies are installed, under any Node from 20 on. Instead: what Node brings, or `await import()` of it once they are there.',
      from: { path: '^scripts/(run\\.mjs$|setup/[^/]+\\.mjs$)' },
      to: { path: anyPackage, dependencyTypesNot: ['dynamic-import'] },
    },
  ],
  options: {
    // Types are dependencies too: the law is about who may know whom.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    doNotFollow: { path: '(^|/)node_modules/' },
    exclude: { path: '^(\\.cache|out|coverage)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['svelte', 'import', 'node', 'require', 'default'],
    },
  },
};
