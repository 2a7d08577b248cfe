import { AppFailure, refuse } from '../../../shared/errors.ts';
import { isLoopback } from '../../../shared/loopback.ts';
import { retryAfterMs } from '../../../shared/retry-after.ts';
import type { Clock, HttpClient, HttpRequest, Keychain, Log } from '../ports.ts';
import { KeptSecrets } from '../secrets/kept-secrets.ts';
import { withoutValues } from '../secrets/without-echo.ts';

type Given = Pick<HttpRequest, 'method'> & Partial<Pick<HttpRequest, 'headers' | 'body'>>;

export interface SecretUrlsDeps {
  http: HttpClient;
  keychain: Keychain;
  clock: Clock;
  log: Log;
}

/** Addresses of the user's that hold secrets: they are in the keychain, and only their origins are shown. */
export class SecretUrls {
  readonly #deps: SecretUrlsDeps;
  readonly #kept: KeptSecrets;

  constructor(deps: SecretUrlsDeps) {
    this.#deps = deps;
    this.#kept = new KeptSecrets(deps.keychain);
  }

  /** Keeps an address, or takes it away if it is empty; `change` puts its origin into the settings. */
  async keep(name: string, text: string, change: (origin: string | null) => void): Promise<void> {
    const url = text === '' ? null : allowedUrl(text);
    const apply = (): void => change(url?.origin ?? null);
    await this.#kept.writeFor(accountOf(name), url?.href ?? null, apply, this.#deps.log);
  }

  /** Resolves when the address has answered 2xx; throws what else has happened, and until when it wants to be left alone. */
  async send(name: string, given: Given, isAskedFor: boolean): Promise<void> {
    const { http, clock } = this.#deps;
    const { state, text } = await this.#kept.recall(accountOf(name), isAskedFor);
    if (text == null)
      throw new AppFailure({
        code: 'keychain',
        message:
          state === 'locked'
            ? 'This computer’s keychain is locked.'
            : `The ${name} URL isn’t in the keychain.`,
      });
    const outcome = await http.send({
      headers: {},
      ...given,
      url: text,
      timeoutMs: 15_000,
      maxBytes: 0,
    });
    if (outcome.kind === 'failure')
      throw new AppFailure({
        code: 'unreachable',
        message: `The app couldn’t reach the ${name}: ${outcome.detail}`,
      });
    const { status } = outcome;
    if (status < 300) return;
    const waitMs = retryAfterMs(outcome.headers, clock.nowMs());
    throw new AppFailure({
      ...{ code: 'upstream', status, message: `The ${name} answered with status ${status}.` },
      ...(waitMs === null ? {} : { retryAtMs: clock.nowMs() + waitMs }),
    });
  }

  /** For texts that others read. */
  hide(text: string): string {
    return withoutValues(text, this.#kept.texts());
  }
}

function allowedUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isAllowed =
    url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)));
  if (!isAllowed || url.username !== '' || url.password !== '')
    refuse('The URL must begin with https:// (http:// only on this computer) and have no user name.', 'url');
  return url;
}

const accountOf = (name: string): string => `alerts-${name}`;
