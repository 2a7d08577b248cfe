import { expect, it } from 'vitest';
import { history } from '../testing/made-history.ts';
import { watchedAddress } from '../testing/test-stores.ts';
import { buildWatchHarness } from '../testing/watch-harness.ts';

const address = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';
const chainId = '43114';
const rowsRef = { address, chainId, list: 'transactions' } as const;
const erc20Ref = { address, chainId, list: 'erc20' } as const;

it('a list under way goes on where a run that was cancelled has taken back its proof', async () => {
  const { paging, stores, sync, events, time, rest } = buildWatchHarness();
  void stores.watchlist.put(watchedAddress(address));
  paging.transactions.push(...history(50));
  for (const one of [rowsRef, erc20Ref]) sync.start(one, 'user');
  await rest();
  paging.transactions.splice(10, 1);
  await time.advance(60_000);
  events.on('activity.changed', ({ list, sync: { pagesFetched } }) => {
    if (list !== 'transactions' || pagesFetched !== 1) return;
    // As an audit does before it asks for a block again.
    void sync.cancel(rowsRef);
    sync.start(erc20Ref, 'user');
  });
  sync.start(rowsRef, 'user');
  await rest();
  expect(sync.status(erc20Ref)).toMatchObject({ state: 'complete', rowCount: 49 });
});
