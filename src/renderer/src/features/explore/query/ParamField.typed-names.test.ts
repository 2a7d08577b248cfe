import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import ExploreView from '../../../views/ExploreView.svelte';
import { renderInApp, testNowMs } from '../../../testing/render.ts';
import { fullWorld } from '../../../testing/sample-world.ts';

it('a name that another one begins with can be typed, and becomes its id', async () => {
  const world = fullWorld(testNowMs);
  const [first, second] = world.snapshot.watchlist[0]?.chains ?? [];
  if (first === undefined || second === undefined) throw new Error('the sample has chains');
  for (const { chains } of world.snapshot.watchlist)
    for (const chain of chains) {
      if (chain.chainId === first.chainId) chain.name = 'Dexalot';
      if (chain.chainId === second.chainId) chain.name = 'Dexalot 2';
    }
  const { explore, user } = await renderInApp(ExploreView, {}, { world });
  await user.click(screen.getByRole('button', { name: 'Latest transactions on a chain' }));
  await user.type(screen.getByLabelText('chainId'), 'dexalot 2');
  await user.tab();
  expect(explore.values['chainId']).toBe(second.chainId);
});
