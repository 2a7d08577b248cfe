import { existsSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { SetupError, read, run, say } from './common.mjs';

/** What Electron's runtime links against, and a font. */
export const appPackages = [
  'libgtk-3-0',
  'libnss3',
  'libasound2',
  'libgbm1',
  'libxss1',
  'libatk-bridge2.0-0',
  'libxtst6',
  'libnotify4',
  'libsecret-1-0',
  'fonts-dejavu-core',
];

/** A display without a screen, and a private keyring that is thrown away. */
export const harnessPackages = ['xvfb', 'dbus', 'gnome-keyring'];

/**
 * Installs what is missing with apt, as root or with passwordless sudo; otherwise says exactly what to type. Systems
 * without dpkg are left alone: Electron itself names a missing library.
 * @param {string[]} packages
 */
export async function ensureSystemPackages(packages) {
  if (process.platform !== 'linux' || !existsSync('/usr/bin/dpkg-query')) return;
  const missing = missingPackages(packages);
  if (missing.length === 0) return;

  const install = `apt-get update && apt-get install -y --no-install-recommends ${missing.join(' ')}`;
  const prefix = administratorPrefix();
  if (prefix === null) {
    throw new SetupError(
      `These system packages are missing: ${missing.join(' ')}`,
      `Type this, then run the same command again:\n  sudo sh -c '${install}'`,
    );
  }
  say(`installing system packages: ${missing.join(' ')}`);
  const environment = ['env', 'DEBIAN_FRONTEND=noninteractive'];
  const [command = 'env', ...first] = [...prefix, ...environment];
  const quiet = ['-qq', '-o', 'DPkg::Lock::Timeout=300', '-o', 'Dpkg::Use-Pty=0'];
  const steps = [
    ['apt-get', ...quiet, 'update'],
    ['apt-get', ...quiet, 'install', '-y', '--no-install-recommends', ...missing],
  ];
  for (const step of steps) {
    const code = await run(command, [...first, ...step]);
    if (code !== 0) {
      throw new SetupError(
        `"${step.join(' ')}" ended with code ${code}.`,
        `Mend what apt says above, or type: sudo sh -c '${install}'`,
      );
    }
  }
}

/**
 * @param {string[]} packages
 * @returns {string[]}
 */
function missingPackages(packages) {
  // Newer releases ship some of these under the same name with the suffix "t64"; dpkg-query exits 1 when any is unknown.
  const names = packages.flatMap((name) => [name, `${name}t64`]);
  const query = spawnSync('dpkg-query', ['-W', '-f', '${Package} ${db:Status-Status}\\n', ...names], {
    encoding: 'utf8',
  });
  const installed = new Set(
    query.stdout
      .split('\n')
      .filter((line) => line.endsWith(' installed'))
      .map((line) => line.slice(0, line.indexOf(' '))),
  );
  return packages.filter((name) => !installed.has(name) && !installed.has(`${name}t64`));
}

/** @returns {string[] | null} what to put before a command so that it runs as root; null when there is no way */
function administratorPrefix() {
  if (process.getuid?.() === 0) return [];
  return read('sudo', ['-n', 'true']) === null ? null : ['sudo', '-n'];
}
