import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError, projectDir } from './common.mjs';

// What of a computer Watchkeeper cannot run on, each told in words before anything is downloaded or started.

/** @param {string} [platform] */
export function ensureSystem(platform = process.platform, hasGlibc = readGlibc) {
  if (platform !== 'linux' || hasGlibc()) return;
  throw new SetupError(
    'This Linux has another C library than glibc, such as musl in Alpine. Electron is made for glibc only.',
    'Use a system or a container with glibc, such as Debian, Ubuntu, Fedora, openSUSE or Arch.',
  );
}

function readGlibc() {
  /** @type {any} The schema of the report is Node's; without `excludeNetwork` it looks up names of hosts. */
  const { report } = process;
  report.excludeNetwork = true;
  return report.getReport().header.glibcVersionRuntime !== undefined;
}

/**
 * Chromium's sandbox needs a user who is not root, and either user namespaces or a helper that belongs to root.
 * @param {string} runtimeDir
 * @param {() => { uid: number | undefined, hasNamespaces: boolean }} [read]
 */
export function ensureSandbox(runtimeDir, read = readSandbox) {
  if (process.platform !== 'linux') return;
  const { uid, hasNamespaces } = read();
  if (uid === 0) {
    throw new SetupError(
      'Watchkeeper does not start as root: its sandbox, which keeps pages away from your files, does not work there.',
      'Run the same command as a user who is not root.',
    );
  }
  const helper = join(runtimeDir, 'chrome-sandbox');
  const found = statSync(helper, { throwIfNoEntry: false });
  const isHelperReady = found?.uid === 0 && (found.mode & 0o4000) !== 0;
  if (hasNamespaces || isHelperReady) return;
  throw new SetupError(
    'This system gives programs no user namespaces (Ubuntu since 23.10, hardened kernels), so the sandbox cannot start.',
    `Let Electron's own helper make it. Type this, then run the same command again:\n  sudo chown root:root '${helper}' && sudo chmod 4755 '${helper}'`,
  );
}

function readSandbox() {
  // Where the tool itself is missing, Chromium finds out.
  const { status, error } = spawnSync('unshare', ['--user', '--map-root-user', 'true'], { cwd: projectDir });
  return { uid: process.getuid?.(), hasNamespaces: error !== undefined || status === 0 };
}
