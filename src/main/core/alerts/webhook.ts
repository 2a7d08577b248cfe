import { isLoopback } from '../../../shared/loopback.ts';
import { retryAfterMs } from '../../../shared/retry-after.ts';
import { AppFailure, refuse } from '../../../shared/errors.ts';
import { writeAppLink } from '../../../shared/app-link.ts';
import type { AlertSettings } from '../../../shared/settings.ts';
import type { ArgsOf } from '../../../shared/ipc/contract.ts';
import type { AlertChannel, Clock, HttpClient, Keychain } from '../ports.ts';
import { KeptSecrets } from '../secrets/kept-secrets.ts';
import type { SettingsService } from '../settings/settings-service.ts';

type Message = Parameters<AlertChannel['send']>[0];
type Shape = NonNullable<AlertSettings['webhook']>['shape'];

/** What each kind of receiver understands. */
const shapes: Readonly<
  Record<Shape, (message: Message) => { type: string; body: string; headers?: Record<string, string> }>
> = {
  // Documented in docs/user-guide.md; `version` changes when a field changes its meaning.
  json: ({ id, level, title, body, link }) =>
    json({ version: 1, id, level, title, body, link: writeAppLink(link) }),
  ntfy: ({ level, title, body }) => ({
    type: 'text/plain; charset=utf-8',
    body: `${title}\n${body}`,
    headers: { priority: level === 'wake' ? '5' : '3' },
  }),
  slack: ({ title, body }) => json({ text: `*${escaped(title)}*\n${escaped(body)}` }),
  discord: ({ title, body }) =>
    json({ content: `**${title}**\n${body}`.slice(0, 2_000), allowed_mentions: { parse: [] } }),
};

const json = (value: unknown): { type: string; body: string } => ({
  type: 'application/json',
  body: JSON.stringify(value),
});

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const account = 'alerts-webhook';

export interface WebhookDeps {
  http: HttpClient;
  keychain: Keychain;
  settings: SettingsService;
  clock: Clock;
}

/** Sends alerts to an address of the user's. The address holds a secret: it is in the keychain, and only its origin is shown. */
export class Webhook implements AlertChannel {
  readonly name = 'webhook';
  readonly #deps: WebhookDeps;
  readonly #kept: KeptSecrets;

  constructor(deps: WebhookDeps) {
    this.#deps = deps;
    this.#kept = new KeptSecrets(deps.keychain);
  }

  /** Null takes it away, its address too. */
  async set(given: ArgsOf<'alerts.setWebhook'>): Promise<null> {
    const { settings } = this.#deps;
    if (given.url === '') {
      await this.#kept.write(account, null);
      settings.update({ alerts: { ...settings.current().alerts, webhook: null } });
      return null;
    }
    const url = URL.canParse(given.url) ? new URL(given.url) : null;
    const isAllowed =
      url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)));
    if (!isAllowed || url.username !== '' || url.password !== '')
      refuse('The address must begin with https:// (or be on this computer), without a user name.', 'url');
    await this.#kept.write(account, url.href);
    settings.update({
      alerts: { ...settings.current().alerts, webhook: { shape: given.shape, origin: url.origin } },
    });
    return null;
  }

  async send(message: Message): Promise<void> {
    const { http, settings, clock } = this.#deps;
    const { webhook } = settings.current().alerts;
    const { state, text } = await this.#kept.read(account);
    if (webhook === null || text == null)
      throw new AppFailure({
        code: 'storage',
        message:
          state === 'locked'
            ? 'The keychain of this computer is locked.'
            : 'The address of the webhook is not in the keychain.',
      });
    const { type, body, headers = {} } = shapes[webhook.shape](message);
    const outcome = await http.send({
      method: 'POST',
      url: text,
      headers: { ...headers, 'content-type': type },
      body,
      timeoutMs: 15_000,
      maxBytes: 65_536,
    });
    if (outcome.kind === 'failure')
      throw new AppFailure({
        code: 'unreachable',
        message: `The webhook was not reached: ${outcome.detail || outcome.reason}`,
      });
    const { status } = outcome;
    if (status >= 200 && status < 300) return;
    const waitMs = retryAfterMs(outcome.headers, clock.nowMs());
    throw new AppFailure({
      ...{ code: 'upstream', status, message: `The webhook answered ${status}.` },
      ...(waitMs === null ? {} : { retryAtMs: clock.nowMs() + waitMs }),
    });
  }

  /** For texts that others read. */
  hide(text: string): string {
    return this.#kept.texts().reduce((hidden, secret) => hidden.replaceAll(secret, '(webhook)'), text);
  }
}
