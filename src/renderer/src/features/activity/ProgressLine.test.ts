import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { testNowMs, renderInApp } from '../../testing/render.ts';
import { emptyWorld, sampleAddresses, sampleChain, watched } from '../../testing/sample-world.ts';
import ProgressLine from './ProgressLine.svelte';

it('stops every history that is shown, also one of which the window does not know yet that it has begun', async () => {
  const world = emptyWorld(testNowMs);
  const address = sampleAddresses.treasury;
  world.snapshot.watchlist = [
    watched(address, null, testNowMs, {
      chains: [
        sampleChain({ chainId: '1', name: 'One', symbol: 'ONE' }, { state: 'running' }),
        sampleChain({ chainId: '2', name: 'Two', symbol: 'TWO' }, { state: 'never' }),
      ],
    }),
  ];
  const { bridge, user } = await renderInApp(ProgressLine, {}, { world });
  await user.click(screen.getByRole('button', { name: 'Stop fetching' }));
  expect(bridge.argsOf('activity.cancel')).toEqual([
    { scope: { address, chainId: '1' } },
    { scope: { address, chainId: '2' } },
  ]);
});
