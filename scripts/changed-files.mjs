import { execFileSync, spawnSync } from 'node:child_process';
import { projectDir, SetupError } from './setup/common.mjs';

/** The files changed since this branch left `main`; on `main` itself, those not committed. */
export function changedSinceMain(folder = projectDir) {
  /** @param {string[]} args */
  const git = (...args) => execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim();
  // A clone of another branch has main from its origin only.
  const [base] = ['main', 'origin/main'].flatMap((main) => {
    const { status, stdout } = spawnSync('git', ['merge-base', 'HEAD', main], {
      cwd: folder,
      encoding: 'utf8',
    });
    return status === 0 ? [stdout.trim()] : [];
  });
  if (base === undefined) {
    throw new SetupError(
      'Cannot tell what has changed since the branch main: this folder has no main that HEAD comes from.',
      'Fetch it, as with git fetch origin main:main, or use npm test for all tests.',
    );
  }
  const listed = `${git('diff', '--name-only', base)}\n${git('ls-files', '--others', '--exclude-standard')}`;
  return { base, files: listed.split('\n').filter((name) => name !== '') };
}
