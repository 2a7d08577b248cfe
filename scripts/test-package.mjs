// `npm run test:package`: packs the app; installs each package, does the main job in it, and removes it. Needs Debian and root, and is not part of
// `npm test`.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runInSession } from './session.mjs';
import { projectDir } from './setup/common.mjs';

if (process.platform !== 'linux' || process.getuid?.() !== 0) {
  console.error('Installing a package needs Debian and root, such as a container has.');
  process.exitCode = 1;
} else {
  // Where the test has a release of a higher version.
  const updatesFrom = 'http://127.0.0.1:7669';
  execFileSync(process.execPath, [join(projectDir, 'scripts', 'package.mjs')], {
    stdio: 'inherit',
    env: { ...process.env, WATCHKEEPER_UPDATES_FROM: updatesFrom },
  });
  const out = join(projectDir, 'out', 'packages');
  const tests = /** @type {const} */ ([
    ['.deb', 'main.ts'],
    ['.rpm', 'main.ts'],
    ['.AppImage', 'app-image.ts'],
  ]);
  for (const [ending, test] of tests) {
    const file = readdirSync(out).find((name) => name.endsWith(ending) && !/arm64|aarch64/.test(name));
    if (file === undefined) throw new Error(`No ${ending} was made.`);
    const args = [join(projectDir, 'e2e', 'package', test), join(out, file), updatesFrom];
    process.exitCode ||= await runInSession(process.execPath, args);
  }
}
