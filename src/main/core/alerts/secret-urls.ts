import { AppFailure, refuse } from '../../../shared/errors.ts';
import { isLoopback } from '../../../shared/loopback.ts';
import { retryAfterMs } from '../../../shared/retry-after.ts';
import type { HttpClient, HttpRequest, Ports } from '../ports.ts';
import type { KeptSecrets } from '../secrets/kept-secrets.ts';

type Given = Pick<HttpRequest, 'method'> & Partial<Pick<HttpRequest, 'headers' | 'body'>>;

export interface SecretUrlsDeps extends Pick<Ports, 'clock' | 'log'> {
  http: HttpClient;
  kept: KeptSecrets;
}

export type SecretUrls = ReturnType<typeof createSecretUrls>;

/** Addresses of the user's that hold secrets: they are in the keychain, and only their origins are shown. */
export function createSecretUrls({ http, kept, clock, log }: SecretUrlsDeps) {
  return {
    /** Keeps an address, or takes it away if it is empty; `change` puts its origin into the settings. */
    async keep(name: string, text: string, change: (origin: string | null) => void): Promise<void> {
      const url = text === '' ? null : allowedUrl(text);
      const apply = (): void => change(url?.origin ?? null);
      await kept.writeFor(accountOf(name), url?.href ?? null, apply, log);
    },

    /** Resolves when the address has answered 2xx; throws what else has happened, and until when it wants to be left alone. */
    async send(name: string, given: Given, isAskedFor: boolean): Promise<void> {
      const { state, text } = await kept.recall(accountOf(name), isAskedFor);
      const why =
        state === 'locked' ? 'This computer’s keychain is locked.' : `The ${name} URL isn’t in the keychain.`;
      if (text == null) throw new AppFailure({ code: 'keychain', message: why });
      const outcome = await http.send({ headers: {}, ...given, url: text, timeoutMs: 15_000, maxBytes: 0 });
      if (outcome.kind === 'failure') {
        const message = `The app couldn’t reach the ${name}: ${outcome.detail}`;
        throw new AppFailure({ code: 'unreachable', message });
      }
      const { status } = outcome;
      if (status < 300) return;
      const waitMs = retryAfterMs(outcome.headers, clock.nowMs());
      throw new AppFailure({
        ...{ code: 'upstream', status, message: `The ${name} responded with status ${status}.` },
        ...(waitMs === null ? {} : { retryAtMs: clock.nowMs() + waitMs }),
      });
    },
  };
}

function allowedUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isAllowed =
    url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)));
  if (!isAllowed || url.username !== '' || url.password !== '')
    refuse(
      'The URL must begin with https:// (http:// only on this computer) and can’t contain a user name or password.',
      'url',
    );
  return url;
}

const accountOf = (name: string): string => `alerts-${name}`;
