import { expect, it } from 'vitest';
import { history } from '../testing/made-history.ts';
import { watchedAddress } from '../testing/test-stores.ts';
import { buildWatchHarness } from '../testing/watch-harness.ts';

const address = '0x52908400098527886E0F7030069857D2E4169EE7';
const ref = (chainId: string) => ({ address, chainId, list: 'transactions' as const });

it('what the user adds has its first rows while two long histories are fetched; what the app adds waits', async () => {
  const { paging, stores, sync, rest } = buildWatchHarness();
  void stores.watchlist.put(watchedAddress(address));
  paging.transactions.push(...history(3_000));
  const end = Promise.withResolvers<null>();
  const { savePage } = stores.activity;
  stores.activity.savePage = async (page) => {
    if (page.chainId !== '3') await end.promise;
    return await savePage(page);
  };
  for (const chain of ['1', '2']) sync.start(ref(chain), 'user');
  await rest();
  sync.start(ref('4'), 'app');
  sync.start(ref('3'), 'user');
  await rest();
  expect(sync.status(ref('3')).state).toBe('complete');
  expect(sync.status(ref('1')).rowCount).toBe(0);
  expect(paging.requests.some(({ url }) => url.includes('/chains/4/'))).toBe(false);
  end.resolve(null);
  await rest();
  expect(sync.status(ref('4')).state).toBe('complete');
});
