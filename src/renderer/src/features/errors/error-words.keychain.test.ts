import { screen, within } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { keychainFailure } from '../../../../main/core/secrets/kept-secrets.ts';
import { err } from '../../../../shared/errors.ts';
import { renderInApp, testNowMs } from '../../testing/render.ts';
import { fullWorld } from '../../testing/sample-world.ts';
import NodeDialog from '../nodes/panel/NodeDialog.svelte';
import StateBanner from '../nodes/panel/StateBanner.svelte';
import AlertsSection from '../settings/AlertsSection.svelte';

describe('a keychain that cannot be used', () => {
  const failure = err(keychainFailure('absent').error);

  it('is told as such where an address for alerts was entered, and not as a full disk', async () => {
    const { user } = await renderInApp(
      AlertsSection,
      {},
      { prepare: (bridge) => bridge.answer('alerts.setWebhook', () => failure) },
    );
    const form = within(screen.getByRole('form', { name: 'Webhook' }));
    await user.type(form.getByLabelText('URL'), 'https://hooks.example/secret');
    await user.click(form.getByRole('button', { name: 'Save webhook' }));
    expect(await form.findByText(/This computer has no keychain/)).toBeTruthy();
    expect(document.body.textContent).not.toContain('disk may be full');
  });

  it('is told as such where a node with a header is added', async () => {
    const { user } = await renderInApp(
      NodeDialog,
      { id: null },
      { prepare: (bridge) => bridge.answer('nodes.add', () => failure) },
    );
    await user.type(screen.getByLabelText(/^URL/), 'http://127.0.0.1:9650');
    await user.click(screen.getByRole('button', { name: 'Add a header' }));
    await user.type(screen.getByLabelText('Header name'), 'authorization');
    await user.type(screen.getByLabelText('Value of authorization'), 'Bearer 1f2e3d4c5b6a7988');
    await user.click(screen.getByRole('button', { name: 'Add node' }));
    expect(await screen.findByText(/This computer has no keychain/)).toBeTruthy();
    expect(document.body.textContent).not.toContain('disk may be full');
  });

  it('is told once where a node is shown that cannot be polled without it', async () => {
    const [known] = fullWorld(testNowMs).snapshot.nodes;
    if (known === undefined) throw new Error('the world has no node');
    const status = { ...known, reason: failure.error.message, error: failure.error };
    await renderInApp(StateBanner, { status });
    expect(screen.getAllByText(/This computer has no keychain/)).toHaveLength(1);
    expect(document.body.textContent).not.toContain('disk may be full');
  });
});
