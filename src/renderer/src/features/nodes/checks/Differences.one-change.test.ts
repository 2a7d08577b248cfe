import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import type { FieldDifference } from '../../../../../shared/health/types.ts';
import { renderInApp } from '../../../testing/render.ts';
import Differences from './Differences.svelte';

const height: FieldDifference = {
  ...{ check: 'C', field: 'message.lastAcceptedHeight', label: 'last accepted height' },
  ...{ before: '1,204', after: '1,207' },
};
const peers = { ...height, field: 'message.connectedPeers', label: 'connected peers' };

it.each([
  [[height], '1 change'],
  [[height, peers], '1 more change'],
])('counts what is not shown as more only where something is shown', async (differences, words) => {
  await renderInApp(Differences, { differences });
  expect(screen.getByRole('button').textContent.trim()).toBe(words);
});
