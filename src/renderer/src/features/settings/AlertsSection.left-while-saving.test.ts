import { cleanup, screen, within } from '@testing-library/svelte';
import type { UserEvent } from '@testing-library/user-event';
import type { Component } from 'svelte';
import { expect, it } from 'vitest';
import { err, type Result } from '../../../../shared/errors.ts';
import { renderInApp, testNowMs } from '../../testing/render.ts';
import { emptyWorld } from '../../testing/sample-world.ts';
import AlertsSection from './AlertsSection.svelte';
import ApiKeySection from './ApiKeySection.svelte';
import DiagnosticsSection from './DiagnosticsSection.svelte';
import NetworkSection from './NetworkSection.svelte';
import NodeHistorySection from './NodeHistorySection.svelte';
import ServiceSection from './ServiceSection.svelte';

const proxy = 'http://proxy.example:3128';
const button = (name: string) => screen.getByRole('button', { name });
const radio = (name: RegExp) => screen.getByRole('radio', { name });

async function replace(user: UserEvent, label: string | RegExp, text: string) {
  const [field] = screen.getAllByLabelText(label, { selector: 'input' });
  if (field === undefined) throw new Error('There is no such field.');
  await user.clear(field);
  await user.type(field, text);
}

type Save = (user: UserEvent) => Promise<void>;
const saves: readonly (readonly [string, Component<Record<string, never>>, Save])[] = [
  [
    'an API key',
    ApiKeySection,
    async (user) => {
      await replace(user, 'Replace the key', 'a key');
      await user.click(button('Replace key'));
    },
  ],
  [
    'no API key',
    ApiKeySection,
    async (user) => {
      await user.click(button('Remove key'));
      await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Remove key' }));
    },
  ],
  [
    'a service',
    ServiceSection,
    async (user) => {
      await user.click(radio(/Sample service/));
      await user.click(button('Save service'));
    },
  ],
  ['a proxy', NetworkSection, (user) => user.click(radio(/None/))],
  [
    'a login',
    NetworkSection,
    async (user) => {
      await replace(user, 'User name', 'me');
      await user.click(button('Save login'));
    },
  ],
  [
    'node history',
    NodeHistorySection,
    async (user) => {
      await replace(user, 'Days to keep', '30');
      await user.click(button('Save'));
    },
  ],
  [
    'quiet hours',
    AlertsSection,
    async (user) => {
      await replace(user, 'From', '20:00');
      await user.click(button('Save quiet hours'));
    },
  ],
  [
    'thresholds',
    AlertsSection,
    async (user) => {
      await replace(user, 'Alert after', '9');
      await user.click(button('Save thresholds'));
    },
  ],
  [
    'a webhook',
    AlertsSection,
    async (user) => {
      await replace(user, 'URL', 'https://hooks.example');
      await user.click(button('Save webhook'));
    },
  ],
  ['figures', AlertsSection, (user) => user.click(button('Switch on'))],
  [
    'diagnostics',
    DiagnosticsSection,
    async (user) => {
      await user.click(button('Show diagnostics'));
      await user.click(button('Save this file…'));
    },
  ],
];

it.each(saves)(
  'that %s could not be saved is said also where the settings were left',
  async (_what, section, save) => {
    const world = emptyWorld(testNowMs);
    world.snapshot.secret = { present: true, storage: 'keychain', keychain: 'available' };
    world.snapshot.outbound = { ...world.snapshot.outbound, logins: { [proxy]: 'none' } };
    const { bridge, messages, user } = await renderInApp(section, {}, { world });
    const held = Promise.withResolvers<Result<never>>();
    for (const channel of [
      'settings.update',
      'secret.set',
      'secret.remove',
      'proxy.logIn',
      'alerts.setWebhook',
      'alerts.setMetrics',
      'diagnostics.save',
    ] as const)
      bridge.answer(channel, () => held.promise);
    await save(user);
    cleanup();
    held.resolve(err({ code: 'storage', message: 'The disk is full.' }));
    await expect.poll(() => messages.list).toMatchObject([{ kind: 'error', error: { code: 'storage' } }]);
  },
);
