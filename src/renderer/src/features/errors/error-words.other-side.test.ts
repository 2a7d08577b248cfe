import { screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { err } from '../../../../shared/errors.ts';
import { renderInApp, testNowMs } from '../../testing/render.ts';
import { emptyWorld, fullWorld } from '../../testing/sample-world.ts';
import StateBanner from '../nodes/panel/StateBanner.svelte';
import AlertsSection from '../settings/AlertsSection.svelte';

describe('an error of another side than the service', () => {
  it.each([
    [{ code: 'unauthorized', message: 'The address requires a login (401).' }],
    [{ code: 'no-secret', message: 'The value of the header “authorization” is not in the keychain.' }],
  ] as const)('of a node sends nobody to the key of the service: %o', async (error) => {
    const [known] = fullWorld(testNowMs).snapshot.nodes;
    if (known === undefined) throw new Error('the world has no node');
    await renderInApp(StateBanner, { status: { ...known, reason: error.message, error } });
    expect(screen.getByText(error.message)).toBeTruthy();
    expect(document.body.textContent).not.toMatch(/The API key|Replace it|account/);
  });

  it.each([
    [{ code: 'unreachable', message: 'This system can’t show notifications.' }],
    [{ code: 'unreachable', message: 'The app could not reach the webhook: ENOTFOUND' }],
    [{ code: 'upstream', status: 404, message: 'The webhook responded with status 404.' }],
  ] as const)('of a receiver of alerts is not one of the service or the app: %o', async (error) => {
    const world = emptyWorld(testNowMs);
    const { settings } = world.snapshot;
    const webhook = { shape: 'json', origin: 'https://hooks.example' } as const;
    world.snapshot.settings = { ...settings, alerts: { ...settings.alerts, webhook } };
    const { user } = await renderInApp(
      AlertsSection,
      {},
      { world, prepare: (bridge) => bridge.answer('alerts.test', () => err(error)) },
    );
    for (const name of ['Send a test', 'Test webhook']) {
      await user.click(screen.getByRole('button', { name }));
      await expect
        .poll(() => screen.getAllByText(error.message).length)
        .toBe(1 + Number(name !== 'Send a test'));
    }
    expect(document.body.textContent).not.toMatch(
      /connection to the service|fetched before|The app answered|Earlier data/,
    );
  });
});
