import { describe, expect, it, vi } from 'vitest';
import { everything } from '../../../../shared/activity/filter.ts';
import { createFakeTime } from '../../../core/health/testing/fake-ports.ts';
import type { DriverName } from '../sqlite/driver.ts';
import { ActivityState } from './activity-state.ts';
import { createSqlStores } from '../thread/stores.ts';
import { openMemoryDatabase, storesOver } from '../testing/memory-stores.ts';
import { alice, bob, sampleAddress, samplePage, sampleRow } from '../testing/sample-data.ts';

const driverNames: DriverName[] = ['node:sqlite', 'libsql'];

describe.each(driverNames)('the index of rows with %s', (name) => {
  it('has what is written, judged and removed while it is being loaded', async () => {
    const database = openMemoryDatabase([name]);
    const { activity, watchlist } = storesOver(database);
    watchlist.put(sampleAddress());
    watchlist.put(sampleAddress({ address: bob, addedAtMs: 2 }));
    const rowsFrom = (from: number, length: number, address = alice) =>
      Array.from({ length }, (_value, place) =>
        sampleRow({ address, txHash: `0x${from + place}`, timestampMs: from + place }),
      );
    activity.savePage(samplePage({ rows: rowsFrom(0, 8_200) }));
    activity.savePage(samplePage({ address: bob, rows: rowsFrom(0, 300, bob) }));
    const loading = activity.readRows({ filter: everything, offset: 8_000, anchor: null, limit: 1 });
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    await turn();
    // One of a slice that is loaded, one of a slice to come, and new ones.
    activity.judgeRow(5, 'hide');
    activity.judgeRow(8_190, 'hide');
    activity.savePage(samplePage({ rows: [sampleRow({ txHash: '0x7', timestampMs: 99_999 })] }));
    activity.savePage(samplePage({ rows: rowsFrom(8_200, 200) }));
    expect(await loading).toMatchObject({ totalCount: 8_698, hiddenCount: 2 });
    const [first] = (await activity.readRows({ filter: everything, offset: 0, anchor: null, limit: 1 })).rows;
    expect(first?.txHash).toBe('0x7');

    const again = storesOver(database);
    const removing = again.activity.readRows({ filter: everything, offset: 8_000, anchor: null, limit: 1 });
    await turn();
    await again.watchlist.remove(bob, 'delete');
    expect(await removing).toMatchObject({ totalCount: 8_398, hiddenCount: 2 });
  });

  it('is dropped after five minutes without a filter, and loaded again for the next', async () => {
    const database = openMemoryDatabase([name]);
    const time = createFakeTime();
    const { activity, watchlist } = createSqlStores(database, time.timers);
    watchlist.put(sampleAddress());
    activity.savePage(samplePage({ rows: [sampleRow({ txHash: '0x1' }), sampleRow({ txHash: '0x2' })] }));
    const get = vi.spyOn(database, 'get');
    const filter = { ...everything, pills: [{ field: 'chain' as const, not: false, values: ['43114'] }] };
    const filtered = async () => {
      get.mockClear();
      const { totalCount } = await activity.readRows({ filter, offset: 0, anchor: null, limit: 5 });
      return { totalCount, isLoaded: get.mock.calls.some(([sql]) => sql.includes('ORDER BY id LIMIT')) };
    };
    expect(await filtered()).toEqual({ totalCount: 2, isLoaded: true });
    await time.advance(299_000);
    expect(await filtered()).toEqual({ totalCount: 2, isLoaded: false });
    await time.advance(299_000);
    expect(await filtered()).toEqual({ totalCount: 2, isLoaded: false });
    await time.advance(300_000);
    activity.savePage(samplePage({ rows: [sampleRow({ txHash: '0x3' })] }));
    expect(await filtered()).toEqual({ totalCount: 3, isLoaded: true });
  });

  it('frees its memory when it is dropped, without waiting for garbage to be collected', async () => {
    const database = openMemoryDatabase([name]);
    const time = createFakeTime();
    const { activity, watchlist } = storesOver(database);
    watchlist.put(sampleAddress());
    activity.savePage(samplePage({ rows: [sampleRow({ txHash: '0x1' }), sampleRow({ txHash: '0x2' })] }));
    const state = new ActivityState(database, time.timers);
    const index = await state.index();
    const byAmount = { ...everything, order: { by: 'amount' as const, ascending: false } };
    const { slots } = index.select(byAmount);
    while (index.prepareMore()) continue;
    const arrays = [slots, ...index.columns.arrays()];
    expect(arrays.filter((array) => array.byteLength === 0)).toEqual([]);
    await time.advance(300_000);
    expect(arrays.filter((array) => array.byteLength > 0)).toEqual([]);
  });

  it('is dropped without what a deletion notes meanwhile: which texts are in use', async () => {
    const time = createFakeTime();
    const state = new ActivityState(openMemoryDatabase([name]), time.timers);
    await state.index();
    const used = new Set<number>();
    state.texts.inUse = used;
    await time.advance(300_000);
    expect(state.hasIndex).toBe(false);
    const ref = state.database.transaction((writer) => state.texts.method(writer, 'swap'));
    expect([...used]).toEqual([ref]);
  });

  it('is not loaded to its end when the store is closed', async () => {
    const { activity, watchlist, stop } = storesOver(openMemoryDatabase([name]));
    watchlist.put(sampleAddress());
    const rows = Array.from({ length: 4_500 }, (_value, place) => sampleRow({ txHash: `0x${place}` }));
    activity.savePage(samplePage({ rows }));
    const loading = activity.prepare();
    stop();
    await expect(loading).rejects.toThrow('being closed');
  });
});
