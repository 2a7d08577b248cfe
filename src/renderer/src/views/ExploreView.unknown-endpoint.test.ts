import { screen, within } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { renderInApp } from '../testing/render.ts';
import ExploreView from './ExploreView.svelte';

it('what is stored of a query to an endpoint of another version is shown', async () => {
  const { bridge, explore } = await renderInApp(ExploreView, {});
  const target = { kind: 'endpoint', endpointId: 'chain-transactions', params: {} } as const;
  const stored = bridge.runs.start(target, 'one');
  // The types know the endpoints of this version alone.
  explore.open({ ...stored, target: { ...target, endpointId: 'of-later' as 'transaction' } });
  expect(await screen.findByRole('heading', { name: 'Unknown endpoint' })).toBeTruthy();
  const result = within(screen.getByRole('region', { name: 'Result' }));
  expect((await result.findByRole('group', { name: 'Record' })).textContent).toContain('txHash');
  expect(result.getByRole('button', { name: 'Save JSON' })).toBeTruthy();
});
