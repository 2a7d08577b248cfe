// The benchmark of the window needs the built app, its runtime, and a session of its own, as the end-to-end tests do.
import { join } from 'node:path';
import { ensureBuild } from '../scripts/build.mjs';
import { runInSession } from '../scripts/session.mjs';
import { ensureElectronRuntime } from '../scripts/setup/electron-runtime.mjs';

const runtime = await ensureElectronRuntime({ allowSubstitute: true });
console.log(`${runtime.label}, on a display without a screen`);
ensureBuild();
process.exitCode = await runInSession(process.execPath, [join(import.meta.dirname, 'bench-window.ts')], {
  display: 'virtual',
  env: runtime.env,
});
