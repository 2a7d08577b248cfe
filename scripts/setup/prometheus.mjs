import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isOnPath, projectDir, run, say } from './common.mjs';

const dir = join(projectDir, '.cache', 'prometheus');

/**
 * Finds Prometheus, which the tests let read the figures of the app. Debian's package is unpacked into the cache and not
 * installed, because it would start a service. Without it those tests are skipped, and `npm test` counts them as skipped.
 * @returns {Promise<string[]>} the folder to look for it in, if it is not on the PATH
 */
export async function ensurePrometheus() {
  if (isOnPath('prometheus')) return [];
  const bin = join(dir, 'usr', 'bin');
  if (!existsSync(bin) && existsSync('/usr/bin/apt-get')) await unpack();
  return existsSync(bin) ? [bin] : [];
}

/** Into a folder of its own first: what is there is whole. */
async function unpack() {
  await mkdir(join(projectDir, '.cache'), { recursive: true });
  const made = await mkdtemp(join(projectDir, '.cache', 'prometheus-'));
  try {
    const steps = 'apt-get -qq -o APT::Sandbox::User=root download prometheus && dpkg-deb -x *.deb unpacked';
    const code = await run('sh', ['-c', `cd "$0" && ${steps}`, made]);
    if (code === 0) await rename(join(made, 'unpacked'), dir);
    else say('tests with a real Prometheus are skipped: its package cannot be fetched');
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}
