import { describe, expect, it } from 'vitest';
import { everything } from '../../../../shared/activity/filter.ts';
import type { DriverName } from '../sqlite/driver.ts';
import { createSqlStores } from '../thread/stores.ts';
import { openMemoryDatabase } from '../testing/memory-stores.ts';
import { alice, bob, sampleAddress, samplePage, sampleRow } from '../testing/sample-data.ts';

const driverNames: DriverName[] = ['node:sqlite', 'libsql'];

describe.each(driverNames)('the index of rows with %s', (name) => {
  it('has what is written, judged and removed while it is being loaded', async () => {
    const database = openMemoryDatabase([name]);
    const { activity, watchlist } = createSqlStores(database);
    watchlist.put(sampleAddress());
    watchlist.put(sampleAddress({ address: bob, addedAtMs: 2 }));
    const rowsFrom = (from: number, address = alice) =>
      Array.from({ length: 3_000 }, (_value, place) =>
        sampleRow({ address, txHash: `0x${from + place}`, timestampMs: from + place }),
      );
    for (const from of [0, 3_000, 6_000]) activity.savePage(samplePage({ rows: rowsFrom(from) }));
    activity.savePage(samplePage({ address: bob, rows: rowsFrom(0, bob) }));
    const loading = activity.readRows({ filter: everything, offset: 6_000, anchor: null, limit: 1 });
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    await turn();
    // One of a slice that is loaded, one of a slice to come, and new ones.
    activity.judgeRow(5, 'hide');
    activity.judgeRow(8_990, 'hide');
    activity.savePage(samplePage({ rows: [sampleRow({ txHash: '0x7', timestampMs: 99_999 })] }));
    activity.savePage(samplePage({ rows: rowsFrom(9_000) }));
    expect(await loading).toMatchObject({ totalCount: 14_998, hiddenCount: 2 });
    const [first] = (await activity.readRows({ filter: everything, offset: 0, anchor: null, limit: 1 })).rows;
    expect(first?.txHash).toBe('0x7');

    const again = createSqlStores(database);
    const removing = again.activity.readRows({ filter: everything, offset: 6_000, anchor: null, limit: 1 });
    await turn();
    await again.watchlist.remove(bob, 'delete');
    expect(await removing).toMatchObject({ totalCount: 11_998, hiddenCount: 2 });
  });

  it('is not loaded to its end when the store is closed', async () => {
    const { activity, watchlist, stop } = createSqlStores(openMemoryDatabase([name]));
    watchlist.put(sampleAddress());
    const rows = Array.from({ length: 9_000 }, (_value, place) => sampleRow({ txHash: `0x${place}` }));
    activity.savePage(samplePage({ rows }));
    const loading = activity.prepare();
    stop();
    await expect(loading).rejects.toThrow('being closed');
  });
});
