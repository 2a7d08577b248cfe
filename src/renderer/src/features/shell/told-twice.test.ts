import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { renderInApp } from '../../testing/render.ts';
import StorageBanner from './StorageBanner.svelte';

it('what both stores say, such as that the disk is full, is shown once', async () => {
  const { app, bridge } = await renderInApp(StorageBanner, {});
  const notice = 'The disk is full. Since 2026-09-16 14:05 UTC new data is not kept.';
  bridge.emit('storage.changed', { ...app.storage, notKept: true, notices: [notice, notice] });
  expect(await screen.findAllByText(notice)).toHaveLength(1);
});
