import { Turns } from '../../../shared/turns.ts';
import type { Keychain, KeychainFailure, KeychainOutcome, Log } from '../../core/ports.ts';

/** The functions of keytar that are used; a test puts its own in their place. */
export interface Keytar {
  getPassword(service: string, account: string): Promise<string | null>;
  setPassword(service: string, account: string, password: string): Promise<void>;
  deletePassword(service: string, account: string): Promise<boolean>;
}

/** Under this name the system lists the app's entries. */
const serviceName = 'Watchkeeper';

/**
 * A locked keychain shows a prompt and keytar waits for it without end, so a call that takes longer counts as locked.
 * Long enough to type a password would block the app's start; the user unlocks and tries again.
 */
const defaultTimeoutMs = 5_000;

/**
 * A prompt that is dismissed ends a read as if nothing were stored. Without a prompt that answer comes in some 10 ms, and a
 * person takes longer than this to dismiss one.
 */
const promptTakesMs = 1_000;

export interface KeychainOptions {
  log: Log;
  timeoutMs?: number;
  /** Milliseconds that never go back; only a test gives others. */
  monotonicMs?: () => number;
  /** Loads the native module; only a test gives another one. */
  load?: () => Promise<Keytar>;
}

export interface SystemKeychain extends Keychain {
  /** Whether a call, perhaps one that was given up, still waits for the system. */
  isBusy(): boolean;
}

/**
 * The `Keychain` port on keytar. The module is loaded with the first call: it needs a native library of the system.
 *
 * One call at a time: each holds one of the few threads that files and host names need too, and a prompt that nobody
 * answers never gives it back. A call whose time is over before its turn is not made any more.
 */
export function createKeychain(options: KeychainOptions): SystemKeychain {
  const {
    log,
    timeoutMs = defaultTimeoutMs,
    monotonicMs = () => performance.now(),
    load = loadKeytar,
  } = options;
  let loading: Promise<Keytar> | null = null;
  const turns = new Turns();
  let callsUnderWay = 0;
  /** A keychain that has answered once is there: what fails later is its daemon that was restarted, or the like. */
  let isThere = false;

  /** `use` is told how to ask whether its time is over: nobody waits for what it does after that. */
  async function call<T>(
    name: string,
    use: (keytar: Keytar, isOver: () => boolean) => Promise<T>,
  ): Promise<KeychainOutcome<T>> {
    try {
      loading ??= load();
      const keytar = await loading;
      const outcome = await withinTime(timeoutMs, (isOver) =>
        turns.take(async () => {
          if (isOver()) throw new NotOpened();
          callsUnderWay += 1;
          return await use(keytar, isOver).finally(() => (callsUnderWay -= 1));
        }),
      );
      isThere = true;
      return outcome;
    } catch (cause) {
      const failure = isThere ? 'locked' : classifyKeychainError(cause);
      // The text of keytar's errors is the system's and holds no secret, but only its kind is of use.
      log.warn('keychain.failed', { call: name, failure });
      return { ok: false, failure };
    }
  }

  async function read(keytar: Keytar, account: string): Promise<string | null> {
    const askedAtMs = monotonicMs();
    const secret = await keytar.getPassword(serviceName, account);
    if (secret === null && monotonicMs() - askedAtMs >= promptTakesMs) throw new NotOpened();
    return secret;
  }

  return {
    read: (account) => call('read', (keytar) => read(keytar, account)),
    write: (account, secret) =>
      call('write', async (keytar) => {
        await keytar.setPassword(serviceName, account, secret);
        return null;
      }),
    remove: (account) =>
      call('remove', async (keytar, isOver) => {
        if (await keytar.deletePassword(serviceName, account)) return null;
        // A locked keychain too says no more than that it deleted nothing. Reading tells, and opens it.
        if ((await read(keytar, account)) === null) return null;
        if (isOver() || !(await keytar.deletePassword(serviceName, account))) throw new NotOpened();
        return null;
      }),
    isBusy: () => callsUnderWay > 0,
  };
}

async function loadKeytar(): Promise<Keytar> {
  // A CommonJS module: its functions are on `default`, which its own types do not say.
  const module: Keytar & { default?: Keytar } = await import('keytar');
  return module.default ?? module;
}

/** The keychain did not open: no answer in time, or a prompt that was dismissed. */
class NotOpened extends Error {}

async function withinTime<T>(
  timeoutMs: number,
  start: (isOver: () => boolean) => Promise<T>,
): Promise<KeychainOutcome<T>> {
  let over = false;
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      over = true;
      reject(new NotOpened());
    }, timeoutMs);
  });
  try {
    return { ok: true, value: await Promise.race([start(() => over), deadline]) };
  } finally {
    clearTimeout(timer);
  }
}

/**
 * `locked` where the user can do something about it (no answer in time, a dismissed prompt, a locked collection),
 * `absent` where there is no keychain to speak of: module not loadable, no bus, no secret service on it.
 */
export function classifyKeychainError(cause: unknown): KeychainFailure {
  if (cause instanceof NotOpened) return 'locked';
  const text = cause instanceof Error ? cause.message : String(cause);
  return /\blocked\b|dismiss|cancel|denied|not allowed|passphrase|password/i.test(text) ? 'locked' : 'absent';
}
