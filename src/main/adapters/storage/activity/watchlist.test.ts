import { beforeEach, describe, expect, it } from 'vitest';
import { everything } from '../../../../shared/activity/filter.ts';
import type { StorePorts } from '../store-ports.ts';
import { backends } from '../testing/backends.ts';
import { alice, bob, sampleAddress, samplePage, sampleRow, storageMessage } from '../testing/sample-data.ts';

const list = { address: alice, chainId: '43114', list: 'transactions' } as const;

describe.each(backends)('the watchlist over $name', ({ open }) => {
  let stores: StorePorts;
  beforeEach(() => {
    stores = open();
  });

  it('lists addresses in the order in which they were added', async () => {
    await stores.watchlist.put(sampleAddress({ address: bob, addedAtMs: 2 }));
    await stores.watchlist.put(sampleAddress({ label: 'Alice' }));
    expect(await stores.watchlist.list()).toEqual([
      sampleAddress({ label: 'Alice' }),
      sampleAddress({ address: bob, addedAtMs: 2 }),
    ]);
  });

  it('changes a label and keeps all that belongs to the address', async () => {
    await stores.watchlist.put(sampleAddress());
    const chains = { indexedJson: '[]', unindexedIds: ['1', '2'], fetchedAtMs: 3, newSinceMs: {} };
    await stores.watchlist.writeChains(alice, chains);
    await stores.activity.savePage(samplePage({ rows: [sampleRow()] }));
    await stores.watchlist.put(sampleAddress({ label: 'new' }));
    expect(await stores.watchlist.list()).toEqual([sampleAddress({ label: 'new' })]);
    expect(await stores.watchlist.readChains(alice)).toEqual(chains);
    expect((await stores.activity.readSync(list))?.rowCount).toBe(1);
  });

  it('replaces the chains', async () => {
    await stores.watchlist.put(sampleAddress());
    expect(await stores.watchlist.readChains(alice)).toBeNull();
    await stores.watchlist.writeChains(alice, {
      indexedJson: '[1]',
      unindexedIds: ['1'],
      fetchedAtMs: 3,
      newSinceMs: {},
    });
    const later = { indexedJson: '[]', unindexedIds: [], fetchedAtMs: 4, newSinceMs: { '7': 8 } };
    await stores.watchlist.writeChains(alice, later);
    expect(await stores.watchlist.readChains(alice)).toEqual(later);
  });

  it('forgets an address with its chains, rows and coverage, and nothing else', async () => {
    for (const address of [alice, bob]) {
      await stores.watchlist.put(sampleAddress({ address }));
      await stores.watchlist.writeChains(address, {
        indexedJson: '[]',
        unindexedIds: [],
        fetchedAtMs: 3,
        newSinceMs: {},
      });
      await stores.activity.savePage(samplePage({ address, rows: [sampleRow({ address })] }));
    }
    await stores.watchlist.remove(alice, 'delete');
    await stores.watchlist.remove('never there', 'keep');
    expect((await stores.watchlist.list()).map(({ address }) => address)).toEqual([bob]);
    expect(await stores.watchlist.readChains(alice)).toBeNull();
    expect(await stores.activity.readSync(list)).toBeNull();
    expect((await stores.activity.listSyncs()).map(({ address }) => address)).toEqual([bob]);
    const all = await stores.activity.readRows({
      filter: everything,
      offset: 0,
      anchor: null,
      limit: 10,
    });
    expect(all.rows.map(({ address }) => address)).toEqual([bob]);
    expect(all.totalCount).toBe(1);
    await stores.watchlist.put(sampleAddress({ addedAtMs: 9 }));
    expect(await stores.activity.readSync(list)).toBeNull();
  });

  it('keeps what is left for a while out of every answer, until it is put again or deleted', async () => {
    for (const address of [alice, bob]) {
      await stores.watchlist.put(sampleAddress({ address }));
      await stores.activity.savePage(samplePage({ address, rows: [sampleRow({ address })] }));
      await stores.watchlist.remove(address, 'leave');
    }
    expect(await stores.watchlist.list()).toEqual([]);
    expect(await stores.activity.listSyncs()).toEqual([]);
    await stores.watchlist.put(sampleAddress());
    // Kept now, which is another word than left.
    await stores.watchlist.remove(alice, 'keep');
    await stores.watchlist.removeLeft();
    for (const address of [alice, bob]) await stores.watchlist.put(sampleAddress({ address }));
    expect((await stores.activity.listSyncs()).map(({ address }) => address)).toEqual([alice]);
  });

  it('stores nothing for an address that is not watched any more', async () => {
    const chains = { indexedJson: '[]', unindexedIds: [], fetchedAtMs: 3, newSinceMs: {} };
    expect(await storageMessage(stores.watchlist.writeChains(alice, chains))).toMatch(/removed/);
    const page = stores.activity.savePage(samplePage({ rows: [sampleRow()] }));
    expect(await storageMessage(page)).toMatch(/removed/);
    expect(await stores.activity.listSyncs()).toEqual([]);
  });
});
