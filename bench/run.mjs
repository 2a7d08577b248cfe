// `npm run bench -- NAME PARTS`: runs one benchmark of this folder, or only the named parts of it. Its last lines are the
// figures, each with a ratio or a bound; it exits with 1 when a bound is missed.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuild } from '../scripts/build.mjs';
import { runInSession } from '../scripts/session.mjs';
import { ensureElectronRuntime } from '../scripts/setup/electron-runtime.mjs';

const inNode = readdirSync(import.meta.dirname).flatMap((file) => /^([a-z]+)\.ts$/.exec(file)?.[1] ?? []);
/** Those need the built app, its runtime, and their own session, like the end-to-end tests. */
const inApp = ['alerts', 'app', 'window'];
const [name = '', ...parts] = process.argv.slice(2);

if (inNode.includes(name)) {
  process.argv.splice(2, 1);
  await import(join(import.meta.dirname, `${name}.ts`));
} else if (inApp.includes(name)) {
  const runtime = await ensureElectronRuntime({ allowSubstitute: true });
  console.log(`${runtime.label}, on a display without a screen`);
  ensureBuild();
  const file = join(import.meta.dirname, `bench-${name}.ts`);
  process.exitCode = await runInSession(process.execPath, [file, ...parts], runtime.env);
} else {
  console.error(`Which benchmark? There are: ${[...inNode, ...inApp].sort().join(', ')}.`);
  process.exitCode = 1;
}
