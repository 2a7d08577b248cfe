import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect } from 'playwright/test';
import { projectDir } from './running-app.ts';
import { VirtualKeyboard } from './virtual-keyboard.ts';

const run = promisify(execFile);
const password = 'test';
const busName = 'org.freedesktop.secrets';

/**
 * A locked keyring that holds one key, on its own message bus. A program that reads the key waits for its
 * prompt, which is on a separate display, because it grabs the keyboard.
 */
export class LockedKeyring {
  /** The environment in which the app uses this keyring. */
  readonly env: { DBUS_SESSION_BUS_ADDRESS: string };
  readonly #home: string;
  readonly #daemonEnv: NodeJS.ProcessEnv;
  readonly #keyboard: VirtualKeyboard;
  #promptSeenAtMs: number | null = null;
  readonly #processes: readonly ChildProcess[];

  private constructor(
    home: string,
    daemonEnv: NodeJS.ProcessEnv,
    address: string,
    keyboard: VirtualKeyboard,
    processes: ChildProcess[],
  ) {
    this.#home = home;
    this.#daemonEnv = daemonEnv;
    this.env = { DBUS_SESSION_BUS_ADDRESS: address };
    this.#keyboard = keyboard;
    this.#processes = processes;
  }

  static async start(account: string, key: string): Promise<LockedKeyring> {
    const home = await mkdtemp(join(tmpdir(), 'watchkeeper-locked-'));
    const folders: Record<string, string> = {};
    for (const name of ['XDG_DATA_HOME', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_RUNTIME_DIR']) {
      const folder = join(home, name.toLowerCase());
      await mkdir(folder, { mode: 0o700 });
      folders[name] = folder;
    }
    const screen = await startDisplay();
    const env = { ...process.env, ...folders, DISPLAY: `:${screen.line}` };
    const bus = await startAndReadLine('dbus-daemon', ['--session', '--nofork', '--print-address=1'], env);
    const daemonEnv = { ...env, DBUS_SESSION_BUS_ADDRESS: bus.line };
    const keyboard = await VirtualKeyboard.at(screen.line);
    const keyring = new LockedKeyring(home, daemonEnv, bus.line, keyboard, [bus.process, screen.process]);
    await keyring.unlock();
    await keyring.#keytar(`setPassword('Watchkeeper', ...process.argv.slice(1))`, account, key);
    await keyring.#replaceDaemon([]);
    return keyring;
  }

  /** Locks it again, as the system does after some time. */
  async lock(): Promise<void> {
    const where = ['--session', '--print-reply', `--dest=${busName}`, '/org/freedesktop/secrets'];
    const what = [
      'org.freedesktop.Secret.Service.Lock',
      'array:objpath:/org/freedesktop/secrets/collection/login',
    ];
    await run('dbus-send', [...where, ...what], { env: this.#daemonEnv });
  }

  /** Unlocks it, as typing the password elsewhere would. */
  async unlock(): Promise<void> {
    await this.#replaceDaemon(['--unlock']);
  }

  /** The stored key, or null. A locked keyring asks for its password. */
  async read(account: string): Promise<string | null> {
    return await this.#keytar(`getPassword('Watchkeeper', process.argv[1])`, account);
  }

  /** In another process, because this one speaks to the keyring of its own session. */
  async #keytar(call: string, ...args: readonly string[]): Promise<string | null> {
    const program = `require('keytar').${call}.then((value) => console.log(JSON.stringify(value ?? null)))`;
    const { stdout } = await run(process.execPath, ['-e', program, ...args], {
      cwd: projectDir,
      env: this.#daemonEnv,
    });
    // keytar returns a string or null.
    return JSON.parse(stdout) as string | null;
  }

  /** For how long its prompt has been seen with the keyboard; 0 while there is none. */
  async promptingForMs(): Promise<number> {
    const nowMs = performance.now();
    if (!(await this.#keyboard.isTaken())) this.#promptSeenAtMs = null;
    else this.#promptSeenAtMs ??= nowMs;
    return this.#promptSeenAtMs === null ? 0 : nowMs - this.#promptSeenAtMs;
  }

  /** Types its password at the open prompt. */
  async answerPrompt(): Promise<void> {
    await this.#keyboard.type(`${password}\n`);
  }

  async dismissPrompt(): Promise<void> {
    await this.#keyboard.type('\x1b');
  }

  async stop(): Promise<void> {
    this.#keyboard.close();
    for (const child of this.#processes) {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
    await rm(this.#home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  /** A new daemon starts locked unless it is given the password. It ends with its bus. */
  async #replaceDaemon(args: readonly string[]): Promise<void> {
    const before = await this.#owner();
    const daemon = spawn('gnome-keyring-daemon', ['--replace', '--components=secrets', ...args], {
      env: this.#daemonEnv,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    daemon.stdin.end(password);
    // It becomes a background process.
    const [code] = (await once(daemon, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`The keyring did not start (${String(code)}).`);
    await expect
      .poll(async () => [null, before].includes(await this.#owner()), 'it does not answer on the bus')
      .toBe(false);
  }

  /** The owner of the keyrings' bus name, if there is one. */
  async #owner(): Promise<string | null> {
    const where = [
      '--session',
      '--print-reply=literal',
      '--dest=org.freedesktop.DBus',
      '/org/freedesktop/DBus',
    ];
    const owner = await run(
      'dbus-send',
      [...where, 'org.freedesktop.DBus.GetNameOwner', `string:${busName}`],
      { env: this.#daemonEnv },
    ).catch((error: unknown) => {
      if (String(error).includes('NameHasNoOwner')) return { stdout: '' };
      throw error;
    });
    return owner.stdout.trim() || null;
  }
}

/** A virtual display with its own clipboard and keyboard; `line` is its number. It runs until it is killed. */
export function startDisplay() {
  // Without -noreset it resets when its last window closes.
  return startAndReadLine('Xvfb', ['-displayfd', '1', '-nolisten', 'tcp', '-noreset'], process.env);
}

async function startAndReadLine(command: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = (await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'exit').then(() => {
      throw new Error(`${command} ended before it was ready.`);
    }),
  ])) as [string];
  return { process: child, line };
}
