// What lint forbids in which folder, with messages: why, then what to do instead. Both linters use it: oxlint for
// scripts (oxlint.config.ts), ESLint for components (eslint.config.js). Imports are checked by .dependency-cruiser.mjs.

import { builtinModules } from 'node:module';

/** @typedef {{ selector: string, message: string }} Syntax */
/** @typedef {{ name: string, message: string }} Global */

// ---- Syntax --------------------------------------------------------------------------------------------------------

/** @param {string} regex A slash in it ends it, so it stands as `\x2F`. */
const importOf = (regex) =>
  `:matches(ImportDeclaration, ExportAllDeclaration, ExportNamedDeclaration)[source.value=/${regex}/]`;
const bareModules = builtinModules.filter((name) => !/:|^_/.test(name)).join('|');

/** @type {Syntax[]} */
const syntaxEverywhere = [
  {
    selector: importOf(
      String.raw`^\.{1,2}(\x2F|$)(?!.*\.(ts|[cm]?js|svelte|css|json|svg|png|sql)(\?[a-zA-Z&]+)?$)`,
    ),
    message:
      'Node runs these files as they are and guesses no extension. Instead: write the extension, `./file.ts`.',
  },
  {
    selector: importOf(`^(${bareModules.replaceAll('/', String.raw`\x2F`)})$`),
    message: 'A bare name can be taken by a package. Instead: the `node:` prefix.',
  },
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
];

/** @type {Syntax[]} */
const syntaxOfSource = [
  {
    selector: ':matches(ExportAllDeclaration, ExportNamedDeclaration[source])',
    message:
      'A barrel hides where a thing lives and invites cycles. Instead: import from the file that defines it.',
  },
];

/** The clock, timers and randomness, which make a decision impossible to repeat. @type {Syntax[]} */
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

const drawnMessage =
  'What a stranger wrote can turn around or hide what stands beside it. Instead: a template of a component, or `shown` of src/shared/text.ts around it.';

/** What is neither fixed nor passes through `shown`. @param {string} text The name of a node's field. */
const notShown = (text) => {
  const shown = 'callee.name=/^(shown|shownWhole|cleanText|visibleText)$/';
  return `:not([${text}.type="Literal"], [${text}.${shown}], [${text}.callee.name="String"][${text}.arguments.0.${shown}])`;
};

/** Text reaches the page by templates, which pass it through `shown` (scripts/drawn-text.ts), or by calling that. @type {Syntax[]} */
const syntaxOfDrawing = [
  `AssignmentExpression[left.property.name=/^(textContent|innerText|innerHTML|outerHTML|title|ariaLabel|ariaDescription)$/]${notShown('right')}`,
  `CallExpression[callee.property.name=/^(createTextNode|fillText|strokeText)$/]${notShown('arguments.0')}`,
  `CallExpression[callee.property.name=/^insertAdjacent(Text|HTML)$/]${notShown('arguments.1')}`,
  `CallExpression[callee.property.name="setAttribute"][arguments.0.value=/^(title|alt|placeholder|aria-label|aria-description)$/]${notShown('arguments.1')}`,
].map((selector) => ({ selector, message: drawnMessage }));

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

const noNetwork = globals(
  'Whatever leaves this computer passes the gate in adapters/http. Instead: the `HttpClient` port.',
  ...['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource'],
);

const globalsOfPureCode = [
  ...globals(
    'Pure code has no timers: tests could not move them. Instead: the `Timers` port.',
    ...['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate'],
  ),
  ...globals('Pure code has no clock. Instead: the `Clock` port (`monotonicMs`).', 'performance'),
  ...noNetwork,
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
 * @param {Syntax[]} [syntax] @param {Global[]} [names]
 * @returns {Record<string, ['error', ...unknown[]]>}
 */
const law = (syntax = [], names = []) => ({
  'house/forbidden-syntax': ['error', ...syntaxEverywhere, ...syntax],
  ...(names.length > 0 && {
    'no-restricted-globals': ['error', { globals: names, checkGlobalObject: true }],
  }),
});

const syntaxOfWindow = [...syntaxOfSource, ...syntaxOfDrawing];

/** What is forbidden where; of several matches the last counts. @type {[files: string[], rules: ReturnType<typeof law>][]} */
export const laws = [
  [['**'], law()],
  [['src/**'], law(syntaxOfSource, noConsole)],
  [['src/main/**'], law(syntaxOfSource, [...noConsole, ...noNetwork])],
  [['src/main/adapters/http/**'], law(syntaxOfSource, noConsole)],
  [['src/shared/**', 'src/main/core/**'], law([...syntaxOfSource, ...syntaxOfPureCode], globalsOfPureCode)],
  [['src/renderer/**'], law(syntaxOfWindow, globalsOfRenderer)],
  [
    ['src/renderer/src/bridge.ts'],
    law(
      syntaxOfWindow,
      globalsOfRenderer.filter(({ name }) => name !== 'window'),
    ),
  ],
  [['sample-service/**', 'sample-data/**'], law(syntaxOfSource)],
];

/** Tests may use everything, and pass wrong values on purpose; running them checks the rest. */
export const tests = ['**/*.test.ts', '**/testing/**', '**/testing.ts', 'e2e/**'];
/** @type {Record<string, 'off' | ['error', ...unknown[]]>} */
export const lawOfTests = {
  ...law(syntaxOfTests),
  'no-restricted-globals': 'off',
  'house/reasoned-cast': 'off',
};
