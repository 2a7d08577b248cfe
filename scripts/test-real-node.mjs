// `npm run test:real-node -- PATH-OF-THE-NODE`: the built app beside one real node on the loopback interface, through start,
// death, return, hang, its end, an orderly stop, TLS, a refused host name, a switched-off interface, and without a window.
// It takes about half an hour and is not part of `npm test`.
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ensureBuild } from './build.mjs';
import { runInSession } from './session.mjs';
import { projectDir } from './setup/common.mjs';

// npm runs scripts in the folder of package.json, wherever it was called.
const binary = resolve(process.env['INIT_CWD'] ?? process.cwd(), process.argv[2] ?? '');
if (!isProgram(binary)) {
  console.error('Give the path of a node that can be started: npm run test:real-node -- PATH-OF-THE-NODE');
  process.exitCode = 1;
} else {
  ensureBuild();
  process.exitCode = await runInSession(process.execPath, [
    join(projectDir, 'e2e', 'real-node', 'main.ts'),
    binary,
  ]);
}

/** @param {string} path */
function isProgram(path) {
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  return isFile && spawnSync(path, ['--version'], { stdio: 'ignore' }).status === 0;
}
