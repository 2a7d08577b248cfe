import { beforeEach, describe, expect, it } from 'vitest';
import { everything, type ActivityFilter, type FilterPill } from '../../../../shared/activity/filter.ts';
import { facetsOf } from '../../../../shared/activity/facets.ts';
import type { StorePorts } from '../store-ports.ts';
import { backends } from '../testing/backends.ts';
import { rowsOfPage, scannedOf, type Scanned } from '../testing/scan-pages.ts';
import {
  alice,
  bob,
  sampleAddress,
  sampleFacets,
  samplePage,
  sampleRow,
  sampleSync,
  storageMessage,
  storedRow,
} from '../testing/sample-data.ts';

const list = { address: alice, chainId: '43114', list: 'transactions' } as const;

/** What chooses the rows of an address and a chain; null for any. */
function filterOf(address: string | null, chainId: string | null): ActivityFilter {
  const choose = (field: 'address' | 'chain', value: string | null): FilterPill[] =>
    value === null ? [] : [{ field, not: false, values: [value] }];
  const pills = [...choose('address', address), ...choose('chain', chainId)];
  return { ...everything, showHidden: true, pills };
}

describe.each(backends)('activity over $name', ({ open }) => {
  let stores: StorePorts;
  beforeEach(async () => {
    stores = open();
    await stores.watchlist.put(sampleAddress());
    await stores.watchlist.put(sampleAddress({ address: bob, addedAtMs: 2 }));
  });

  const readFrom = (filter: ActivityFilter, offset: number, limit: number) =>
    stores.activity.readRows({ filter, offset, anchor: null, limit });

  const readRows = async (address: string | null = alice, chainId: string | null = '43114') =>
    (await readFrom(filterOf(address, chainId), 0, 1000)).rows;

  const rowsOf = async (address?: string | null, chainId?: string | null) =>
    (await readRows(address, chainId)).map(storedRow);

  it('stores the rows and the sync of a page', async () => {
    const sync = sampleSync({
      covered: [{ fromBlock: '5', toBlock: '99999999999999999999' }],
      reachedStart: true,
      checkedAtMs: 8,
    });
    const rows = [
      sampleRow({ txHash: '0x01', timestampMs: 1_000, blockNumber: 2n ** 62n, blockIndex: null }),
      sampleRow({ txHash: '0x02', timestampMs: 3_000, completeness: 'complete' }),
    ];
    const saved = await stores.activity.savePage(samplePage({ rows, sync }));
    const { isOutdated, areOthersDoubted, ...state } = saved;
    expect([isOutdated, areOthersDoubted]).toEqual([false, false]);
    expect(state).toEqual({
      ...sync,
      rowCount: 2,
      stoppedByUser: false,
      owed: null,
      doubts: 0,
      newestTimestampMs: 3_000,
      oldestTimestampMs: 1_000,
    });
    expect(await stores.activity.readSync(list)).toEqual(state);
    expect(await stores.activity.listSyncs()).toEqual([{ ...list, sync: state }]);
    expect(await rowsOf()).toEqual([rows[1], rows[0]]);
  });

  it('keeps when it had a row first: found again, in another block, gone, complete, pulled', async () => {
    const firstSeen = async () => (await readRows()).map(({ firstSeenMs }) => firstSeenMs);
    const hashes = ['0x01', '0x02'];
    const seenAt = (fetchedAtMs: number, blockHash: string) =>
      stores.activity.savePage(
        samplePage({ rows: hashes.map((txHash) => sampleRow({ txHash, blockHash, fetchedAtMs })) }),
      );
    await seenAt(3_000, 'h1');
    await seenAt(4_000, 'h1');
    await seenAt(5_000, 'h2');
    const sweep = [{ fromBlock: '0', toBlock: '9' }];
    await stores.activity.savePage(samplePage({ walkAtMs: 6_000, sweep }));
    const whole = (txHash: string) =>
      sampleRow({ txHash, blockHash: 'h2', fetchedAtMs: 7_000, completeness: 'complete' });
    const put = [...hashes, '0x03'].map((txHash) => ({
      ...{ row: whole(txHash), integrityNote: null, replaced: null },
    }));
    await stores.activity.putRows(put);
    await seenAt(8_000, 'h2');
    // Newest first by the order of arrival.
    expect(await firstSeen()).toEqual([7_000, 3_000, 3_000]);
    // An earlier fetch that arrives later changes nothing.
    await seenAt(1_000, 'h3');
    expect(await firstSeen()).toEqual([7_000, 3_000, 3_000]);
  });

  it('finds the news of an address: new rows of new blocks that are not hidden, by pages', async () => {
    const rows = [
      sampleRow({ txHash: '0x01', timestampMs: 9, fetchedAtMs: 50 }),
      sampleRow({ txHash: '0x02', timestampMs: 10, fetchedAtMs: 49 }),
      sampleRow({ txHash: '0x03', timestampMs: 10, fetchedAtMs: 50 }),
      sampleRow({ txHash: '0x04', timestampMs: 11, fetchedAtMs: 50 }),
      sampleRow({ txHash: '0x05', timestampMs: 12, fetchedAtMs: 50 }),
      sampleRow({ txHash: '0x06', timestampMs: 12, fetchedAtMs: 50, address: bob }),
    ];
    await stores.watchlist.put(sampleAddress({ address: bob, addedAtMs: 2 }));
    await stores.activity.savePage(samplePage({ rows: rows.slice(0, 5) }));
    await stores.activity.savePage(samplePage({ address: bob, rows: rows.slice(5) }));
    const [hidden] = await stores.activity.rowsOfTransaction('43114', '0x04');
    await stores.activity.judgeRow(hidden?.id ?? 0, 'hide');
    const news = async (offset: number, limit: number) => {
      const asked = { address: alice, fromMs: 10, seenMs: 50, offset, limit };
      return (await stores.activity.readNews(asked)).map(({ txHash }) => txHash);
    };
    expect(await news(0, 10)).toEqual(['0x05', '0x03']);
    expect(await news(1, 1)).toEqual(['0x03']);
    await expect(news(0, 100_000)).rejects.toThrow();
  });

  it('finds rows that await their price, newest first, but for those that are to be skipped', async () => {
    const awaiting = (txHash: string, timestampMs: number, chainId = '43114') =>
      sampleRow({ txHash, timestampMs, chainId, facets: sampleFacets({ awaitsPrice: true }) });
    const rows = [awaiting('0x01', 1), awaiting('0x02', 2), awaiting('0x03', 3), awaiting('0x04', 4)];
    await stores.activity.savePage(samplePage({ rows: [...rows, sampleRow({ txHash: '0x05' })] }));
    await stores.activity.savePage(samplePage({ chainId: '7', rows: [awaiting('0x06', 1, '7')] }));
    const find = async (rowIds: number[], chainIds: string[], limit = 10) =>
      await stores.activity.rowsAwaitingPrice({ untilMs: 3, except: { rowIds, chainIds }, limit });
    const found = await find([], []);
    expect(found.map(({ txHash }) => txHash)).toEqual(['0x03', '0x02', '0x06', '0x01']);
    expect(await find([found[0]?.rowId ?? 0], ['7'])).toEqual([found[1], found[3]]);
    expect(await find([], [], 1)).toEqual([found[0]]);
  });

  it('finds a row by each amount of a token that it moved, and counts the token once', async () => {
    const erc20Transfers = ['5000000', '70000000', '5000000'].map((value) => ({
      ...{ from: { address: bob }, to: { address: alice }, value },
      erc20Token: { address: '0xaa', symbol: 'USDC', decimals: 6 },
    }));
    const transaction = {
      nativeTransaction: { txHash: '0x01', blockNumber: '1', blockTimestamp: 1, txStatus: '1', value: '0' },
      erc20Transfers,
    };
    const facets = facetsOf(
      { address: alice, chainId: '43114', fetchedAtMs: 1, completeness: 'complete', transaction },
      false,
    );
    await stores.activity.savePage(samplePage({ rows: [sampleRow({ facets })] }));
    const found = async (min: string, max: string, token?: string) => {
      const pill: FilterPill = {
        field: 'amount',
        not: false,
        min,
        max,
        ...(token === undefined ? {} : { token }),
      };
      return (await readFrom({ ...everything, pills: [pill] }, 0, 9)).totalCount;
    };
    const token = '43114 erc20 0xaa';
    expect([await found('4', '6'), await found('60', '80', token), await found('5', '5', token)]).toEqual([
      1, 1, 1,
    ]);
    expect([await found('6', '60'), await found('4', '6', '1 erc20 0xaa')]).toEqual([0, 0]);
    const values = await stores.activity.values({ field: 'token', text: '', limit: 9 });
    expect(values).toMatchObject([{ value: token, count: 1 }]);
  });

  it('stores a sync without rows', async () => {
    const sync = sampleSync({ reachedStart: true, checkedAtMs: 8 });
    expect(await stores.activity.savePage(samplePage({ chainId: '1', sync }))).toMatchObject({
      ...sync,
      rowCount: 0,
      stoppedByUser: false,
      newestTimestampMs: null,
      oldestTimestampMs: null,
    });
    expect(await stores.activity.readSync({ ...list, chainId: '2' })).toBeNull();
  });

  it('counts a transaction once, and takes the newer partial row', async () => {
    await stores.activity.savePage(samplePage({ rows: [sampleRow()] }));
    const newer = sampleRow({ blockNumber: 9n, transactionJson: '{"newer":true}', fetchedAtMs: 3_000 });
    const saved = await stores.activity.savePage(samplePage({ rows: [newer, newer] }));
    expect(saved.rowCount).toBe(1);
    expect(await rowsOf()).toEqual([newer]);
  });

  it('never replaces a complete row by a partial one', async () => {
    const complete = sampleRow({ completeness: 'complete', transactionJson: '{"complete":true}' });
    await stores.activity.savePage(samplePage({ rows: [complete] }));
    await stores.activity.savePage(samplePage({ rows: [sampleRow({ fetchedAtMs: 9_000 })] }));
    expect(await rowsOf()).toEqual([complete]);
    const newer = { ...complete, transactionJson: '{"newer":true}', fetchedAtMs: 9_000 };
    await stores.activity.savePage(samplePage({ rows: [newer] }));
    expect(await rowsOf()).toEqual([newer]);
  });

  it('stores all of a page or nothing', async () => {
    const before = await stores.activity.savePage(samplePage({ rows: [sampleRow()] }));
    const hostile = sampleRow({ txHash: '0x03', blockNumber: 2n ** 63n });
    const page = stores.activity.savePage(
      samplePage({
        rows: [sampleRow({ txHash: '0x02' }), hostile],
        sync: sampleSync({ reachedStart: true }),
      }),
    );
    expect(await storageMessage(page)).toMatch(/64 bits/);
    expect(before).toMatchObject((await stores.activity.readSync(list)) ?? {});
    expect(await rowsOf()).toEqual([sampleRow()]);
  });

  it('refuses a page with a row of another list', async () => {
    const page = stores.activity.savePage(samplePage({ rows: [sampleRow({ address: bob })] }));
    expect(await storageMessage(page)).toMatch(/another list/);
    expect(await stores.activity.readSync(list)).toBeNull();
  });

  it('puts complete rows in place of partial ones, for every address that has the transaction', async () => {
    await stores.activity.savePage(samplePage({ chainId: '1', rows: [sampleRow({ chainId: '1' })] }));
    for (const address of [bob, alice]) {
      const rows = [sampleRow({ address }), sampleRow({ address, txHash: '0x02' })];
      await stores.activity.savePage(samplePage({ address, rows }));
    }
    const holders = await stores.activity.rowsOfTransaction('43114', '0x01');
    expect(holders.map(({ address }) => address)).toEqual([alice, bob]);
    const complete = holders.map((held) =>
      sampleRow({
        address: held.address,
        completeness: 'complete',
        transactionJson: '{"detail":1}',
        fetchedAtMs: 7_000,
      }),
    );
    await stores.activity.putRows(complete.map((row) => ({ row, integrityNote: null, replaced: null })));
    expect((await stores.activity.rowsOfTransaction('43114', '0x01')).map(storedRow)).toEqual(complete);
    expect((await readRows(null, null)).filter((row) => row.completeness === 'complete')).toHaveLength(2);
    expect(await stores.activity.countPartial()).toBe(3);
    expect(await stores.activity.rowsOfTransaction('43114', '0xff')).toEqual([]);
    expect(await stores.activity.rowsOfTransaction('7', '0x01')).toEqual([]);
  });

  it('orders by time, block, index and arrival, newest first; no index comes last', async () => {
    const ordered = [
      { timestampMs: 3_000, blockNumber: 1n, blockIndex: 0, txHash: '0x01' },
      { timestampMs: 2_000, blockNumber: 2n ** 53n + 1n, blockIndex: 0, txHash: '0x02' },
      { timestampMs: 2_000, blockNumber: 2n ** 53n, blockIndex: 7, txHash: '0x03' },
      { timestampMs: 2_000, blockNumber: 2n ** 53n, blockIndex: 0, txHash: '0x04' },
      { timestampMs: 2_000, blockNumber: 2n ** 53n, blockIndex: -9, txHash: '0x08' },
      { timestampMs: 2_000, blockNumber: 2n ** 53n, blockIndex: null, txHash: '0x06' },
      { timestampMs: 2_000, blockNumber: 2n ** 53n, blockIndex: null, txHash: '0x05' },
      { timestampMs: -1_000, blockNumber: 9n, blockIndex: 9, txHash: '0x07' },
    ].map((fields) => sampleRow(fields));
    const shuffled = [6, 2, 0, 5, 3, 7, 1, 4]
      .map((place) => ordered[place])
      .filter((row) => row !== undefined);
    await stores.activity.savePage(samplePage({ rows: shuffled }));
    expect(await rowsOf()).toEqual(ordered);
  });

  describe('pages', () => {
    /** 40 rows of two addresses on two chains, many of them at the same time and in the same block. */
    beforeEach(async () => {
      for (const address of [alice, bob]) {
        for (const chainId of ['1', '43114']) {
          const rows = Array.from({ length: 10 }, (_value, place) =>
            sampleRow({
              address,
              chainId,
              txHash: `0x0${place}`,
              timestampMs: 1_000 * Math.floor(place / 5),
              blockNumber: BigInt(Math.floor(place / 3)),
              blockIndex: place % 2 === 0 ? place : null,
            }),
          );
          await stores.activity.savePage(samplePage({ address, chainId, rows }));
        }
      }
    });

    const scan = async (filter: ActivityFilter, limit: number) => {
      const rows: Scanned[] = [];
      const { scanId, totalCount } = await stores.activity.openScan(filter);
      for (let from = 0; from < totalCount; from += limit) {
        const page = rowsOfPage(await stores.activity.readScan({ scanId, from, limit }));
        expect(page.length).toBeLessThanOrEqual(limit);
        rows.push(...page);
      }
      const end = await stores.activity.readScan({ scanId, from: totalCount, limit });
      expect(rowsOfPage(end)).toEqual([]);
      await stores.activity.closeScan(scanId);
      return rows;
    };

    it.each([
      { address: alice, chainId: '1', count: 10 },
      { address: alice, chainId: null, count: 20 },
      { address: null, chainId: '1', count: 20 },
      { address: null, chainId: null, count: 40 },
      { address: alice, chainId: '7', count: 0 },
      { address: '0xunknown', chainId: null, count: 0 },
      { address: null, chainId: '7', count: 0 },
    ])(
      'go through $count rows of $address on $chainId, each once and in order',
      async ({ count, address, chainId }) => {
        const filter = filterOf(address, chainId);
        const whole = await readFrom(filter, 0, 1000);
        expect(whole).toMatchObject({ totalCount: count, partialCount: count, hiddenCount: 0, offset: 0 });
        expect(whole.rows).toHaveLength(count);
        expect(new Set(whole.rows.map(({ id }) => id)).size).toBe(count);
        for (const row of whole.rows) {
          expect(row.address).toBe(address ?? row.address);
          expect(row.chainId).toBe(chainId ?? row.chainId);
        }
        for (const limit of [1, 3, 10]) {
          expect(await scan(filter, limit)).toEqual(whole.rows.map(scannedOf));
          const parts = [];
          for (let offset = 0; offset < count; offset += limit) {
            parts.push(...(await readFrom(filter, offset, limit)).rows);
          }
          expect(parts).toEqual(whole.rows);
        }
      },
    );

    it('are the same without a filter, read from the start or from elsewhere', async () => {
      const all = { ...everything, showHidden: true };
      const { rows } = await readFrom(all, 0, 1000);
      expect((await readFrom(all, 1, 1000)).rows).toEqual(rows.slice(1));
      expect(await readRows(null, null)).toEqual(rows);
      expect(await readFrom(all, 7, 3)).toMatchObject({ rows: rows.slice(7, 10), offset: 7, totalCount: 40 });
      expect(await readFrom(all, 99, 3)).toMatchObject({ rows: [], offset: 40, totalCount: 40 });
    });

    it('lie around a row that matches', async () => {
      const filter = filterOf(alice, null);
      const { rows } = await readFrom(filter, 0, 1000);
      const rowId = rows[9]?.id ?? 0;
      const around = (anchor: { rowId: number; before: number }) =>
        stores.activity.readRows({ filter, offset: 3, anchor, limit: 5 });
      expect(await around({ rowId, before: 2 })).toMatchObject({ rows: rows.slice(7, 12), offset: 7 });
      expect(await around({ rowId, before: 500 })).toMatchObject({ rows: rows.slice(0, 5), offset: 0 });
      expect(await around({ rowId: 999_999, before: 2 })).toMatchObject({ offset: 3 });
      const other = (await readRows(bob, '1'))[0]?.id ?? 0;
      expect(await around({ rowId: other, before: 2 })).toMatchObject({ offset: 3 });
    });

    it('of a scan stay the same ones in the same places whatever arrives meanwhile', async () => {
      const filter = filterOf(alice, '1');
      const before = await scan(filter, 1000);
      const { scanId, totalCount } = await stores.activity.openScan(filter);
      const newer = sampleRow({ chainId: '1', txHash: '0xff', timestampMs: 9_000 });
      await stores.activity.savePage(samplePage({ chainId: '1', rows: [newer] }));
      expect(rowsOfPage(await stores.activity.readScan({ scanId, from: 0, limit: 1000 }))).toEqual(before);
      expect(totalCount).toBe(before.length);
      await stores.activity.closeScan(scanId);
      expect(await scan(filter, 5)).toHaveLength(11);
    });

    it.each([0, -1, 1.5, 1001, Number.NaN])('refuse the limit %s', async (limit) => {
      expect(await storageMessage(readFrom(everything, 0, limit))).toMatch(/1 to 1000/);
      const { scanId } = await stores.activity.openScan(everything);
      const scanned = stores.activity.readScan({ scanId, from: 0, limit });
      expect(await storageMessage(scanned)).toMatch(/1 to 1000/);
    });
  });
});
