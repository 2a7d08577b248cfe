// `npm start`: builds when a source is newer than the build, then starts the app with the user's own profile.
import electronPath from 'electron';
import { ensureBuild } from './build.mjs';
import { projectDir, run } from './setup/common.mjs';

ensureBuild();
// In plain Node the package's export is the path of the runtime.
const runtime = /** @type {string} */ (/** @type {unknown} */ (electronPath));
process.exitCode = await run(runtime, [projectDir, ...process.argv.slice(2)]);
