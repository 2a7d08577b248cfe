import { screen, within } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { err, ok } from '../../../../shared/errors.ts';
import { renderInApp, testNowMs } from '../../testing/render.ts';
import { emptyWorld } from '../../testing/sample-world.ts';
import AlertsSection from './AlertsSection.svelte';
import ApiKeySection from './ApiKeySection.svelte';

const refused = err({ code: 'unauthorized', message: 'Api key is invalid' } as const);

it.each([
  ['accepted', ok({ answeredInMs: 184 })],
  ['refused', refused],
])('does not say of another service that it has %s the key', async (_what, result) => {
  const world = emptyWorld(testNowMs);
  world.snapshot.secret = { present: true, storage: 'keychain', keychain: 'available' };
  const { app, bridge, user } = await renderInApp(ApiKeySection, {}, { world });
  const said = () => screen.queryByText(/^Accepted|wasn’t accepted/);
  bridge.answer('secret.test', () => result);
  await user.click(screen.getByRole('button', { name: 'Test key' }));
  expect(said()).not.toBeNull();
  await app.updateSettings({ privacy: true });
  expect(said()).not.toBeNull();
  await app.updateSettings({ service: { ...app.settings.service, dataUrl: 'https://other.example' } });
  await expect.poll(said).toBeNull();
});

it.each(['replaced', 'removed'])('does not tell a test of an address that was %s', async (how) => {
  const world = emptyWorld(testNowMs);
  const { settings } = world.snapshot;
  const alerts = { ...settings.alerts, heartbeat: 'https://hc.example' };
  world.snapshot.settings = { ...settings, alerts };
  const { bridge, user } = await renderInApp(AlertsSection, {}, { world });
  bridge.answer('alerts.test', () => err({ code: 'unreachable', message: 'It was not reached.' }));
  const form = within(screen.getByRole('form', { name: 'Heartbeat' }));
  await user.click(form.getByRole('button', { name: 'Test heartbeat' }));
  expect(await form.findByText('It was not reached.')).toBeTruthy();
  if (how === 'replaced') {
    await user.type(form.getByLabelText('URL'), 'https://hc.example/secret');
    await user.click(form.getByRole('button', { name: 'Save heartbeat' }));
  } else {
    await user.click(form.getByRole('button', { name: 'Remove heartbeat' }));
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Remove' }));
  }
  await expect.poll(() => form.queryByText('It was not reached.')).toBeNull();
});
