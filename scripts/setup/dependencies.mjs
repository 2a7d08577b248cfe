import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError, projectDir, read, run, say } from './common.mjs';

const nodeModulesDir = join(projectDir, 'node_modules');

/**
 * Installs the dependencies when they are missing or are not the ones of the lockfile.
 * @returns {Promise<string>} the Node that scripts run on: this one if it has the wanted version, else that of the dependency,
 *   whose install script downloads it
 */
export async function ensureDependencies() {
  const [major = 0] = process.versions.node.split('.').map(Number);
  if (major < 20) {
    throw new SetupError(
      `This is Node ${process.versions.node}; Watchkeeper needs 20 or newer to set itself up.`,
      'Install Node 20 or newer, then run the same command again.',
    );
  }
  if (!dependenciesMatchLockfile()) {
    say('installing dependencies (npm ci)');
    const code = await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
    if (code !== 0) {
      throw new SetupError(
        `npm ci ended with code ${code}.`,
        'Check that the npm registry can be reached and that this folder is writable, then run: npm ci\n' +
          'If npm names a certificate (SELF_SIGNED_CERT_IN_CHAIN), your network has its own authority: name its file in NODE_EXTRA_CA_CERTS.',
      );
    }
  }
  if (wantedNode() === process.versions.node) return process.execPath;
  // The program itself: on Windows the file in `.bin` is a script, which needs a shell.
  const nodePath = join(nodeModulesDir, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (read(nodePath, ['--version']) === null) {
    throw new SetupError(
      'The Node that the scripts run on (package "node") is not there or does not start.',
      'Install scripts may be switched off. Run: npm ci --ignore-scripts=false',
    );
  }
  return nodePath;
}

function wantedNode() {
  return readPackages(join(projectDir, 'package-lock.json'))?.['node_modules/node']?.version;
}

/** Compares what npm says it installed with the lockfile, which takes milliseconds; npm itself takes seconds. */
function dependenciesMatchLockfile() {
  const wanted = readPackages(join(projectDir, 'package-lock.json'));
  if (wanted === null) {
    throw new SetupError('package-lock.json cannot be read.', 'Restore it: git checkout package-lock.json');
  }
  const installed = readPackages(join(nodeModulesDir, '.package-lock.json'));
  if (installed === null) return false;
  // Optional packages for other platforms are in the lockfile but not on the disk.
  const isAsWanted = Object.entries(wanted).every(([path, { integrity, optional }]) => {
    const there = installed[path];
    return path === '' || (there === undefined ? optional === true : there.integrity === integrity);
  });
  return isAsWanted && Object.keys(installed).every((path) => wanted[path] !== undefined);
}

/**
 * @param {string} path
 * @returns {Record<string, { version?: string, integrity?: string, optional?: boolean }> | null}
 */
function readPackages(path) {
  if (!existsSync(path)) return null;
  try {
    return JSON.parse(readFileSync(path, 'utf8'))?.packages ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
