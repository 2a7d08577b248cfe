import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { explain, notStarted, run } from './setup/common.mjs';

/**
 * Starts further parts of the session, each of which is ready when its name is on the bus.
 * @typedef {(env: NodeJS.ProcessEnv, start: (command: string, args: string[], name: string) => Promise<void>) => Promise<void>} Furnish
 */

const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * Runs a command inside a throw-away desktop session: a display without a screen, a private message bus, and an unlocked
 * keyring that holds nothing and is deleted afterwards, so that a test never touches the user's own. The command starts when
 * all of them answer, and they end with it. On systems other than Linux the command runs without a session.
 * @param {string} command
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [added] to the environment of the command
 * @param {Furnish} [furnish]
 * @returns {Promise<number>} the exit code
 */
export async function runInSession(command, args, added = {}, furnish) {
  if (process.platform !== 'linux') {
    return run(command, args, { env: { ...process.env, ...added }, handsOnSignals: true });
  }

  const home = await mkdtemp(join(tmpdir(), 'watchkeeper-session-'));
  /** @type {import('node:child_process').ChildProcess[]} */
  const servants = [];
  let isReady = false;
  let isInterrupted = false;
  // A Ctrl-C must not end this process before it has ended the others, which would then keep running. The command ends first.
  const outlive = () => {
    if (isReady) return;
    isInterrupted = true;
    for (const servant of servants) servant.kill();
  };
  for (const signal of signals) process.on(signal, outlive);
  try {
    /** @type {NodeJS.ProcessEnv} */
    const env = { ...process.env, XDG_SESSION_TYPE: 'x11' };
    // The socket of the user's own display would be looked for in the folder of this session.
    delete env['WAYLAND_DISPLAY'];
    for (const name of ['XDG_DATA_HOME', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_RUNTIME_DIR']) {
      const folder = join(home, name.toLowerCase());
      await mkdir(folder);
      await chmod(folder, 0o700);
      env[name] = folder;
    }
    // Without -noreset the display resets when its last window closes, and refuses connections meanwhile.
    const display = ['-displayfd', '1', '-screen', '0', '1920x1200x24', '-nolisten', 'tcp', '-noreset'];
    env['DISPLAY'] = `:${await firstLine(serve(servants, 'Xvfb', display, env))}`;
    env['DBUS_SESSION_BUS_ADDRESS'] = await firstLine(
      serve(servants, 'dbus-daemon', ['--session', '--nofork', '--print-address=1'], env),
    );
    const unlock = ['--foreground', '--unlock', '--components=secrets'];
    const keyring = serve(servants, 'gnome-keyring-daemon', unlock, env);
    // The password of the keyring.
    keyring.stdin?.end('test');
    await nameOnBus('org.freedesktop.secrets', keyring, env);
    await furnish?.(env, (part, options, name) => nameOnBus(name, serve(servants, part, options, env), env));
    isReady = true;
    if (isInterrupted) return 130;
    return await run(command, args, { env: { ...env, ...added }, handsOnSignals: true });
  } catch (error) {
    if (isInterrupted) return 130;
    explain(error);
    return 1;
  } finally {
    for (const servant of servants.reverse()) await end(servant);
    await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    for (const signal of signals) process.off(signal, outlive);
  }
}

/**
 * Starts a part of the session. It has a process group of its own, so that Ctrl-C ends the command first.
 * @param {import('node:child_process').ChildProcess[]} servants
 * @param {string} command
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
function serve(servants, command, args, env) {
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'ignore'], detached: true });
  servants.push(child);
  return child;
}

/**
 * What a part of the session prints when it is ready.
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<string>}
 */
async function firstLine(child) {
  if (child.stdout === null) throw new Error('Its output is not read.');
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), failed(child)]);
  return String(line);
}

/**
 * Waits until a name on the bus has an owner.
 * @param {string} name
 * @param {import('node:child_process').ChildProcess} owner
 * @param {NodeJS.ProcessEnv} env
 */
async function nameOnBus(name, owner, env) {
  const question = ['--session', '--print-reply', '--dest=org.freedesktop.DBus', '/org/freedesktop/DBus'];
  const ended = failed(owner);
  for (;;) {
    const asked = spawn('dbus-send', [...question, 'org.freedesktop.DBus.NameHasOwner', `string:${name}`], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let answer = '';
    asked.stdout.setEncoding('utf8').on('data', (text) => (answer += text));
    const answered = once(asked, 'close').catch((cause) => Promise.reject(notStarted('dbus-send', cause)));
    await Promise.race([answered, ended]);
    if (answer.includes('boolean true')) return;
  }
}

/**
 * Rejects when a process cannot start, or ends while it is still needed.
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<never>}
 */
async function failed(child) {
  const [code] = await once(child, 'exit').catch((cause) => {
    throw notStarted(child.spawnfile, cause);
  });
  throw new Error(`${child.spawnfile} ended with ${String(code)} before the session was ready.`);
}

/** @param {import('node:child_process').ChildProcess} child */
async function end(child) {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
