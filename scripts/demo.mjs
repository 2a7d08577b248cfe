// `npm run demo` without a display, or with --pictures: visits every view of the sample data and saves pictures, in a profile
// and a keyring that are thrown away. With a display it is `npm start -- --sample-data` (setup/tasks.mjs).
import { join } from 'node:path';
import { ensureBuild } from './build.mjs';
import { furnish, hasDesktop } from './desktop.mjs';
import { runInSession } from './session.mjs';
import { projectDir } from './setup/common.mjs';

ensureBuild();
const tour = join(projectDir, 'scripts', 'demo-tour.ts');
process.exitCode = hasDesktop()
  ? await runInSession(process.execPath, [tour, '--desktop'], {}, furnish)
  : await runInSession(process.execPath, [tour]);
