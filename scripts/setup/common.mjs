import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectDir = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** The cache folder for large downloads: WATCHKEEPER_CACHE, or in the user's cache folder. */
export const cacheDir =
  process.env['WATCHKEEPER_CACHE'] ??
  join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'watchkeeper');

/** Set-up cannot continue: what is missing, and what the user should type. */
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

/** Prints why set-up cannot continue; throws anything else again. @param {unknown} error */
export function explain(error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(`\n${error.message}\n${error.remedy}`);
}

/**
 * Runs a command with our input and output; resolves with its exit code, or 130 when a signal ended it, as one does after
 * `timeoutMs`. With `handsOnSignals`, signals that would end this process are passed on to the command instead; `onError` is
 * given what the command writes to its error output, which is shown as well.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, timeoutMs?: number, handsOnSignals?: boolean, onError?: (text: string) => void }} [options]
 * @returns {Promise<number>}
 */
export function run(command, args, { env = process.env, timeoutMs, handsOnSignals = false, onError } = {}) {
  return new Promise((done, fail) => {
    const child = spawn(command, args, {
      cwd: projectDir,
      stdio: ['inherit', 'inherit', onError === undefined ? 'inherit' : 'pipe'],
      env,
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      // On Windows npm installs .cmd files, which need a shell.
      shell: process.platform === 'win32' && !isAbsolute(command),
    });
    /** @param {NodeJS.Signals} signal */
    const handOn = (signal) => child.kill(signal);
    const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
    if (handsOnSignals) for (const signal of signals) process.on(signal, handOn);
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      process.stderr.write(text);
      onError?.(text);
    });
    child.on('error', (cause) => fail(notStarted(command, cause)));
    child.on('close', (code, signal) => {
      for (const each of signals) process.off(each, handOn);
      done(code ?? (signal === null ? 1 : 130));
    });
  });
}

/** @param {string} program @param {unknown} cause */
export function notStarted(program, cause) {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
  const missing = code === 'ENOENT' ? 'It is not installed, or not on the PATH.' : `The system says ${code}.`;
  return new SetupError(`"${program}" could not be started.`, missing);
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

/** @param {string} program */
export function isOnPath(program) {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.some((folder) => existsSync(join(folder, program)));
}
