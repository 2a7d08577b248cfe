import { opaqueId } from '../../../shared/alerts/opaque-id.ts';
import { writeAppLink } from '../../../shared/app-link.ts';
import { escapeMarkup } from '../../../shared/text.ts';
import type { AlertSettings } from '../../../shared/settings.ts';
import type { ArgsOf } from '../../../shared/ipc/contract.ts';
import type { AlertChannel } from '../ports.ts';
import type { SettingsService } from '../settings/settings-service.ts';
import type { SecretUrls } from './secret-urls.ts';

type Message = Parameters<AlertChannel['send']>[0];
type Shape = NonNullable<AlertSettings['webhook']>['shape'];

/** What each kind of receiver understands. */
const shapes: Readonly<
  Record<Shape, (message: Message) => { type: string; body: string; headers?: Record<string, string> }>
> = {
  // Documented in docs/user-guide.md; `version` changes when a field changes its meaning. The id is a hash: it may be made of an address.
  json: ({ id, level, title, body, link }) =>
    json({ version: 1, id: opaqueId(id), level, title, body, link: writeAppLink(link) }),
  ntfy: ({ level, title, body }) => ({
    type: 'text/plain; charset=utf-8',
    // A longer one is an attachment, which many servers refuse.
    body: new TextDecoder().decode(new TextEncoder().encode(`${title}\n${body}`).slice(0, 4_000)),
    headers: { priority: level === 'wake' ? '5' : '3' },
  }),
  slack: ({ title, body }) => json({ text: `*${escapeMarkup(title)}*\n${escapeMarkup(body)}` }),
  discord: ({ title, body }) => {
    // What a token or a node is called must be no link there.
    const [head, rest] = [title, body].map((text) => text.replace(/[\\`*_~|[\]<:]/g, '\\$&'));
    const content = `**${head}**\n${rest}`.slice(0, 2_000).toWellFormed();
    return json({ content, allowed_mentions: { parse: [] } });
  },
};

const json = (value: unknown): { type: string; body: string } => ({
  type: 'application/json',
  body: JSON.stringify(value),
});

export interface WebhookDeps {
  urls: SecretUrls;
  settings: SettingsService;
  /** It has another address, or none: what waits need not wait for what the last one asked for. */
  onSet: () => void;
}

/** Sends alerts to an address of the user's. */
export function createWebhook({ urls, settings, onSet }: WebhookDeps) {
  const name = 'webhook';
  return {
    name,

    /** An empty address takes it away. */
    async set({ url, shape }: ArgsOf<'alerts.setWebhook'>): Promise<void> {
      await urls.keep(name, url, (origin) => {
        const webhook = origin === null ? null : { shape, origin };
        settings.update({ alerts: { ...settings.current().alerts, webhook } });
      });
      onSet();
    },

    async send(message: Message, isAskedFor: boolean): Promise<void> {
      const { alerts, privacy } = settings.current();
      // A link of news has the address.
      const link = privacy && message.link.view !== 'incident' ? ({ view: 'alerts' } as const) : message.link;
      const { type, body, headers } = shapes[alerts.webhook?.shape ?? 'json']({ ...message, link });
      const request = { method: 'POST', headers: { ...headers, 'content-type': type }, body } as const;
      await urls.send(name, request, isAskedFor);
    },
  };
}
