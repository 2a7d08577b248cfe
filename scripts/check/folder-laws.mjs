// What lint forbids in which folder, in words: why, then what to do instead. dependency-cruiser holds the same import
// rules over resolved paths (.dependency-cruiser.mjs); here they show in the editor while the line is being written.
import { builtinModules } from 'node:module';

/** @typedef {{ selector: string, message: string }} Syntax */
/** @typedef {{ regex: string, message: string }} Imports */
/** @typedef {{ name: string, message: string }} Global */

// ---- Syntax --------------------------------------------------------------------------------------------------------

/** @type {Syntax[]} */
const syntaxEverywhere = [
  {
    selector: 'CatchClause > BlockStatement[body.length=0]',
    message:
      'An empty catch swallows every error, also the ones nobody thought of. Instead: handle the one you expect and rethrow the rest, or return an error.',
  },
  {
    selector:
      'CallExpression[callee.property.name="catch"] > :function[body.type="BlockStatement"][body.body.length=0]',
    message:
      'An empty handler swallows every rejection. Instead: handle the one you expect and pass the rest on, or log it.',
  },
  {
    selector: 'TSAnyKeyword',
    message:
      '`any` switches the type check off for all that it touches. Instead: `unknown`, and a schema that parses it.',
  },
  {
    selector: 'TSNonNullExpression',
    message:
      '`!` asserts what the compiler could not prove, and nothing checks it at run time. Instead: narrow it, or throw with words.',
  },
];

/** @type {Syntax[]} */
const syntaxOfSource = [
  {
    selector: ':matches(ExportAllDeclaration, ExportNamedDeclaration[source])',
    message:
      'A barrel hides where a thing lives and invites cycles. Instead: import from the file that defines it.',
  },
];

/** The clock, timers and chance: what makes a decision impossible to repeat. @type {Syntax[]} */
const syntaxOfPureCode = [
  {
    selector: 'MemberExpression[object.name="Date"][property.name="now"]',
    message:
      'This reads the system clock, which tests cannot move. Instead: take the time as an argument, or from the `Clock` port.',
  },
  {
    selector:
      ':matches(NewExpression[callee.name="Date"][arguments.length=0], CallExpression[callee.name="Date"], VariableDeclarator[init.name="Date"])',
    message:
      'This reads the system clock, which tests cannot move. Instead: `new Date(ms)` of a time from the `Clock` port.',
  },
  {
    selector: 'MemberExpression[object.name="AbortSignal"][property.name="timeout"]',
    message:
      'This is a timer that tests cannot move. Instead: an AbortController that the `Timers` port aborts.',
  },
  {
    selector: 'MemberExpression[object.name="Math"][property.name="random"]',
    message: 'Chance makes a decision impossible to repeat. Instead: the `Random` port.',
  },
  {
    selector: 'ImportExpression',
    message:
      'A dynamic import needs a loader and can hide what is imported. Instead: a static import, or a port.',
  },
];

/** @type {Syntax[]} */
const syntaxOfTests = [
  {
    selector:
      'MemberExpression[property.name=/^(only|skip|todo|fixme)$/]:matches([object.name=/^(describe|it|test|suite)$/], [object.property.name="describe"])',
    message:
      'A focused or skipped test makes a green run mean less than it says. Instead: mend it or delete it; for a missing facility `skipIf` with the condition.',
  },
];

/** @type {Syntax[]} */
const syntaxOfComponents = [
  {
    selector: 'SvelteMustacheTag[kind="raw"]',
    message:
      '{@html} puts text of strangers (token names, check messages) into the page as markup. Instead: {text}, or elements built from data.',
  },
];

// ---- Imports -------------------------------------------------------------------------------------------------------

/** @type {Imports[]} */
const importsEverywhere = [
  {
    regex: String.raw`^\.{1,2}(/(?!.*\.(ts|js|mjs|cjs|svelte|css|json|svg|png|sql)(\?[a-zA-Z&]+)?$).*)?$`,
    message:
      'Node runs these files as they are and guesses no extension. Instead: write the extension, `./file.ts`.',
  },
  {
    regex: `^(${builtinModules.filter((name) => !/:|^_/.test(name)).join('|')})$`,
    message: 'A bare name can be taken by a package. Instead: the `node:` prefix.',
  },
];

/** @type {Imports} */
const noSampleService = {
  regex: '(^|/)sample-service(/|$)',
  message: 'The stand-in must never ship in the app. Instead: only its address reaches src/, as a setting.',
};

/** @type {Imports} */
const importsOfShared = {
  regex: String.raw`^(?!\.{1,2}/|zod/mini$|@noble/hashes/)|/(main|preload|renderer)/`,
  message:
    'src/shared runs in every process, so it imports only itself, zod/mini and @noble/hashes. Instead: pass the value in, or move the code to the one process that needs it.',
};

/** @type {Imports} */
const importsOfCore = {
  regex: String.raw`^(?!\.{1,2}/)|/(adapters|shell|preload|renderer)/|^(\.\./)+ipc/`,
  message:
    'src/main/core decides and does no I/O, so that it runs in plain Node under a fake clock: it imports only core and shared. Instead: add a method to core/ports.ts and implement it in src/main/adapters.',
};

/** @type {Imports} */
const importsOfAdapters = {
  regex: String.raw`/(shell|preload|renderer)/|^(\.\./)+ipc/|/core/(?!(activity-|health-)?ports\.ts$)`,
  message:
    'An adapter does what a port says and decides nothing: of the app it imports only core/ports.ts and src/shared. Instead: move the decision to core, or compose the two in src/main/index.ts.',
};

/** @type {Imports} */
const importsOfIpc = {
  regex: '/(adapters|preload|renderer)/',
  message:
    'A handler passes a checked call on and has no logic of its own. Instead: call a service of core or of the shell, which src/main/index.ts passes in.',
};

/** @type {Imports} */
const importsOfShell = {
  regex: String.raw`/(adapters|preload|renderer)/|^(\.\./)+ipc/|/core/(?!(activity-|health-)?ports\.ts$)`,
  message:
    'The shell is window, scheme and policy and knows no domain: of the app it imports only core/ports.ts and src/shared. Instead: take what it needs as an argument from src/main/index.ts.',
};

/** @type {Imports} */
const importsOfPreload = {
  regex: String.raw`^(?!electron$|\.\./shared/ipc/(channels|contract)\.ts$)`,
  message:
    'The preload script has rights that the page has not, and is kept small enough to read at a glance: it imports only electron, shared/ipc/channels.ts and the types of contract.ts. Instead: do it in the main process behind a channel.',
};

/** @type {Imports[]} */
const importsOfRenderer = [
  {
    regex: '^(node:|electron($|/|-)|(keytar|libsql|p-queue)$)|(^|/)(main|preload)/',
    message:
      'The window has no Node, no network and no secret. Instead: call the main process through a channel (src/renderer/src/bridge.ts).',
  },
  {
    regex: String.raw`/ipc/schemas\.ts$`,
    message:
      'The schemas guard the main process against the window; the window itself needs only types. Instead: import types from shared/ipc/contract.ts.',
  },
];

/** @type {Imports} */
const importsOfUi = {
  regex: String.raw`/(features|state|views)/|/bridge\.ts$`,
  message:
    'ui/ holds building blocks that any view can use, so it knows no feature, no state and no bridge. Instead: pass values and callbacks as props.',
};

/** @type {Imports} */
const importsOfSampleService = {
  regex: '/(main|preload|renderer)/',
  message:
    "A stand-in that shares the app's code agrees with its defects. Instead: the vocabulary of src/shared, and code of its own.",
};

/** @type {Imports} */
const importsOfSetUp = {
  regex: String.raw`^(?!\.{1,2}/|node:)`,
  message:
    'Set-up runs before the dependencies are installed, under any Node from 20 on. Instead: what Node brings, or `await import()` of it once they are there.',
};

// ---- Globals -------------------------------------------------------------------------------------------------------

/** @param {string} message @param {...string} names @returns {Global[]} */
const globals = (message, ...names) => names.map((name) => ({ name, message }));

const noConsole = globals(
  'The console reaches no log, and what is written there is not checked for secrets. Instead: the `Log` port, with facts and no payload.',
  'console',
);

const noGlobalThis = globals(
  'A way round the rules on globals. Instead: name the thing itself, or take it as a port.',
  'globalThis',
);

const globalsOfPureCode = [
  ...globals(
    'Pure code has no timers: tests could not move them. Instead: the `Timers` port.',
    ...['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate'],
  ),
  ...globals('Pure code has no clock. Instead: the `Clock` port (`monotonicMs`).', 'performance'),
  ...globals(
    'Pure code has no network. Instead: the `HttpClient` port.',
    ...['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource'],
  ),
  ...globals('Chance comes from outside. Instead: the `Random` port; for hashes @noble/hashes.', 'crypto'),
  ...globals(
    'This code has no Node: it runs in every process, or in a made-up world. Instead: pass the value in, or add a port.',
    ...['process', 'Buffer', 'require', 'module', '__dirname', '__filename', 'global'],
  ),
  ...globals(
    'This code has no DOM. Instead: do it in src/renderer and pass the value in.',
    ...['window', 'document', 'navigator', 'localStorage', 'sessionStorage'],
  ),
  ...noConsole,
  ...noGlobalThis,
];

const globalsOfRenderer = [
  ...globals(
    'The window has no network: its policy refuses every connection. Instead: a channel of the bridge.',
    ...['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource'],
  ),
  ...globals(
    'Only bridge.ts touches window, so that what the page can reach is read in one place. Instead: import from bridge.ts; for events <svelte:window>.',
    ...['window', 'self', 'top', 'parent'],
  ),
  ...globals(
    'Data kept in the page escapes the store, its backup and its deletion. Instead: a setting, or a store of the main process.',
    ...['localStorage', 'sessionStorage', 'indexedDB', 'caches'],
  ),
  ...globals(
    'A system dialog stops the page and cannot be styled, tested or read out well. Instead: a dialog of ui/.',
    ...['alert', 'confirm', 'prompt'],
  ),
  ...globals(
    'The window has no Node. Instead: a channel of the bridge.',
    ...['process', 'Buffer', 'require', 'global'],
  ),
  ...noConsole,
  ...noGlobalThis,
];

// ---- The law of each folder ----------------------------------------------------------------------------------------

/**
 * The complete lists, because a later configuration replaces the options of an earlier one instead of adding to them.
 * @param {{ syntax?: Syntax[], imports?: Imports[], globals?: Global[] }} lists
 * @returns {Record<string, ['error', ...unknown[]]>}
 */
const law = ({ syntax = [], imports = [], globals: names = [] }) => ({
  'no-restricted-syntax': ['error', ...syntaxEverywhere, ...syntax],
  'no-restricted-imports': ['error', { patterns: [...importsEverywhere, ...imports] }],
  'no-restricted-globals': ['error', { globals: names, checkGlobalObject: true }],
});

/** The law of a folder of src/. @param {Parameters<typeof law>[0]} lists */
const sourceLaw = ({ syntax = [], imports = [], globals: names = noConsole }) =>
  law({ syntax: [...syntaxOfSource, ...syntax], imports: [noSampleService, ...imports], globals: names });

/** ESLint rules by folder. */
export const laws = {
  everywhere: law({}),
  source: sourceLaw({}),
  shared: sourceLaw({ syntax: syntaxOfPureCode, imports: [importsOfShared], globals: globalsOfPureCode }),
  core: sourceLaw({ syntax: syntaxOfPureCode, imports: [importsOfCore], globals: globalsOfPureCode }),
  adapters: sourceLaw({ imports: [importsOfAdapters] }),
  ipc: sourceLaw({ imports: [importsOfIpc] }),
  shell: sourceLaw({ imports: [importsOfShell] }),
  preload: sourceLaw({ imports: [importsOfPreload] }),
  renderer: sourceLaw({
    syntax: syntaxOfComponents,
    imports: importsOfRenderer,
    globals: globalsOfRenderer,
  }),
  ui: sourceLaw({
    syntax: syntaxOfComponents,
    imports: [...importsOfRenderer, importsOfUi],
    globals: globalsOfRenderer,
  }),
  bridge: sourceLaw({
    imports: importsOfRenderer,
    globals: globalsOfRenderer.filter(({ name }) => name !== 'window'),
  }),
  sampleService: law({ syntax: syntaxOfSource, imports: [importsOfSampleService] }),
  setUp: law({ imports: [importsOfSetUp] }),
  tests: law({ syntax: syntaxOfTests }),
};
