import { screen, within } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import type { WatchedAddress } from '../../../../shared/activity/types.ts';
import { renderInApp, testNowMs } from '../../testing/render.ts';
import { fullWorld } from '../../testing/sample-world.ts';
import AddressItem from './AddressItem.svelte';

function withChains(count: number): WatchedAddress {
  const [entry] = fullWorld(testNowMs).snapshot.watchlist;
  const chain = entry?.chains[0];
  if (entry === undefined || chain === undefined) throw new Error('no chain');
  return {
    ...entry,
    chains: Array.from({ length: count }, (_nothing, i) => ({
      ...chain,
      chainId: `c${i}`,
      name: `Chain number ${i}`,
    })),
  };
}

describe('AddressItem', () => {
  it('draws all chains of an address that has a few', async () => {
    const { bridge } = await renderInApp(AddressItem, { entry: withChains(12) });
    expect(screen.getByText('Chain number 11')).toBeTruthy();
    expect(bridge.argsOf('watchlist.showing')).toEqual([]);
  });

  it('draws of a thousand only what can be seen, tells how many there are, and which are shown', async () => {
    const entry = withChains(1_000);
    const { bridge } = await renderInApp(AddressItem, { entry });
    const chains = within(screen.getByRole('list', { name: 'Chains' })).getAllByRole('listitem');
    expect(chains.length).toBeLessThan(60);
    expect(chains[0]?.getAttribute('aria-setsize')).toBe('1000');
    expect(chains[3]?.getAttribute('aria-posinset')).toBe('4');
    await expect
      .poll(() => bridge.argsOf('watchlist.showing')[0])
      .toEqual({ address: entry.address, chainIds: chains.map((_row, i) => `c${i}`) });
  });

  it('draws a name that a stranger chose so that it can neither turn what stands beside it nor fill the window', async () => {
    const entry = withChains(2);
    entry.chains = entry.chains.map((chain, i) => ({
      ...chain,
      name: i === 0 ? 'a\u202eb\u0000' : 'n'.repeat(200_000),
      status: 'PAUSED\u2067',
    }));
    await renderInApp(AddressItem, { entry });
    const [first, second] = within(screen.getByRole('list', { name: 'Chains' })).getAllByRole('button');
    expect(first?.textContent).toContain('a\ufffdb\ufffd');
    expect(first?.textContent).toContain('paused\ufffd');
    expect(second?.textContent.length).toBeLessThan(1_200);
    expect(second?.textContent).toContain('199,000 more characters');
  });
});
