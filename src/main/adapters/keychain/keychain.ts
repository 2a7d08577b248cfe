import { Turns } from '../../../shared/turns.ts';
import type { Keychain, KeychainFailure, KeychainOutcome, Log } from '../../core/ports.ts';
import { messageOf } from '../../../shared/errors.ts';

/** The functions of keytar that are used; tests replace them. */
export type Keytar = Pick<typeof import('keytar'), 'getPassword' | 'setPassword' | 'deletePassword'>;

/** The name under which the system lists the app's entries. */
const serviceName = 'Watchkeeper';

/**
 * With a locked keychain, keytar waits for the system's prompt without limit, so a longer call counts as locked. Nothing
 * waits for a read for as long as it takes to type a password: what comes late is handed over then. Who has just saved or
 * removed something sits before the prompt.
 */
const defaultLimitsMs = { read: 5_000, change: 60_000 };

/** After a prompt that was dismissed or not answered, the app shows no other one by itself for so long. */
const quietMs = 300_000;

/**
 * Dismissing a prompt makes a read return as if nothing were stored. Without a prompt that takes about 10 ms, and a
 * person needs longer than this to dismiss one.
 */
const promptTakesMs = 1_000;

export interface KeychainOptions {
  log: Log;
  limitsMs?: { read: number; change: number };
  /** Monotonic milliseconds; replaced only by tests. */
  monotonicMs?: () => number;
  /** Loads the native module; replaced only by tests. */
  load?: () => Promise<Keytar>;
}

export interface SystemKeychain extends Keychain {
  /** Whether a call, even an abandoned one, is still waiting for the system. */
  isBusy(): boolean;
}

/**
 * The `Keychain` port, based on keytar. Loaded with the first call, since it needs a native library of the system.
 *
 * One call at a time: each occupies one of the few threads that files and host names need too, and with an unanswered
 * prompt forever. A call that times out before its turn is dropped.
 */
export function createKeychain(options: KeychainOptions): SystemKeychain {
  const {
    log,
    limitsMs = defaultLimitsMs,
    monotonicMs = () => performance.now(),
    load = loadKeytar,
  } = options;
  let loading: Promise<Keytar> | null = null;
  const turns = new Turns();
  let callsUnderWay = 0;
  /** A keychain that has answered once exists: a later failure is a restarted daemon or the like. */
  let isThere = false;
  /** When it was asked last without an answer so far. */
  let unansweredAtMs = -Infinity;
  let lastFailure: KeychainFailure = 'locked';

  /** `use` gets a function that tells whether it has timed out: its result is only for `onLate` then. */
  async function call<T>(
    name: 'read' | 'write' | 'remove',
    use: (keytar: Keytar, isOver: () => boolean) => Promise<T>,
    { isAskedFor = true, onLate = () => {} }: { isAskedFor?: boolean; onLate?: (value: T) => void } = {},
  ): Promise<KeychainOutcome<T>> {
    try {
      loading ??= load();
      const keytar = await loading;
      const outcome = await withinTime(name === 'read' ? limitsMs.read : limitsMs.change, (isOver) =>
        turns.take(async () => {
          if (isOver()) throw new NotOpened();
          if (!isAskedFor && monotonicMs() - unansweredAtMs < quietMs) throw new Quiet();
          unansweredAtMs = monotonicMs();
          callsUnderWay += 1;
          const value = await use(keytar, isOver).finally(() => (callsUnderWay -= 1));
          unansweredAtMs = -Infinity;
          if (isOver()) onLate(value);
          return value;
        }),
      );
      isThere = true;
      return outcome;
    } catch (cause) {
      if (cause instanceof Quiet) return { ok: false, failure: lastFailure };
      const failure = isThere ? 'locked' : classifyKeychainError(cause);
      lastFailure = failure;
      // The message of a keytar error comes from the system and holds no secret, but only its kind is useful.
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
    read: (account, how) => call('read', (keytar) => read(keytar, account), how),
    write: (account, secret, before) =>
      call('write', async (keytar, isOver) => {
        await keytar.setPassword(serviceName, account, secret);
        if (!isOver() || before === undefined) return null;
        if (before === null) await keytar.deletePassword(serviceName, account);
        else await keytar.setPassword(serviceName, account, before);
        return null;
      }),
    remove: (account) =>
      call('remove', async (keytar, isOver) => {
        if (await keytar.deletePassword(serviceName, account)) return null;
        // A locked keychain also just reports that it deleted nothing; reading tells the difference and unlocks it.
        if ((await read(keytar, account)) === null) return null;
        if (isOver() || !(await keytar.deletePassword(serviceName, account))) throw new NotOpened();
        return null;
      }),
    isBusy: () => callsUnderWay > 0,
  };
}

async function loadKeytar(): Promise<Keytar> {
  // A CommonJS module: its functions are on `default`, which its types do not say.
  const module: Keytar & { default?: Keytar } = await import('keytar');
  return module.default ?? module;
}

/** The keychain was not unlocked: no answer in time, or the prompt was dismissed. */
class NotOpened extends Error {}

/** It was not asked, because it has not answered a moment ago. */
class Quiet extends Error {}

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
 * `locked` where the user can do something (no answer in time, a dismissed prompt, a locked collection); `absent` where
 * there is no keychain: module not loadable, no bus, no secret service on it.
 */
export function classifyKeychainError(cause: unknown): KeychainFailure {
  if (cause instanceof NotOpened) return 'locked';
  const text = messageOf(cause);
  return /\blocked\b|dismiss|cancel|denied|not allowed|passphrase|password/i.test(text) ? 'locked' : 'absent';
}
