// What `scripts/check.test.ts` plants for the other checks in a copy of the project, and what they have to say about it.

/** By rule of dependency-cruiser: the importing file, its text, and the file or folder that it must be refused. */
export const importPlants: readonly {
  rule: string;
  from: string;
  code: string;
  to: string;
  /** Other files that the violation takes. */
  besides?: Readonly<Record<string, string>>;
}[] = [
  {
    rule: 'no-cycle',
    from: 'src/main/planted/a.ts',
    code: "import './b.ts';",
    to: 'src/main/planted/b.ts',
    besides: { 'src/main/planted/b.ts': "import './a.ts';" },
  },
  {
    // Types alone make a cycle too.
    rule: 'no-cycle',
    from: 'src/main/planted/c.ts',
    code: "import type { D } from './d.ts';\nexport interface C { d: D }",
    to: 'src/main/planted/d.ts',
    besides: { 'src/main/planted/d.ts': "import type { C } from './c.ts';\nexport interface D { c: C }" },
  },
  {
    rule: 'no-unresolved',
    from: 'src/main/planted/nowhere.ts',
    code: "import './is-not-there.ts';",
    to: './is-not-there.ts',
  },
  {
    rule: 'rooms-say-what-they-use',
    from: 'src/main/core/settings/planted.ts',
    code: "import '../explore/planted.ts';",
    to: 'src/main/core/explore/planted.ts',
    besides: { 'src/main/core/explore/planted.ts': 'export {};' },
  },
  {
    rule: 'shared-imports-itself',
    from: 'src/shared/planted/types.ts',
    code: "import type { Clock } from '../../main/core/ports.ts';\nexport type C = Clock;",
    to: 'src/main/core/ports.ts',
  },
  {
    rule: 'core-imports-core-and-shared',
    from: 'src/main/core/planted/node.ts',
    code: "import 'node:fs';",
    to: 'fs',
  },
  {
    rule: 'adapters-import-ports',
    from: 'src/main/adapters/planted/ipc.ts',
    code: "import '../../ipc/register.ts';",
    to: 'src/main/ipc/register.ts',
  },
  {
    rule: 'adapters-stand-alone',
    from: 'src/main/adapters/planted/other.ts',
    code: "import '../electron/system.ts';",
    to: 'src/main/adapters/electron/system.ts',
  },
  {
    rule: 'ipc-passes-calls-on',
    from: 'src/main/ipc/planted/adapter.ts',
    code: "import '../../adapters/electron/system.ts';",
    to: 'src/main/adapters/electron/system.ts',
  },
  {
    rule: 'shell-knows-no-domain',
    from: 'src/main/shell/planted/domain.ts',
    code: "import '../../core/planted/node.ts';",
    to: 'src/main/core/planted/node.ts',
  },
  {
    rule: 'preload-is-small',
    from: 'src/preload/planted/errors.ts',
    code: "import type { Result } from '../../shared/errors.ts';\nexport type R = Result<1>;",
    to: 'src/shared/errors.ts',
  },
  {
    rule: 'preload-bundles-names-only',
    from: 'src/preload/planted/contract.ts',
    code: "import '../../shared/ipc/contract.ts';",
    to: 'src/shared/ipc/contract.ts',
  },
  {
    rule: 'renderer-has-no-node',
    from: 'src/renderer/src/planted/main.ts',
    code: "import type { Clock } from '../../../main/core/ports.ts';\nexport type C = Clock;",
    to: 'src/main/core/ports.ts',
  },
  {
    // Components are read too.
    rule: 'renderer-has-no-node-modules',
    from: 'src/renderer/src/planted/Node.svelte',
    code: '<script lang="ts">\n  import { join } from \'node:path\';\n</script>\n\n{join("a", "b")}',
    to: 'path',
  },
  {
    rule: 'ui-has-no-domain',
    from: 'src/renderer/src/ui/planted/bridge.ts',
    code: "import '../../bridge.ts';",
    to: 'src/renderer/src/bridge.ts',
  },
  {
    rule: 'features-do-not-know-views',
    from: 'src/renderer/src/features/planted/view.ts',
    code: "import '../../main.ts';",
    to: 'src/renderer/src/main.ts',
  },
  {
    rule: 'state-draws-nothing',
    from: 'src/renderer/src/state/planted.ts',
    code: "import '../features/planted/view.ts';",
    to: 'src/renderer/src/features/planted/view.ts',
  },
  {
    rule: 'calls-guard-the-main-process',
    from: 'src/main/core/planted/calls.ts',
    code: "import '../../../shared/ipc/calls.ts';",
    to: 'src/shared/ipc/calls.ts',
  },
  {
    rule: 'root-is-imported-by-nobody',
    from: 'src/main/shell/planted/root.ts',
    code: "import '../../index.ts';",
    to: 'src/main/index.ts',
  },
  {
    rule: 'keychain-has-one-door',
    from: 'src/main/shell/planted/keytar.ts',
    code: "import 'keytar';",
    to: 'node_modules/keytar/',
  },
  {
    rule: 'store-has-one-door',
    from: 'src/main/shell/planted/sqlite.ts',
    code: "import 'node:sqlite';",
    to: 'node:sqlite',
  },
  {
    rule: 'network-has-one-door',
    from: 'src/main/shell/planted/network.ts',
    code: "import 'node:https';",
    to: 'https',
  },
  {
    rule: 'network-has-one-door',
    from: 'src/main/adapters/planted/updater.ts',
    code: "import 'electron-updater';",
    to: 'node_modules/electron-updater/',
  },
  {
    rule: 'settings-have-one-door',
    from: 'src/main/shell/planted/settings.ts',
    code: "import 'electron-store';",
    to: 'node_modules/electron-store/',
  },
  {
    rule: 'sample-service-stays-outside',
    from: 'src/main/planted/sample.ts',
    code: "import '../../../sample-service/planted-import.ts';",
    to: 'sample-service/planted-import.ts',
  },
  {
    rule: 'sample-service-is-another-program',
    from: 'sample-service/planted-import.ts',
    code: "import '../src/main/core/ports.ts';",
    to: 'src/main/core/ports.ts',
  },
  {
    rule: 'sample-data-uses-rules-and-store',
    from: 'sample-data/planted-import.ts',
    code: "import '../src/main/shell/window.ts';",
    to: 'src/main/shell/window.ts',
  },
  {
    rule: 'app-ships-its-dependencies',
    from: 'src/main/planted/dev.ts',
    code: "import 'fastify';",
    to: 'node_modules/fastify/',
  },
  {
    rule: 'tests-are-imported-by-nobody',
    from: 'src/main/planted/test.ts',
    code: "import '../../shared/planted.test.ts';",
    to: 'src/shared/planted.test.ts',
  },
  {
    rule: 'set-up-needs-no-dependency',
    from: 'scripts/setup/planted-import.mjs',
    code: "import 'electron-store';",
    to: 'node_modules/electron-store/',
  },
];

/** One error of type a runtime, where possible by a name that only another runtime has. */
export const typePlants: readonly { file: string; code: string; says: string }[] = [
  { file: 'src/shared/planted-type.ts', code: 'document.title;', says: "Cannot find name 'document'" },
  { file: 'src/main/planted-type.ts', code: 'document.title;', says: "Cannot find name 'document'" },
  {
    file: 'src/preload/planted-type.ts',
    code: "export const count: number = 'one';",
    says: "Type 'string' is not assignable to type 'number'",
  },
  { file: 'src/renderer/src/planted-type.ts', code: 'process.exit();', says: "Cannot find name 'process'" },
  { file: 'sample-service/planted-type.ts', code: 'document.title;', says: "Cannot find name 'document'" },
  { file: 'sample-data/planted-type.ts', code: 'document.title;', says: "Cannot find name 'document'" },
  {
    file: 'scripts/planted-type.mjs',
    code: 'export const count = Math.max("one");',
    says: "Argument of type 'string' is not assignable to parameter of type 'number'",
  },
  {
    file: 'e2e/planted-type.ts',
    code: "export const count: number = 'one';",
    says: "Type 'string' is not assignable to type 'number'",
  },
  {
    // A call that is declared and that nobody answers, and an endpoint of which no test has an answer.
    file: 'src/main/ipc/planted-handlers.ts',
    code: "import type { Handlers } from './register.ts'; export const handlers: Handlers = {};",
    says: "is missing the following properties from type 'Handlers'",
  },
  {
    file: 'src/shared/endpoints/testing/planted-bodies.ts',
    code: "import type { sampleBodies } from './sample-bodies.ts'; export const bodies: typeof sampleBodies = {};",
    says: 'is missing the following properties from type',
  },
  {
    file: 'src/main/planted-type.test.ts',
    code: "export const count: number = 'one';",
    says: "Type 'string' is not assignable to type 'number'",
  },
];

/** Errors that only svelte-check can see. */
export const sveltePlants: readonly { file: string; code: string; says: string }[] = [
  {
    file: 'src/renderer/src/planted/Type.svelte',
    code: '<script lang="ts">\n  let { count }: { count: number } = $props();\n</script>\n\n<p>{count.length}</p>\n',
    says: "Property 'length' does not exist on type 'number'",
  },
  {
    file: 'src/renderer/src/planted/Markup.svelte',
    code: '<img src="planted.png" />\n',
    says: '`<img>` element should have an alt attribute',
  },
];
