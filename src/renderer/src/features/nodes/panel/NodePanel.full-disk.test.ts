import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { renderInApp, testNowMs } from '../../../testing/render.ts';
import { sampleNodes } from '../../../testing/sample-health.ts';
import NodePanel from './NodePanel.svelte';

it('says what the last report changed only while reports are stored, which this is compared with', async () => {
  const [status] = sampleNodes(testNowMs);
  const { bridge } = await renderInApp(NodePanel, { status });
  expect(await screen.findByText('connected peers 48 → 3')).toBeTruthy();
  bridge.emit('storage.changed', { state: 'ready', notKept: true, notices: [] });
  await expect.poll(() => screen.queryByText('connected peers 48 → 3')).toBeNull();
});
