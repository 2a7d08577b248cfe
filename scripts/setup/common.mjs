import { spawn, spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectDir = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Where things are kept that are too large to fetch twice: WATCHKEEPER_CACHE, or the user's cache folder. */
export const cacheDir =
  process.env['WATCHKEEPER_CACHE'] ??
  join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'watchkeeper');

/** Set-up cannot go on: what is missing, and what the person should type. */
export class SetupError extends Error {
  /** @param {string} message @param {string} remedy */
  constructor(message, remedy) {
    super(message);
    this.name = 'SetupError';
    this.remedy = remedy;
  }
}

/** @param {string} line */
export function say(line) {
  console.log(`[set-up] ${line}`);
}

/**
 * Runs a command with its output on ours; resolves with its exit code, 124 when it took longer than `timeoutMs`.
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, timeoutMs?: number, cwd?: string }} [options]
 * @returns {Promise<number>}
 */
export function run(command, args, options = {}) {
  return new Promise((done, fail) => {
    const child = spawn(command, args, {
      cwd: options.cwd ?? projectDir,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: options.env ?? process.env,
      // npm and npx are .cmd files on Windows, which only a shell starts.
      shell: process.platform === 'win32',
    });
    let timedOut = false;
    const timer =
      options.timeoutMs === undefined
        ? undefined
        : setTimeout(() => {
            timedOut = true;
            child.kill('SIGKILL');
          }, options.timeoutMs);
    child.on('error', fail);
    child.on('exit', (code) => {
      clearTimeout(timer);
      done(timedOut ? 124 : (code ?? 1));
    });
  });
}

/**
 * Output of a short command, or null when it cannot be started or fails.
 * @param {string} command
 * @param {string[]} args
 */
export function read(command, args) {
  const result = spawnSync(command, args, { encoding: 'utf8' });
  return result.status === 0 ? result.stdout.trim() : null;
}
