import { screen } from '@testing-library/svelte';
import type { Component } from 'svelte';
import { expect, it } from 'vitest';
import { ok } from '../../../../shared/errors.ts';
import { renderInApp } from '../../testing/render.ts';
import AlertsSection from './AlertsSection.svelte';
import NodeHistorySection from './NodeHistorySection.svelte';
import ServiceSection from './ServiceSection.svelte';

const changes: readonly (readonly [string, Component<Record<string, never>>, string, string, string])[] = [
  ['node history', NodeHistorySection, 'Days to keep', '30', 'Save'],
  ['quiet hours', AlertsSection, 'From', '2:00', 'Save quiet hours'],
  ['thresholds', AlertsSection, 'Alert after', '1', 'Save thresholds'],
  ['the service', ServiceSection, 'Chain data URL', 'https://chain.example', 'Save service'],
];

it.each(changes)('%s: what is typed while it is saved stays', async (_form, section, label, text, action) => {
  const { app, bridge, messages, user } = await renderInApp(section, {});
  const held = Promise.withResolvers<null>();
  bridge.answer('settings.update', async (change) => {
    await held.promise;
    const settings = { ...app.settings, ...change };
    bridge.emit('settings.changed', settings);
    return ok(settings);
  });
  const custom = screen.queryByRole('radio', { name: /Custom/ });
  if (custom !== null) {
    await user.click(custom);
    await user.type(screen.getByLabelText('Chain metrics URL'), 'https://metrics.example');
  }
  const field = screen.getByLabelText<HTMLInputElement>(label);
  await user.clear(field);
  await user.type(field, text);
  await user.click(screen.getByRole('button', { name: action }));
  await user.type(field, '5');
  held.resolve(null);
  await expect.poll(() => messages.list).toHaveLength(1);
  expect(field.value).toBe(`${text}5`);
});
