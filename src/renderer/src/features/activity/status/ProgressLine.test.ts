import { screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { everything } from '../../../../../shared/activity/filter.ts';
import { renderInApp, testNowMs } from '../../../testing/render.ts';
import { emptyWorld, sampleAddresses, sampleChain, watched } from '../../../testing/sample-world.ts';
import ProgressLine from './ProgressLine.svelte';

describe('Stop fetching', () => {
  const { hot, treasury } = sampleAddresses;
  /** The window does not know yet that the second chain has begun as well. */
  async function renderRunning() {
    const chains = [
      sampleChain({ chainId: '1', name: 'One', symbol: 'ONE' }, { state: 'running' }),
      sampleChain({ chainId: '2', name: 'Two', symbol: 'TWO' }, { state: 'never' }),
      sampleChain({ chainId: '3', name: 'Three', symbol: 'THREE' }, { state: 'never' }),
    ];
    const world = emptyWorld(testNowMs);
    world.snapshot.watchlist = [treasury, hot].map((address) =>
      watched(address, null, testNowMs, { chains }),
    );
    return await renderInApp(ProgressLine, {}, { world });
  }

  it('stops every history of the addresses that are shown, known to have begun or not', async () => {
    const { bridge, user } = await renderRunning();
    await user.click(screen.getByRole('button', { name: 'Stop fetching' }));
    expect(bridge.argsOf('activity.cancel')).toEqual([
      { scope: { address: treasury, chainId: null } },
      { scope: { address: hot, chainId: null } },
    ]);
  });

  it('that was pressed is shown, and can be taken back', async () => {
    const world = emptyWorld(testNowMs);
    const stopped = { state: 'stopped', rowCount: 5, stoppedByUser: true } as const;
    const chains = [sampleChain({ chainId: '1', name: 'One', symbol: 'ONE' }, stopped)];
    world.snapshot.watchlist = [watched(treasury, null, testNowMs, { chains })];
    const { bridge, user } = await renderInApp(ProgressLine, {}, { world });
    expect(screen.getByRole('group', { name: 'Progress' }).textContent).toContain('stopped by you');
    await user.click(screen.getByRole('button', { name: 'Continue fetching' }));
    expect(bridge.argsOf('activity.resume')).toEqual([{ scope: { address: treasury, chainId: null } }]);
  });

  it('leaves chains and addresses that the filter does not name', async () => {
    const { bridge, navigation, user } = await renderRunning();
    navigation.filter = {
      ...everything,
      pills: [
        { field: 'address', not: false, values: [treasury] },
        { field: 'chain', not: false, values: ['1', '2'] },
      ],
    };
    await user.click(await screen.findByRole('button', { name: 'Stop fetching' }));
    expect(bridge.argsOf('activity.cancel')).toEqual([
      { scope: { address: treasury, chainId: '1' } },
      { scope: { address: treasury, chainId: '2' } },
    ]);
  });
});

it('of one history that is complete says no more than that it is fetched, not that older ones are', async () => {
  const running = { state: 'running', rowCount: 5, reachedStart: true, oldestTimestampMs: 1 } as const;
  const chains = [sampleChain({ chainId: '1', name: 'One', symbol: 'ONE' }, running)];
  const world = emptyWorld(testNowMs);
  world.snapshot.watchlist = [watched(sampleAddresses.treasury, null, testNowMs, { chains })];
  await renderInApp(ProgressLine, {}, { world });
  expect(screen.getByRole('group', { name: 'Progress' }).textContent.trim()).toBe('fetching…');
});
