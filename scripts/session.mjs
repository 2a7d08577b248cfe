import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Runs a command inside a throw-away desktop session: a private message bus and an unlocked keyring that holds nothing
 * and is deleted afterwards, so that a test or a demo never touches the user's own; and, when asked, a display
 * without a screen. On systems other than Linux the command runs as it is.
 * @param {string} command
 * @param {string[]} args
 * @param {{ display: 'virtual' | 'own', env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<number>} the exit code
 */
export async function runInSession(command, args, options) {
  if (process.platform !== 'linux') return start(command, args, { ...process.env, ...options.env });

  const home = await mkdtemp(join(tmpdir(), 'watchkeeper-session-'));
  try {
    /** @type {Record<string, string>} */
    const folders = {};
    for (const name of ['XDG_DATA_HOME', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_RUNTIME_DIR']) {
      const folder = join(home, name.toLowerCase());
      await mkdir(folder);
      await chmod(folder, 0o700);
      folders[name] = folder;
    }
    // The daemon reads the keyring's password from its input and goes to the background, already unlocked.
    const unlock = 'printf test | gnome-keyring-daemon --unlock --components=secrets >/dev/null && exec "$@"';
    const inSession = ['dbus-run-session', '--', 'sh', '-c', unlock, 'sh', command, ...args];
    const virtual = ['xvfb-run', '--auto-servernum', '--server-args=-screen 0 1920x1200x24 -nolisten tcp'];
    const [first = 'sh', ...rest] = options.display === 'virtual' ? [...virtual, ...inSession] : inSession;
    return await start(first, rest, { ...process.env, ...folders, ...options.env });
  } finally {
    // The keyring daemon may still be writing its files when the session ends; rm tries again.
    await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>}
 */
function start(command, args, env) {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { stdio: 'inherit', env });
    for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
      process.on(signal, () => child.kill(signal));
    }
    child.on('error', fail);
    child.on('exit', (code, signal) => done(code ?? (signal === null ? 1 : 130)));
  });
}
