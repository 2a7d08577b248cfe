import { refuse } from '../../../shared/errors.ts';
import { isPrivate } from '../../../shared/loopback.ts';
import { parseProxyAddress } from '../../../shared/settings.ts';
import type { ArgsOf } from '../../../shared/ipc/contract.ts';
import type { OutboundStatus } from '../../../shared/outbound.ts';
import { createListeners, type Listeners } from '../listeners.ts';
import type { Clock, Keychain, Proxy, ProxyRules } from '../ports.ts';
import { KeptSecrets } from '../secrets/kept-secrets.ts';
import { withoutValues } from '../secrets/without-echo.ts';
import type { SettingsService } from '../settings/settings-service.ts';

export interface ProxiesDeps {
  settings: SettingsService;
  keychain: Keychain;
  clock: Pick<Clock, 'monotonicMs'>;
  /** What the system's rules say of an origin, as `PROXY host:port; HTTPS host:port; SOCKS host:port; DIRECT`. */
  systemRules: (origin: string) => Promise<string>;
}

/** One that keeps silent, as that of the office at home, would hold up each request. */
const missedForMs = 60_000;

/**
 * Which proxies pass requests on, by the settings and the rules of the system, with their logins, which are in the
 * keychain. This computer and its own network are always asked directly.
 */
export class Proxies implements ProxyRules {
  readonly #deps: ProxiesDeps;
  readonly #logins: KeptSecrets;
  /** Those that the system's rules have named. */
  readonly #named = new Set<string>();
  /** When one could not be reached, by its address. */
  readonly #missedAtMs = new Map<string, number>();
  readonly #changes: Listeners<null> = createListeners();
  readonly #otherWays: Listeners<null> = createListeners();

  constructor(deps: ProxiesDeps) {
    this.#deps = deps;
    deps.settings.onChange(({ settings, previous }) => {
      if (settings.proxy !== previous.proxy) this.#otherWays.emit(null);
    });
    this.#logins = new KeptSecrets(deps.keychain, () => this.#changes.emit(null));
  }

  async proxiesFor({ hostname, origin }: URL): Promise<readonly (Proxy | null)[]> {
    const { proxy } = this.#deps.settings.current();
    if (proxy === 'none' || isPrivate(hostname)) return [null];
    const urls = proxy === 'system' ? namedBy(await this.#deps.systemRules(origin)) : [proxy];
    if (proxy === 'system') for (const url of urls) if (url !== null) this.#named.add(url);
    const inOrder = urls.toSorted((a, b) => this.#isMissed(a) - this.#isMissed(b));
    return await Promise.all(
      inOrder.map(async (url) => {
        if (url === null) return null;
        const { text, state } = await this.#logins.recall(accountOf(url), false);
        return { url, authorization: text ? `Basic ${base64(text)}` : null, isLocked: state === 'locked' };
      }),
    );
  }

  missed({ url }: Proxy): void {
    this.#missedAtMs.set(url, this.#deps.clock.monotonicMs());
  }

  #isMissed(url: string | null): number {
    const atMs = this.#missedAtMs.get(url ?? '') ?? -Infinity;
    return this.#deps.clock.monotonicMs() - atMs < missedForMs ? 1 : 0;
  }

  /** Calls the listener when a login was read, stored or removed. Returns the function that removes it. */
  readonly onChange = this.#changes.add;

  /** Calls the listener when another proxy or a login was given: what could not be reached may be now. */
  readonly onOtherWay = this.#otherWays.add;

  /** Addresses of the proxies that may be used now. */
  inUse(): string[] {
    const { proxy } = this.#deps.settings.current();
    return proxy === 'none' ? [] : proxy === 'system' ? [...this.#named] : [proxy];
  }

  logins(): OutboundStatus['logins'] {
    const logins: OutboundStatus['logins'] = {};
    for (const url of this.inUse()) {
      const { text, state } = this.#logins.known(accountOf(url));
      const isUnknown = text === undefined && (state === 'locked' || state === 'unread');
      logins[url] = typeof text === 'string' ? 'kept' : isUnknown ? state : 'none';
    }
    return logins;
  }

  async logIn({ proxy, user, password }: ArgsOf<'proxy.logIn'>): Promise<void> {
    if (!this.inUse().includes(proxy)) refuse('This proxy isn’t in use.');
    // A colon ends the user name; control characters are not allowed in either.
    if (user.includes(':') || /\p{Cc}/u.test(user + password))
      refuse('The user name can’t contain colons, and neither field can contain line breaks.');
    await this.#logins.write(accountOf(proxy), `${user}:${password}`);
    this.#otherWays.emit(null);
  }

  async forgetLogin(proxy: string): Promise<void> {
    await this.#logins.write(accountOf(proxy), null);
  }

  /** Removes all known passwords from a text. */
  hide(text: string): string {
    const passwordOf = (login: string) => login.slice(login.indexOf(':') + 1);
    return withoutValues(
      text,
      this.#logins.texts().flatMap((login) => [passwordOf(login), base64(login)]),
    );
  }
}

/** Null is the direct connection. Kinds that cannot be used, such as SOCKS, are left out. */
function namedBy(rules: string): (string | null)[] {
  return rules.split(';').flatMap((rule) => {
    const [kind = '', host = ''] = rule.trim().split(/\s+/);
    if (kind === 'DIRECT') return [null];
    const scheme = kind === 'PROXY' ? 'http' : kind === 'HTTPS' ? 'https' : null;
    const address = scheme && parseProxyAddress(`${scheme}://${host}`);
    return address === null ? [] : [address];
  });
}

const accountOf = (url: string): string => `proxy ${url}`;

const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
