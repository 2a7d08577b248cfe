import { beforeEach, describe, expect, it } from 'vitest';
import type { StorePorts } from './store-ports.ts';
import { backends } from './testing/backends.ts';
import { alice, bob, sampleRow, sampleSync, storageMessage } from './testing/sample-data.ts';

describe.each(backends)('the watchlist over $name', ({ open }) => {
  let stores: StorePorts;
  beforeEach(() => {
    stores = open();
  });

  it('lists addresses in the order in which they were added', async () => {
    await stores.watchlist.put({ address: bob, label: null, addedAtMs: 2 });
    await stores.watchlist.put({ address: alice, label: 'Alice', addedAtMs: 1 });
    expect(await stores.watchlist.list()).toEqual([
      { address: alice, label: 'Alice', addedAtMs: 1 },
      { address: bob, label: null, addedAtMs: 2 },
    ]);
  });

  it('changes a label and keeps all that belongs to the address', async () => {
    await stores.watchlist.put({ address: alice, label: null, addedAtMs: 1 });
    const chains = { indexedJson: '[]', unindexedIds: ['1', '2'], fetchedAtMs: 3 };
    await stores.watchlist.writeChains(alice, chains);
    await stores.activity.savePage(alice, '43114', [sampleRow()], sampleSync());
    await stores.watchlist.put({ address: alice, label: 'new', addedAtMs: 1 });
    expect(await stores.watchlist.list()).toEqual([{ address: alice, label: 'new', addedAtMs: 1 }]);
    expect(await stores.watchlist.readChains(alice)).toEqual(chains);
    expect((await stores.activity.readSync(alice, '43114'))?.rowCount).toBe(1);
  });

  it('replaces the chains', async () => {
    await stores.watchlist.put({ address: alice, label: null, addedAtMs: 1 });
    expect(await stores.watchlist.readChains(alice)).toBeNull();
    await stores.watchlist.writeChains(alice, { indexedJson: '[1]', unindexedIds: ['1'], fetchedAtMs: 3 });
    const later = { indexedJson: '[]', unindexedIds: [], fetchedAtMs: 4 };
    await stores.watchlist.writeChains(alice, later);
    expect(await stores.watchlist.readChains(alice)).toEqual(later);
  });

  it('forgets an address with its chains, rows and coverage, and nothing else', async () => {
    for (const address of [alice, bob]) {
      await stores.watchlist.put({ address, label: null, addedAtMs: 1 });
      await stores.watchlist.writeChains(address, { indexedJson: '[]', unindexedIds: [], fetchedAtMs: 3 });
      await stores.activity.savePage(address, '43114', [sampleRow({ address })], sampleSync());
    }
    await stores.watchlist.remove(alice);
    await stores.watchlist.remove('never there');
    expect((await stores.watchlist.list()).map(({ address }) => address)).toEqual([bob]);
    expect(await stores.watchlist.readChains(alice)).toBeNull();
    expect(await stores.activity.readSync(alice, '43114')).toBeNull();
    expect((await stores.activity.listSyncs()).map(({ address }) => address)).toEqual([bob]);
    const all = await stores.activity.readRows({ address: null, chainId: null, cursor: null, limit: 10 });
    expect(all.rows.map(({ address }) => address)).toEqual([bob]);
    expect(all.totalCount).toBe(1);
    await stores.watchlist.put({ address: alice, label: null, addedAtMs: 9 });
    expect(await stores.activity.readSync(alice, '43114')).toBeNull();
  });

  it('stores nothing for an address that is not watched any more', async () => {
    const chains = { indexedJson: '[]', unindexedIds: [], fetchedAtMs: 3 };
    expect(await storageMessage(stores.watchlist.writeChains(alice, chains))).toMatch(/removed/);
    const page = stores.activity.savePage(alice, '43114', [sampleRow()], sampleSync());
    expect(await storageMessage(page)).toMatch(/removed/);
    expect(await stores.activity.listSyncs()).toEqual([]);
  });
});
