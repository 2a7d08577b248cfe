import { screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { expect, it } from 'vitest';
import type { UpdateState } from '../../../../shared/updates.ts';
import { renderInApp } from '../../testing/render.ts';
import UpdateOffer from './UpdateOffer.svelte';

const error = { code: 'unreachable', message: 'Nothing there.' } as const;

async function setUp(obstacle: 'packages' | null = null) {
  const { bridge, user } = await renderInApp(UpdateOffer, {});
  const tell = async (state: UpdateState) => {
    bridge.emit('updates.changed', { host: 'updates.example', obstacle, state });

    await tick();
    return document.body.textContent.replaceAll(/\s+/g, ' ').trim();
  };
  return { bridge, user, tell };
}

it('offers a newer version, once', async () => {
  const { bridge, user, tell } = await setUp();
  expect(await tell({ at: 'asking', version: null })).toBe('');
  expect(await tell({ at: 'failed', version: null, error })).toBe('');
  expect(await tell({ at: 'available', version: '9.9.9' })).toMatch(/^Version 9\.9\.9 is available\./);
  await user.click(screen.getByRole('button', { name: 'Download and install' }));
  expect(bridge.argsOf('updates.download')).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: 'Not now' }));
  expect(screen.queryByRole('button')).toBeNull();
  await tell({ at: 'asking', version: null });
  expect(await tell({ at: 'available', version: '9.9.9' })).toBe('');
  expect(await tell({ at: 'available', version: '9.9.10' })).toContain('Version 9.9.10');
});

it('tells that one is downloaded, or why it could not be', async () => {
  const { bridge, user, tell } = await setUp();
  expect(await tell({ at: 'downloading', version: '9.9.9', share: 0.5 })).toBe('');
  expect(await tell({ at: 'ready', version: '9.9.9' })).toContain('when you quit the app. Close');
  expect(await tell({ at: 'failed', version: '9.9.9', error })).toContain('Can’t reach the update server');
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(bridge.argsOf('updates.ask')).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByRole('button')).toBeNull();
});

it('offers no download where this copy cannot replace itself, and says why', async () => {
  const { tell } = await setUp('packages');
  const words = await tell({ at: 'available', version: '9.9.9' });
  expect(words).toContain('This copy was installed as a system package');
  expect(words).toMatch(/Close$/);
});
