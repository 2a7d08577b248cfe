// `npm run test:package`: packs the app, installs the package, does the main job in it, and removes it. Needs Debian and root,
// and is no part of `npm test`.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runInSession } from './session.mjs';
import { projectDir } from './setup/common.mjs';

if (process.platform !== 'linux' || process.getuid?.() !== 0) {
  console.error('Installing a package needs Debian and root, such as a container has.');
  process.exitCode = 1;
} else {
  execFileSync(process.execPath, [join(projectDir, 'scripts', 'package.mjs')], { stdio: 'inherit' });
  const out = join(projectDir, 'out', 'packages');
  const file = readdirSync(out).find((name) => name.endsWith('.deb'));
  if (file === undefined) throw new Error('No package for Debian was made.');
  process.exitCode = await runInSession(
    process.execPath,
    [join(projectDir, 'e2e', 'package', 'main.ts'), join(out, file)],
    { display: 'virtual' },
  );
}
