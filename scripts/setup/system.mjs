import { spawnSync } from 'node:child_process';
import { existsSync, statSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SetupError, projectDir } from './common.mjs';

// What of a computer Watchkeeper cannot run on, each told in words before anything is downloaded or started.

/** @param {{ platform: string, arch: string, hasGlibc: boolean }} system */
export function ensureSystem({ platform, arch, hasGlibc } = thisSystem()) {
  if (!['x64', 'arm64'].includes(arch)) {
    throw new SetupError(
      `This computer's processor is ${arch}. Watchkeeper runs on x64 and arm64.`,
      'Use another computer.',
    );
  }
  if (platform === 'linux' && !hasGlibc) {
    throw new SetupError(
      'This Linux has another C library than glibc, such as musl in Alpine. Electron is made for glibc only.',
      'Use a system or a container with glibc, such as Debian, Ubuntu, Fedora, openSUSE or Arch.',
    );
  }
}

function thisSystem() {
  /** @type {any} The schema of the report is Node's; without `excludeNetwork` it looks up names of hosts. */
  const { report: reporter } = process;
  if (reporter) reporter.excludeNetwork = true;
  const report = process.platform === 'linux' ? reporter?.getReport() : {};
  const hasGlibc = report?.header?.glibcVersionRuntime !== undefined;
  return { platform: process.platform, arch: process.arch, hasGlibc };
}

/**
 * @param {string} folder Need not exist yet.
 * @param {number} bytes
 * @param {string} what Is to be stored there.
 */
export function ensureRoom(folder, bytes, what) {
  let existing = folder;
  while (!existsSync(existing)) existing = dirname(existing);
  const { blocks, bavail, bsize } = statfsSync(existing);
  // Some file systems do not say it.
  if (blocks === 0 || bavail * bsize >= bytes) return;
  const megabytes = (/** @type {number} */ count) => `${Math.floor(count / 1e6)} MB`;
  throw new SetupError(
    `There is not enough room for ${what}: it needs ${megabytes(bytes)}, and ${megabytes(bavail * bsize)} are free.`,
    `Make room on the disk of ${existing}, then run the same command again.`,
  );
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
