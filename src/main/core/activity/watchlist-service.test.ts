import { describe, expect, it } from 'vitest';
import { createFakeTime } from '../health/testing/fake-ports.ts';
import { SyncService } from './sync-service.ts';
import { createTestClient, silentLog } from './testing/house.ts';
import { createMemoryStores } from './testing/memory-stores.ts';
import { createPagingService } from './testing/paging-service.ts';
import { WatchlistService } from './watchlist-service.ts';

const address = '0x52908400098527886E0F7030069857D2E4169EE7';

function build(count: number) {
  const time = createFakeTime();
  const paging = createPagingService();
  for (let i = 0; i < count; i += 1)
    paging.transactions.push({ block: 1000 + Math.floor(i / 3), index: i % 3 });
  const stores = createMemoryStores();
  const service = createTestClient(paging.client, time);
  const deps = { service, clock: time.clock, timers: time.timers, log: silentLog };
  const sync = new SyncService({ ...deps, store: stores.activity });
  const watchlist = new WatchlistService({ ...deps, store: stores.watchlist, sync });
  return { time, paging, stores, sync, watchlist };
}

describe('watching an address', () => {
  it('finds its chains and fetches the whole history, newest first', async () => {
    const { time, stores, watchlist } = build(450);
    expect(await watchlist.add(address.toLowerCase(), ' Treasury ')).toMatchObject({
      ok: true,
      value: { address, label: 'Treasury', chainsLoading: true, chains: [] },
    });
    await time.advance(100);
    await time.advance(100);
    expect(watchlist.views()).toMatchObject([
      {
        chainsLoading: false,
        unindexedChainIds: ['99'],
        chains: [{ chainId: '43114', sync: { state: 'complete', rowCount: 450, pagesFetched: 5 } }],
      },
    ]);
    expect(stores.rowsOf(address, '43114')).toHaveLength(450);
  });
});
