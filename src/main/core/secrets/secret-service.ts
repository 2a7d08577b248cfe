import { err, ok, type Result } from '../../../shared/errors.ts';
import type { SecretStatus } from '../../../shared/ipc/contract.ts';
import { parseServiceUrl, type ServiceProfile } from '../../../shared/settings.ts';
import { createListeners, type Listeners } from '../listeners.ts';
import type { Keychain, KeychainFailure } from '../ports.ts';
import { looksLikeData } from './without-echo.ts';

export interface SecretServiceDeps {
  keychain: Keychain;
  /** The profile that is set now. */
  profile: () => ServiceProfile;
}

/** What is known of the keychain's entry for one account. */
type StoredKey = { state: 'unread' } | { state: 'read'; key: string | null } | { state: KeychainFailure };

/**
 * Keeps the API key of the service in the system's keychain, or in memory until the app ends. There is no getter: the
 * key leaves only as a header for the profile's own origins. A key belongs to the origins it was entered for, so that
 * changing one of them never sends it to another one.
 */
export class SecretService {
  readonly #deps: SecretServiceDeps;
  readonly #stored = new Map<string, StoredKey>();
  readonly #session = new Map<string, string>();
  readonly #reads = new Map<string, Promise<void>>();
  /** Counts the changes of each account: a read that began before one brings old news. */
  readonly #versions = new Map<string, number>();
  readonly #changes: Listeners<SecretStatus> = createListeners();

  constructor(deps: SecretServiceDeps) {
    this.#deps = deps;
  }

  /** What may be told: whether there is a key and where, never the key. */
  status(): SecretStatus {
    const account = this.#account();
    const stored = this.#storedKey(account);
    const inKeychain = stored.state === 'read' && stored.key !== null;
    const inSession = this.#session.has(account);
    const key = this.#keyOf(account);
    return {
      present: inKeychain || inSession,
      storage: inSession ? 'session' : inKeychain ? 'keychain' : 'none',
      keychain: keychainState(stored),
      ...(key !== null && looksLikeData(key) ? { looksLikeData: true } : {}),
    };
  }

  /** Calls with every new status. Returns the function that ends it. */
  onChange(listener: (status: SecretStatus) => void): () => void {
    return this.#changes.add(listener);
  }

  /** Asks the keychain for the key of the present profile: at start, after a change of profile, and to try again. */
  async load(): Promise<SecretStatus> {
    await this.#read(this.#account());
    return this.status();
  }

  /** Stores the key, in place of another one. In the keychain it ends a key that was kept for the session only. */
  async set(key: string, storage: 'keychain' | 'session'): Promise<Result<SecretStatus>> {
    const trimmed = key.trim();
    // Visible ASCII only: anything else could end the header and begin another one.
    if (!/^[\x21-\x7e]{1,4096}$/.test(trimmed)) {
      const message = 'A key has only letters, digits and signs, without spaces or line breaks.';
      return err({ code: 'invalid-params', message, issues: [message] });
    }
    const account = this.#account();
    if (storage === 'session') {
      this.#session.set(account, trimmed);
      this.#changes.emit(this.status());
      return ok(this.status());
    }
    const outcome = await this.#deps.keychain.write(account, trimmed);
    if (!outcome.ok) {
      this.#learn(account, { state: outcome.failure });
      return err({ code: 'storage', message: keychainWords(outcome.failure) });
    }
    this.#session.delete(account);
    this.#learn(account, { state: 'read', key: trimmed });
    return ok(this.status());
  }

  /** Forgets the key wherever it is kept. */
  async remove(): Promise<Result<SecretStatus>> {
    const account = this.#account();
    this.#session.delete(account);
    const outcome = await this.#deps.keychain.remove(account);
    if (outcome.ok) {
      this.#learn(account, { state: 'read', key: null });
      return ok(this.status());
    }
    this.#learn(account, { state: outcome.failure });
    // Without a keychain nothing can be stored in it, so nothing is left to remove.
    if (outcome.failure === 'absent') return ok(this.status());
    return err({ code: 'storage', message: keychainWords(outcome.failure) });
  }

  /** The header with the key for a URL of the profile's own origins; no header for any other URL, or without a key. */
  async headersFor(url: string, profile: ServiceProfile): Promise<Record<string, string>> {
    const account = accountOf(profile);
    const origin = originOf(url);
    const own = [profile.dataUrl, profile.metricsUrl].map(originOf);
    if (origin === null || !own.includes(origin)) return {};
    if (!this.#session.has(account) && this.#storedKey(account).state === 'unread') await this.#read(account);
    const key = this.#keyOf(account);
    return key === null ? {} : { [profile.keyHeader]: key };
  }

  #account(): string {
    return accountOf(this.#deps.profile());
  }

  #keyOf(account: string): string | null {
    const stored = this.#storedKey(account);
    return this.#session.get(account) ?? (stored.state === 'read' ? stored.key : null);
  }

  #storedKey(account: string): StoredKey {
    return this.#stored.get(account) ?? { state: 'unread' };
  }

  /** One read at a time for an account: a locked keychain would otherwise show one prompt a request. */
  async #read(account: string): Promise<void> {
    let reading = this.#reads.get(account);
    if (reading === undefined) {
      const version = this.#versions.get(account);
      reading = this.#deps.keychain.read(account).then((outcome) => {
        this.#reads.delete(account);
        if (this.#versions.get(account) !== version) return;
        this.#learn(account, outcome.ok ? { state: 'read', key: outcome.value } : { state: outcome.failure });
      });
      this.#reads.set(account, reading);
    }
    await reading;
  }

  #learn(account: string, stored: StoredKey): void {
    this.#versions.set(account, (this.#versions.get(account) ?? 0) + 1);
    this.#stored.set(account, stored);
    this.#changes.emit(this.status());
  }
}

/** The origins that get the key, each once. */
function accountOf({ dataUrl, metricsUrl }: ServiceProfile): string {
  return [...new Set([dataUrl, metricsUrl].map((url) => originOf(url) ?? url))].join(' ');
}

function originOf(url: string): string | null {
  // The address of a request has a query, the address of a service may not.
  return parseServiceUrl(url.replace(/[?#].*$/s, ''))?.origin ?? null;
}

function keychainState(stored: StoredKey): SecretStatus['keychain'] {
  if (stored.state === 'unread') return 'unknown';
  return stored.state === 'read' ? 'available' : stored.state;
}

/** Why the keychain cannot be used, for the user. */
export function keychainWords(failure: KeychainFailure): string {
  return failure === 'locked'
    ? 'The keychain of this computer is locked. Unlock it and try again.'
    : 'This computer has no keychain that the app can use.';
}
