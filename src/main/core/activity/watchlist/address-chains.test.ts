import { expect, it } from 'vitest';
import { history } from '../testing/made-history.ts';
import { chainsBody } from '../testing/paging-service.ts';
import { buildWatchHarness as build } from '../testing/watch-harness.ts';

const address = '0x52908400098527886E0F7030069857D2E4169EE7';
const chainId = '43114';

it('an address whose chains cannot be read is not called inactive; chains that can be read are fetched', async () => {
  let body: unknown = { indexedChains: { first: chainsBody.indexedChains[0] } };
  const { paging, watchlist, rest, time } = build({ chains: () => body });
  paging.transactions.push(...history(3));
  await watchlist.add(address);
  await rest();
  expect(watchlist.views()).toMatchObject([
    { chains: [], chainsFetchedAtMs: null, chainsError: { code: 'bad-response' } },
  ]);
  body = { indexedChains: [{ chainId: { id: 1 } }, ...chainsBody.indexedChains] };
  await time.advance(30_000);
  await rest();
  const message = expect.stringContaining('One chain') as string;
  expect(watchlist.views()).toMatchObject([
    {
      chains: [{ chainId, sync: { state: 'complete', rowCount: 3 } }],
      chainsFetchedAtMs: null,
      chainsError: { code: 'bad-response', message },
    },
  ]);
  // The odd one was the one that is known, or another: none is forgotten.
  body = { indexedChains: [{ chainId: { id: 1 } }] };
  await watchlist.refreshChains(address);
  await rest();
  expect(watchlist.views()[0]?.chains).toMatchObject([{ chainId, name: 'C-Chain' }]);
  body = chainsBody;
  await watchlist.refreshChains(address);
  await rest();
  expect(watchlist.views()).toMatchObject([
    { chainsError: null, chainsFetchedAtMs: expect.any(Number) as number },
  ]);
});

it('nothing is fetched of an address that is paused while its chains are being stored', async () => {
  const { paging, stores, watchlist, rest } = build();
  paging.transactions.push({ block: 1_000, index: 0 });
  const disk = Promise.withResolvers<void>();
  const { writeChains } = stores.watchlist;
  stores.watchlist.writeChains = async (...chains) => {
    await disk.promise;
    await writeChains(...chains);
  };
  await watchlist.add(address);
  await rest();
  const paused = watchlist.update(address, { label: null, tags: [], colour: null, paused: true });
  await rest();
  disk.resolve();
  await paused;
  await rest();
  expect(paging.requests).toHaveLength(1);
  expect(watchlist.views()).toMatchObject([{ chains: [{ chainId }], chainsError: null }]);
});

it.each(['constructor', '__proto__', 'toString'])(
  'a chain that is called %s can be told to the window',
  async (id) => {
    let body: unknown = chainsBody;
    const { watchlist, rest } = build({ chains: () => body });
    await watchlist.add(address);
    await rest();
    expect(() => structuredClone(watchlist.views())).not.toThrow();
    body = { ...chainsBody, indexedChains: [...chainsBody.indexedChains, { chainId: id }] };
    await watchlist.refreshChains(address);
    await rest();
    expect(structuredClone(watchlist.views())[0]?.chains).toMatchObject([
      { chainId, newSinceMs: null },
      { chainId: id, newSinceMs: expect.any(Number) as number },
    ]);
  },
);
