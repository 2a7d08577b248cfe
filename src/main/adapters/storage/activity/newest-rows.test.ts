import { expect, it, vi } from 'vitest';
import { everything } from '../../../../shared/activity/filter.ts';
import { openMemoryDatabase, storesOver } from '../testing/memory-stores.ts';
import { alice, bob, sampleAddress, samplePage, sampleRow } from '../testing/sample-data.ts';

it('the newest rows are not looked for behind thousands that are not shown, once there is an index', async () => {
  const database = openMemoryDatabase();
  const { activity, watchlist } = storesOver(database);
  for (const address of [alice, bob]) watchlist.put(sampleAddress({ address }));
  const rows = Array.from({ length: 5_001 }, (_nothing, place) =>
    sampleRow({ address: bob, txHash: `0x${place}`, timestampMs: 9_000 + place }),
  );
  activity.savePage(samplePage({ address: bob, rows }));
  activity.savePage(samplePage({ rows: [sampleRow()] }));
  const all = vi.spyOn(database, 'all');
  const read = async () => {
    all.mockClear();
    const page = await activity.readRows({ filter: everything, offset: 0, anchor: null, limit: 5 });
    const isInOrder = all.mock.calls.some(([sql]) => sql.includes('ORDER BY timestamp_ms DESC'));
    return { ...page, rows: page.rows.length, isInOrder };
  };
  const five = { rows: 5, offset: 0, totalCount: 5_002, hiddenCount: 0, unrankedCount: 0 };
  expect(await read()).toEqual({ ...five, partialCount: 5_002, isInOrder: true });
  await activity.prepare();
  expect(await read()).toEqual({ ...five, partialCount: 5_002, isInOrder: true });
  await watchlist.remove(bob, 'keep');
  const one = { ...five, rows: 1, totalCount: 1, partialCount: 1 };
  expect(await read()).toEqual({ ...one, isInOrder: false });
  expect(activity.countPartial()).toBe(1);
  watchlist.put(sampleAddress({ address: bob }));
  expect(await read()).toEqual({ ...five, partialCount: 5_002, isInOrder: true });
});
