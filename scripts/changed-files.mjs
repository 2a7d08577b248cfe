import { execFileSync } from 'node:child_process';
import { projectDir, SetupError } from './setup/common.mjs';

/** The files changed since this branch left `main`; on `main` itself, those not committed. */
export function changedSinceMain(folder = projectDir) {
  /** @param {string[]} args */
  const git = (...args) => execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim();
  const base = baseIn(git);
  const listed = [git('diff', '--name-only', base), git('ls-files', '--others', '--exclude-standard')];
  const files = listed.flatMap((text) => text.split('\n')).filter((name) => name !== '');
  return { base, files };
}

/** The commit where this branch left `main`, which a clone of another branch has from its origin only. @param {(...args: string[]) => string} git */
function baseIn(git) {
  for (const main of ['main', 'origin/main']) {
    try {
      return git('merge-base', 'HEAD', main);
    } catch (cause) {
      if (!(cause instanceof Error)) throw cause;
    }
  }
  throw new SetupError(
    'Cannot tell what has changed since the branch main: this folder has no main that HEAD comes from.',
    'Fetch it, as with git fetch origin main:main, or use npm test for all tests.',
  );
}
