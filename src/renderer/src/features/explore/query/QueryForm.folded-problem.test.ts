import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { renderInApp } from '../../../testing/render.ts';
import ExploreView from '../../../views/ExploreView.svelte';

it('a field that is wrong is in sight, also an optional one that a link has filled in', async () => {
  const { explore, user } = await renderInApp(ExploreView, {});
  explore.prefill({ id: 'chain-transactions', values: { chainId: '43114', pageSize: '500' } });
  expect(await screen.findByText('Must be from 1 to 100.')).toBeTruthy();
  // It can still be folded.
  await user.click(screen.getByText('Optional parameters'));
  expect(screen.queryByText('Must be from 1 to 100.')).toBeNull();
});
