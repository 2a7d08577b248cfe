import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { SetupError, isOnPath, read, run, say } from './common.mjs';

/** What Electron's runtime links against, and a font. */
const appPackages = [
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
const harnessPackages = ['xvfb', 'dbus', 'gnome-keyring'];

/** What reads and writes the file system of an AppImage, and makes and installs an rpm. */
const packagePackages = ['squashfs-tools', 'desktop-file-utils', 'rpm'];

/** The programs of the harness. */
const harnessPrograms = ['Xvfb', 'dbus-daemon', 'dbus-send', 'gnome-keyring-daemon'];

/**
 * Sees to the system packages: with apt, after a question on the terminal; without a terminal, where nobody can be asked, only as
 * root or on a CI machine. Otherwise it says exactly what to type. On systems without dpkg Electron itself names a missing library.
 * @param {{ harness?: boolean, packs?: boolean }} task
 */
export async function ensureSystemPackages({ harness = false, packs = false }) {
  if (process.platform !== 'linux') return;
  if (!existsSync('/usr/bin/dpkg-query')) return harness ? ensurePrograms() : undefined;
  const missing = missingPackages([
    ...appPackages,
    ...(harness ? harnessPackages : []),
    ...(packs ? packagePackages : []),
  ]);
  if (missing.length === 0) return;

  const install = () =>
    `apt-get update && apt-get install -y --no-install-recommends ${aptNames(missing).join(' ')}`;
  const prefix = administratorPrefix();
  if (prefix === null || !(await mayInstall(missing))) {
    throw new SetupError(
      `These system packages are missing: ${missing.join(' ')}`,
      `Type this, then run the same command again:\n  sudo sh -c '${install()}'`,
    );
  }
  say(`installing system packages: ${missing.join(' ')}`);
  const environment = ['env', 'DEBIAN_FRONTEND=noninteractive'];
  const [command = 'env', ...first] = [...prefix, ...environment];
  const quiet = ['-qq', '-o', 'DPkg::Lock::Timeout=300', '-o', 'Dpkg::Use-Pty=0'];
  const steps = [
    () => ['apt-get', ...quiet, 'update'],
    () => ['apt-get', ...quiet, 'install', '-y', '--no-install-recommends', ...aptNames(missing)],
  ];
  for (const words of steps) {
    const step = words();
    const code = await run(command, [...first, ...step]);
    if (code !== 0) {
      throw new SetupError(
        `"${step.join(' ')}" ended with code ${code}.`,
        `Mend what apt says above, or type: sudo sh -c '${install()}'`,
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
  const installed = new Set([...query.stdout.matchAll(/^(\S+) installed$/gm)].map(([, name]) => name));
  return packages.filter((name) => !installed.has(name) && !installed.has(`${name}t64`));
}

/**
 * Their names for apt, as far as its lists are there. Ubuntu 24.04 has `libasound2` only as something that two packages
 * provide, and apt installs neither of them by that name.
 * @param {string[]} packages
 * @returns {string[]}
 */
function aptNames(packages) {
  const known = read('apt-cache', ['policy', ...packages.map((name) => `${name}t64`)]) ?? '';
  return packages.map((name) => (known.split('\n').includes(`${name}t64:`) ? `${name}t64` : name));
}

const hasTerminal = () => process.stdin.isTTY && process.stdout.isTTY;

/** @param {string[]} missing */
async function mayInstall(missing) {
  if (!hasTerminal()) return process.getuid?.() === 0 || Boolean(process.env['CI']);
  say(`these system packages are missing: ${missing.join(' ')}`);
  if (missing.includes('gnome-keyring')) {
    say(
      'gnome-keyring stays installed; on a desktop with another keyring, such as KWallet, it may answer in its place',
    );
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const closed = once(terminal, 'close').then(() => '');
    return /^y(es)?$/i.test(
      (await Promise.race([terminal.question('Install them now? [y/N] '), closed])).trim(),
    );
  } finally {
    terminal.close();
  }
}

/** @returns {string[] | null} what to put before a command so that it runs as root; null when there is no way */
function administratorPrefix() {
  if (process.getuid?.() === 0) return [];
  // On a terminal sudo may ask for a password.
  if (hasTerminal()) return read('sudo', ['-V']) === null ? null : ['sudo'];
  return read('sudo', ['-n', 'true']) === null ? null : ['sudo', '-n'];
}

function ensurePrograms() {
  const missing = harnessPrograms.filter((name) => !isOnPath(name));
  if (missing.length === 0) return;
  throw new SetupError(
    `These programs are missing, which the tests and the pictures of the demo need: ${missing.join(' ')}`,
    [
      'Install them, then run the same command again:',
      '  Fedora    sudo dnf install xorg-x11-server-Xvfb dbus-daemon dbus-tools gnome-keyring',
      '  openSUSE  sudo zypper install xorg-x11-server-Xvfb dbus-1 dbus-1-tools gnome-keyring',
      '  Arch      sudo pacman -S xorg-server-xvfb dbus gnome-keyring',
    ].join('\n'),
  );
}
