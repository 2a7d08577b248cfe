// Benchmarks of the built app need the app, its runtime, and their own session, like the end-to-end tests.
import { join } from 'node:path';
import { ensureBuild } from '../scripts/build.mjs';
import { runInSession } from '../scripts/session.mjs';
import { ensureElectronRuntime } from '../scripts/setup/electron-runtime.mjs';

/** @param {string} file Of this folder. */
export async function benchBuiltApp(file) {
  const runtime = await ensureElectronRuntime({ allowSubstitute: true });
  console.log(`${runtime.label}, on a display without a screen`);
  ensureBuild();
  const args = [join(import.meta.dirname, file), ...process.argv.slice(2)];
  process.exitCode = await runInSession(process.execPath, args, runtime.env);
}
