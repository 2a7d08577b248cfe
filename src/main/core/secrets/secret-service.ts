import { refuse } from '../../../shared/errors.ts';
import type { SecretStatus } from '../../../shared/ipc/answers.ts';
import { parseServiceUrl, type ServiceProfile } from '../../../shared/settings.ts';
import type { Ports } from '../ports.ts';
import { KeptSecrets } from './kept-secrets.ts';
import { looksLikeData } from '../../../shared/looks-like-data.ts';
import { withoutValues } from './without-echo.ts';

export interface SecretServiceDeps extends Pick<Ports, 'emit' | 'keychain'> {
  profile: () => ServiceProfile;
  /** Called when requests were sent with another key than there is now: what that has stopped can go on. */
  keyChanged: () => void;
}

/**
 * Keeps the service's API key in the system's keychain, or in memory until the app ends. There is no getter: the key is
 * only ever used as a header for the profile's own origins. A key belongs to the origins it was entered for, so that
 * changing one of them never sends it to another.
 */
export class SecretService {
  readonly #deps: SecretServiceDeps;
  readonly #kept: KeptSecrets;
  /** Keys for this session only, by account. */
  readonly #session = new Map<string, string>();
  /** The key of the last request, by account. */
  readonly #sent = new Map<string, string | null>();

  constructor(deps: SecretServiceDeps) {
    this.#deps = deps;
    this.#kept = new KeptSecrets(deps.keychain, () => this.#tell());
  }

  /** Whether there is a key and where, but never the key. */
  status(): SecretStatus {
    const account = accountOf(this.#deps.profile());
    const { state } = this.#kept.known(account);
    const key = this.#keyOf(account);
    return {
      present: key !== null,
      storage: this.#session.has(account) ? 'session' : key === null ? 'none' : 'keychain',
      keychain: state === 'unread' ? 'unknown' : state === 'read' ? 'available' : state,
      ...(key !== null && looksLikeData(key) ? { looksLikeData: true } : {}),
    };
  }

  /** Reads the key of the current profile from the keychain: at start, after a change of profile, and to try again. */
  async load(): Promise<SecretStatus> {
    await this.#kept.read(accountOf(this.#deps.profile()), true);
    return this.status();
  }

  /** Stores a key and replaces the old one. Storing in the keychain also removes a key for this session. */
  async set(key: string, storage: 'keychain' | 'session'): Promise<SecretStatus> {
    const trimmed = key.trim();
    // Visible ASCII only: anything else could inject a second header.
    if (!/^[\x21-\x7e]{1,4096}$/.test(trimmed))
      refuse('A key can contain only letters, digits and symbols, but no spaces or line breaks.');
    const account = accountOf(this.#deps.profile());
    if (storage === 'session') this.#session.set(account, trimmed);
    else {
      await this.#kept.write(account, trimmed);
      this.#session.delete(account);
    }
    this.#tell();
    return this.status();
  }

  /** Removes the key from the keychain and from memory. */
  async remove(): Promise<SecretStatus> {
    const account = accountOf(this.#deps.profile());
    this.#session.delete(account);
    await this.#kept.write(account, null);
    return this.status();
  }

  /** The header with the key, for URLs of the profile's own origins; none for others, or without a key. */
  async headersFor(url: string, profile: ServiceProfile): Promise<Record<string, string>> {
    const account = accountOf(profile);
    const own = [profile.dataUrl, profile.metricsUrl].map(originOf);
    if (!own.includes(originOf(url))) return {};
    if (!this.#session.has(account) && this.#kept.known(account).state === 'unread')
      await this.#kept.read(account, false);
    const key = this.#keyOf(account);
    this.#sent.set(account, key);
    return key === null ? {} : { [profile.keyHeader]: key };
  }

  /** Removes all known keys, of this and other services, from a text. */
  hide(text: string): string {
    return withoutValues(text, [...this.#session.values(), ...this.#kept.texts()]);
  }

  #tell(): void {
    this.#deps.emit('secret.changed', this.status());
    const account = accountOf(this.#deps.profile());
    const sent = this.#sent.get(account);
    if (sent === undefined || sent === this.#keyOf(account)) return;
    this.#sent.delete(account);
    this.#deps.keyChanged();
  }

  #keyOf(account: string): string | null {
    const kept = this.#kept.known(account);
    return this.#session.get(account) ?? (kept.state === 'read' ? (kept.text ?? null) : null);
  }
}

/** The origins that get the key, without duplicates. */
const accountOf = ({ dataUrl, metricsUrl }: ServiceProfile): string =>
  [...new Set([dataUrl, metricsUrl].map((url) => originOf(url) ?? url))].join(' ');

function originOf(url: string): string | null {
  // The URL of a request has a query; the URL of a service must not.
  return parseServiceUrl(url.replace(/[?#].*$/s, ''))?.origin ?? null;
}
