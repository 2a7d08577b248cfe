import { beforeEach, describe, expect, it } from 'vitest';
import type { StoredRow } from '../../core/ports.ts';
import type { StorePorts } from './store-ports.ts';
import { backends } from './testing/backends.ts';
import { alice, bob, sampleRow, sampleSync, storageMessage } from './testing/sample-data.ts';

describe.each(backends)('activity over $name', ({ open }) => {
  let stores: StorePorts;
  beforeEach(() => {
    stores = open();
  });

  beforeEach(async () => {
    await stores.watchlist.put({ address: alice, label: null, addedAtMs: 1 });
    await stores.watchlist.put({ address: bob, label: null, addedAtMs: 2 });
  });

  const rowsOf = async (address: string | null = alice, chainId: string | null = '43114') =>
    (await stores.activity.readRows({ address, chainId, cursor: null, limit: 1000 })).rows;

  it('stores the rows and the sync of a page', async () => {
    const sync = sampleSync({
      covered: [{ fromBlock: '5', toBlock: '99999999999999999999' }],
      reachedStart: true,
      resume: {
        pageToken: 't',
        receivedAtMs: 7,
        fromBlock: null,
        toBlock: '4',
        provenFrom: '5',
        provenTo: null,
      },
      checkedAtMs: 8,
    });
    const rows = [
      sampleRow({ txHash: '0x01', timestampMs: 1_000, blockNumber: 2n ** 62n, blockIndex: null }),
      sampleRow({ txHash: '0x02', timestampMs: 3_000, completeness: 'complete' }),
    ];
    const saved = await stores.activity.savePage(alice, '43114', rows, sync);
    expect(saved).toEqual({ ...sync, rowCount: 2, newestTimestampMs: 3_000, oldestTimestampMs: 1_000 });
    expect(await stores.activity.readSync(alice, '43114')).toEqual(saved);
    expect(await stores.activity.listSyncs()).toEqual([{ address: alice, chainId: '43114', sync: saved }]);
    expect(await rowsOf()).toEqual([rows[1], rows[0]]);
  });

  it('stores a sync without rows', async () => {
    const sync = sampleSync({ reachedStart: true, checkedAtMs: 8 });
    expect(await stores.activity.savePage(alice, '1', [], sync)).toEqual({
      ...sync,
      rowCount: 0,
      newestTimestampMs: null,
      oldestTimestampMs: null,
    });
    expect(await stores.activity.readSync(alice, '2')).toBeNull();
  });

  it('counts a transaction once, and takes the newer partial row', async () => {
    await stores.activity.savePage(alice, '43114', [sampleRow()], sampleSync());
    const newer = sampleRow({ blockNumber: 9n, transactionJson: '{"newer":true}', fetchedAtMs: 3_000 });
    const saved = await stores.activity.savePage(alice, '43114', [newer, newer], sampleSync());
    expect(saved.rowCount).toBe(1);
    expect(await rowsOf()).toEqual([newer]);
  });

  it('never replaces a complete row by a partial one', async () => {
    const complete = sampleRow({ completeness: 'complete', transactionJson: '{"complete":true}' });
    await stores.activity.savePage(alice, '43114', [complete], sampleSync());
    await stores.activity.savePage(alice, '43114', [sampleRow({ fetchedAtMs: 9_000 })], sampleSync());
    expect(await rowsOf()).toEqual([complete]);
    const newer = { ...complete, transactionJson: '{"newer":true}', fetchedAtMs: 9_000 };
    await stores.activity.savePage(alice, '43114', [newer], sampleSync());
    expect(await rowsOf()).toEqual([newer]);
  });

  it('stores all of a page or nothing', async () => {
    const before = await stores.activity.savePage(alice, '43114', [sampleRow()], sampleSync());
    const hostile = sampleRow({ txHash: '0x03', blockNumber: 2n ** 63n });
    const page = stores.activity.savePage(
      alice,
      '43114',
      [sampleRow({ txHash: '0x02' }), hostile],
      sampleSync({ reachedStart: true }),
    );
    expect(await storageMessage(page)).toMatch(/64 bits/);
    expect(await stores.activity.readSync(alice, '43114')).toEqual(before);
    expect(await rowsOf()).toEqual([sampleRow()]);
  });

  it('refuses a page with a row of another list', async () => {
    const page = stores.activity.savePage(alice, '43114', [sampleRow({ address: bob })], sampleSync());
    expect(await storageMessage(page)).toMatch(/another list/);
    expect(await stores.activity.readSync(alice, '43114')).toBeNull();
  });

  it('completes a transaction in the lists of all addresses of its chain', async () => {
    await stores.activity.savePage(alice, '1', [sampleRow({ chainId: '1' })], sampleSync());
    for (const address of [bob, alice]) {
      const rows = [sampleRow({ address }), sampleRow({ address, txHash: '0x02' })];
      await stores.activity.savePage(address, '43114', rows, sampleSync());
    }
    expect(await stores.activity.complete('43114', '0x01', '{"detail":1}', 7_000)).toEqual([alice, bob]);
    const completed = (await rowsOf(null, null)).filter((row) => row.completeness === 'complete');
    expect(completed).toHaveLength(2);
    for (const row of completed) {
      expect(row).toEqual(
        sampleRow({
          address: row.address,
          completeness: 'complete',
          transactionJson: '{"detail":1}',
          fetchedAtMs: 7_000,
        }),
      );
    }
    expect(await stores.activity.complete('43114', '0xff', '{}', 1)).toEqual([]);
    expect(await stores.activity.complete('7', '0x01', '{}', 1)).toEqual([]);
  });

  it('orders by time, block, index and hash, newest first; no index comes last', async () => {
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
    const shuffled = [5, 2, 0, 6, 3, 7, 1, 4]
      .map((place) => ordered[place])
      .filter((row) => row !== undefined);
    await stores.activity.savePage(alice, '43114', shuffled, sampleSync());
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
          await stores.activity.savePage(address, chainId, rows, sampleSync());
        }
      }
    });

    const walk = async (query: { address: string | null; chainId: string | null }, limit: number) => {
      const rows: StoredRow[] = [];
      let cursor: string | null = null;
      do {
        const page = await stores.activity.readRows({ ...query, cursor, limit });
        expect(page.rows.length).toBeLessThanOrEqual(limit);
        rows.push(...page.rows);
        cursor = page.nextCursor;
      } while (cursor !== null);
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
      async ({ count, ...query }) => {
        const whole = await stores.activity.readRows({ ...query, cursor: null, limit: 1000 });
        expect(whole).toMatchObject({ totalCount: count, nextCursor: null });
        expect(whole.rows).toHaveLength(count);
        expect(
          new Set(whole.rows.map((row) => JSON.stringify([row.address, row.chainId, row.txHash]))).size,
        ).toBe(count);
        for (const row of whole.rows) {
          expect(row.address).toBe(query.address ?? row.address);
          expect(row.chainId).toBe(query.chainId ?? row.chainId);
        }
        for (const limit of [1, 3, 10]) expect(await walk(query, limit)).toEqual(whole.rows);
      },
    );

    it('are not disturbed by rows that arrive meanwhile', async () => {
      const query = { address: alice, chainId: '1' };
      const before = await walk(query, 1000);
      const first = await stores.activity.readRows({ ...query, cursor: null, limit: 4 });
      const newer = sampleRow({ chainId: '1', txHash: '0xff', timestampMs: 9_000 });
      await stores.activity.savePage(alice, '1', [newer], sampleSync());
      const second = await stores.activity.readRows({ ...query, cursor: first.nextCursor, limit: 1000 });
      expect([...first.rows, ...second.rows]).toEqual(before);
      expect(second.totalCount).toBe(11);
    });

    it.each([
      '',
      'x',
      'bnVsbA',
      Buffer.from('[]').toString('base64url'),
      Buffer.from('[1,"1",1,"0x",1,1]').toString('base64url'),
      Buffer.from('[1,"1e9",1,"0x",1]').toString('base64url'),
      Buffer.from('[1,"99999999999999999999",1,"0x",1]').toString('base64url'),
      Buffer.from('[1,"9999999999999999999",1,"0x",1]').toString('base64url'),
      Buffer.from('[1,"1",1,"0\\u0000",1]').toString('base64url'),
      Buffer.from('[1.5,"1",1,"0x",1]').toString('base64url'),
    ])('refuse the made-up cursor %j', async (cursor) => {
      const page = stores.activity.readRows({ address: null, chainId: null, cursor, limit: 10 });
      expect(await storageMessage(page)).toMatch(/cannot take this/);
    });

    it.each([0, -1, 1.5, 1001, Number.NaN])('refuse the limit %s', async (limit) => {
      const page = stores.activity.readRows({ address: null, chainId: null, cursor: null, limit });
      expect(await storageMessage(page)).toMatch(/1 to 1000/);
    });
  });
});
