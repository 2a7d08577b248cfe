// `npm run demo`: the app against the sample service, in a profile and a keyring that are thrown away. With a display
// it stays open until its window is closed; without one, or with --pictures, it visits every view and saves pictures.
import { join } from 'node:path';
import { ensureBuild } from './build.mjs';
import { runInSession } from './session.mjs';
import { projectDir } from './setup/common.mjs';

const hasDisplay =
  process.platform !== 'linux' ||
  process.env['DISPLAY'] !== undefined ||
  process.env['WAYLAND_DISPLAY'] !== undefined;
const pictures = !hasDisplay || process.argv.includes('--pictures');

ensureBuild();
process.exitCode = await runInSession(
  process.execPath,
  [join(projectDir, 'scripts', 'demo-tour.ts'), pictures ? '--pictures' : '--stay'],
  { display: pictures && process.platform === 'linux' ? 'virtual' : 'own' },
);
