import { screen, within } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { err, ok, type Result } from '../../../../shared/errors.ts';
import type { Settings } from '../../../../shared/settings.ts';
import { renderInApp } from '../../testing/render.ts';
import AlertsSection from './AlertsSection.svelte';
import PlainSection from './PlainSection.svelte';
import PrivacySection from './PrivacySection.svelte';

const full = err({ code: 'storage', message: 'The disk is full.' } as const);
const box = (name: string | RegExp) => screen.getByRole<HTMLInputElement>('checkbox', { name });
const radio = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name });

describe('a setting that could not be stored', () => {
  it('is shown as it is', async () => {
    const { app, bridge, messages, user } = await renderInApp(PlainSection, { title: 'Appearance' });
    bridge.answer('settings.update', () => full);
    await user.click(box(/^Hide amounts and labels/));
    await expect.poll(() => messages.list).toHaveLength(1);
    expect(app.settings.privacy).toBe(false);
    expect(box(/^Hide amounts and labels/).checked).toBe(false);
    const before = app.settings.timeZone === 'utc' ? 'UTC' : 'Local';
    await user.click(radio(before === 'UTC' ? 'Local' : 'UTC'));
    await expect.poll(() => messages.list).toHaveLength(2);
    expect(radio(before).checked).toBe(true);
  });

  it('never says that something is not sent which is sent', async () => {
    const { app, bridge, messages, user } = await renderInApp(PrivacySection, {});
    const name = `Poll automatically: ${app.nodes[0]?.node.name}`;
    bridge.answer('settings.update', () => full);
    bridge.answer('nodes.update', () => full);
    await user.click(box('Allow: Chain data'));
    await user.click(box(name));
    await expect.poll(() => messages.list).toHaveLength(2);
    expect(box('Allow: Chain data').checked).toBe(true);
    await expect.poll(() => box(name).checked).toBe(true);
  });
});

it('two changes of which the second is made before the first is answered both count', async () => {
  const { bridge, user } = await renderInApp(AlertsSection, {});
  const held = Promise.withResolvers<Result<Settings>>();
  bridge.answer('settings.update', () => held.promise);
  const days = within(screen.getByRole('form', { name: 'Quiet hours' }));
  await user.click(days.getByRole('checkbox', { name: 'Sat' }));
  await user.click(days.getByRole('checkbox', { name: 'Sun' }));
  expect(bridge.argsOf('settings.update').at(-1)?.alerts?.quiet.days).toEqual([0, 6]);
  held.resolve(ok(bridge.world.snapshot.settings));
});
