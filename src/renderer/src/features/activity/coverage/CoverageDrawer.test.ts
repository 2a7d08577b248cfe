import { screen, within } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { err } from '../../../../../shared/errors.ts';
import { renderInApp, testNowMs } from '../../../testing/render.ts';
import { fullWorld, sampleAddresses } from '../../../testing/sample-world.ts';
import CoverageDrawer from './CoverageDrawer.svelte';

const { treasury } = sampleAddresses;

function worldWithHole() {
  const world = fullWorld(testNowMs);
  const chain = world.snapshot.watchlist[0]?.chains[0];
  if (chain === undefined) throw new Error('no chain');
  chain.sync = {
    ...chain.sync,
    covered: [
      { fromBlock: '0', toBlock: '1000' },
      { fromBlock: '2000', toBlock: '51204331' },
    ],
  };
  chain.newSinceMs = testNowMs - 3_600_000;
  return world;
}

const open = (address: string | null = treasury) =>
  renderInApp(CoverageDrawer, { address, onclose: () => undefined }, { world: worldWithHole() });

describe('CoverageDrawer', () => {
  it('shows every list of every chain with its bar, state and count, and the gaps in words', async () => {
    await open();
    const chain = within(screen.getByRole('region', { name: /Avalanche C-Chain/ }));
    expect(chain.getAllByRole('img')).toHaveLength(5);
    expect(
      chain.getByRole('img', { name: 'Transactions, Avalanche C-Chain: 1 gap: blocks 1,000 to 1,999.' }),
    ).toBeTruthy();
    expect(chain.getByText('ERC-20 transfers')).toBeTruthy();
    expect(chain.getAllByText('Not fetched')).toHaveLength(4);
    expect(chain.getByText(/new, found/)).toBeTruthy();
    // What a proof is worth without a network: when, and up to which block.
    expect(chain.getByText('up to block 51,204,330')).toBeTruthy();
    expect(chain.getByText(/^2026-09-16 \d\d:\d\d$/)).toBeTruthy();
  });

  it('tells indexed from unindexed chains and how old the list of chains is', async () => {
    await open();
    expect(screen.getByText(/2 indexed chains, 1 chain not indexed/)).toBeTruthy();
    expect(screen.getByText(/The service updates this list of chains/).textContent).toContain('5 min ago');
    expect(screen.getByText(/the service doesn’t index it/)).toBeTruthy();
  });

  it('tells the plan before it fetches anything', async () => {
    const { bridge, user } = await open();
    const chain = within(screen.getByRole('region', { name: /DFK Chain/ }));
    await user.click(chain.getByRole('button', { name: 'Fetch all' }));
    const dialog = within(screen.getByRole('dialog', { name: /Fetch all: Treasury on DFK Chain/ }));
    expect(await dialog.findByText(/About 60 calls for 5 lists/)).toBeTruthy();
    expect(bridge.argsOf('activity.sync')).toHaveLength(0);
    await user.click(dialog.getByRole('button', { name: 'Fetch all' }));
    const asked = { scope: { address: treasury, chainId: '53935' }, what: 'all' };
    expect(bridge.argsOf('activity.plan')).toEqual([asked]);
    expect(bridge.argsOf('activity.sync')).toEqual([asked]);
  });

  it('fetches nothing when the plan cannot be told', async () => {
    const { bridge, user } = await open();
    bridge.answer('activity.plan', () => err({ code: 'storage', message: 'busy' }));
    await user.click(screen.getByRole('button', { name: 'Fill gaps, Treasury' }));
    const dialog = within(screen.getByRole('dialog', { name: /Fill gaps/ }));
    expect(await dialog.findByRole('alert')).toBeTruthy();
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Fill gaps' }).disabled).toBe(true);
  });

  it('counts the pages of what is running', async () => {
    const world = worldWithHole();
    const chain = world.snapshot.watchlist[0]?.chains[0];
    if (chain === undefined) throw new Error('no chain');
    chain.sync = { ...chain.sync, state: 'running', pagesFetched: 1 };
    await renderInApp(CoverageDrawer, { address: treasury, onclose: () => undefined }, { world });
    expect(screen.getByText('Fetching, 1 page')).toBeTruthy();
  });

  it('stops what is running', async () => {
    const { bridge, user } = await open(sampleAddresses.hot);
    await user.click(screen.getByRole('button', { name: 'Stop' }));
    await user.click(screen.getByRole('button', { name: 'Stop all' }));
    expect(bridge.argsOf('activity.cancel')).toEqual([
      { scope: { address: sampleAddresses.hot, chainId: '43114' } },
      { scope: { address: sampleAddresses.hot, chainId: null } },
    ]);
  });

  it('shows the proofs when they are asked for', async () => {
    const { bridge, user } = await open();
    expect(bridge.argsOf('activity.ledger')).toHaveLength(0);
    const chain = within(screen.getByRole('region', { name: /Avalanche C-Chain/ }));
    await user.click(chain.getByText('Block ranges verified as complete'));
    const proofs = within(await chain.findByRole('list', { name: 'Verified ranges for Transactions' }));
    expect(proofs.getByText('blocks 0 to 999')).toBeTruthy();
    expect(proofs.getByText('run-2')).toBeTruthy();
  });

  it('takes back the proof of blocks that the user doubts', async () => {
    const { bridge, user } = await open();
    const chain = within(screen.getByRole('region', { name: /Avalanche C-Chain/ }));
    await user.click(chain.getByText('Block ranges verified as complete'));
    await user.click(
      await chain.findByRole('button', { name: 'Fetch blocks 0 to 999 again for Transactions' }),
    );
    expect(bridge.argsOf('activity.distrust')).toEqual([
      { address: treasury, chainId: '43114', list: 'transactions', fromBlock: '0', toBlock: '1000' },
    ]);
  });

  it('shows what the user has stopped, and lets it go on', async () => {
    const world = worldWithHole();
    const chain = world.snapshot.watchlist[0]?.chains[0];
    if (chain === undefined) throw new Error('no chain');
    chain.sync = { ...chain.sync, state: 'stopped', stoppedByUser: true };
    const props = { address: treasury, onclose: () => undefined };
    const { bridge, user } = await renderInApp(CoverageDrawer, props, { world });
    const shown = within(screen.getByRole('region', { name: /Avalanche C-Chain/ }));
    expect(shown.getByText(/You stopped fetching this list/)).toBeTruthy();
    await user.click(shown.getByRole('button', { name: 'Continue fetching' }));
    expect(bridge.argsOf('activity.resume')).toEqual([{ scope: { address: treasury, chainId: '43114' } }]);
  });

  it('audits the lists against each other and fetches what is missing at a click', async () => {
    const { bridge, user } = await open();
    const chain = within(screen.getByRole('region', { name: /Avalanche C-Chain/ }));
    await user.click(chain.getByText('Audit: compare the lists'));
    await user.click(await chain.findByRole('button', { name: 'Run audit' }));
    expect(await chain.findByText(/2 missing/)).toBeTruthy();
    expect(chain.getByText('ERC-1155 transfers: not compared (never fetched).')).toBeTruthy();
    const [gap] = within(chain.getByRole('list', { name: 'Missing' })).getAllByRole('listitem');
    if (gap === undefined) throw new Error('no gap');
    expect(gap.textContent).toContain('In ERC-20 transfers but missing from Transactions.');
    await user.click(within(gap).getByRole('button', { name: /Fetch/ }));
    expect(await within(gap).findByText('Fetched')).toBeTruthy();
    expect(bridge.argsOf('activity.pull')[0]).toMatchObject({ address: treasury, chainId: '43114' });
  });
});
