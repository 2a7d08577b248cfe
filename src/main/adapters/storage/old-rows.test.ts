import { beforeEach, describe, expect, it } from 'vitest';
import { everything, type FilterPill } from '../../../shared/activity/filter.ts';
import { openDatabase } from './database.ts';
import type { DriverName } from './driver.ts';
import { loadDriver } from './load-driver.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/registry.ts';
import type { SqlDatabase } from './sql.ts';
import { createSqlStores } from './stores.ts';
import { alice, bob, sampleAddress, samplePage, sampleRow, storedRow } from './testing/sample-data.ts';

const driverNames: DriverName[] = ['node:sqlite', 'libsql'];
const somebody = '0x00000000000000000000000000000000000000ff';
const blockHash = `0x${'b'.repeat(64)}`;

/** As the version before migration 3 stored it. */
const oldJson = (fields: object = {}) =>
  JSON.stringify({
    nativeTransaction: {
      txHash: '0x',
      blockNumber: '1',
      blockHash,
      blockTimestamp: 1,
      txStatus: '1',
      from: { address: somebody },
      to: { address: alice },
      value: '5',
      method: { callType: 'NATIVE_TRANSFER' },
      ...fields,
    },
  });

/** Nothing of a token that came in with somebody else's transaction: the rules hide it. */
const nothing = JSON.stringify({
  nativeTransaction: {
    ...JSON.parse(oldJson({ value: '0', method: { callType: 'CONTRACT_CALL' } })).nativeTransaction,
  },
  erc20Transfers: [
    {
      from: { address: somebody },
      to: { address: alice },
      value: '0',
      erc20Token: { address: somebody, symbol: 'NIL' },
    },
  ],
});

describe.each(driverNames)('a store of the layout before, opened with %s', (name) => {
  let database: SqlDatabase;

  /** 450 rows of Alice, three slices' worth, and one of Bob. */
  beforeEach(() => {
    database = openDatabase(loadDriver([name]), ':memory:', { access: 'read-write', busyTimeoutMs: 0 });
    database.pragma('foreign_keys = ON');
    migrate(database, migrations.slice(0, 2));
    database.transaction((writer) => {
      const add = writer.prepare('INSERT INTO watch_address (address, label, added_at_ms) VALUES (?, ?, ?)');
      add.run(alice, 'Alice', 1);
      add.run(bob, null, 2);
      writer
        .prepare('INSERT INTO watch_chains VALUES (1, ?, ?, 3)')
        .run(JSON.stringify([{ chainId: '43114', networkToken: { symbol: 'AVAX', decimals: 18 } }]), '["7"]');
      writer.exec(`INSERT INTO chain (chain_id) VALUES ('43114');
        INSERT INTO activity_sync VALUES (1, 1, 1, '[{"fromBlock":"0","toBlock":"500"}]', 1, NULL, 8, 450);
        INSERT INTO activity_sync VALUES (2, 2, 1, '[]', 0, NULL, NULL, 1);`);
      const row = writer.prepare('INSERT INTO activity_row VALUES (?, ?, ?, 1, ?, ?, 0, ?, ?, ?, 9)');
      for (let n = 1; n <= 450; n += 1) {
        const stored = n === 450 ? nothing : n === 449 ? 'no JSON' : oldJson({ nonce: String(n) });
        row.run(n, 1, 1, `0x${n}`, n, n * 1000, n === 448 ? 1 : 0, stored);
      }
      row.run(451, 2, 2, '0x450', 450, 450_000, 0, oldJson());
    });
    migrate(database);
  });

  const read = (text: string, offset = 0) => {
    const { activity } = stores;
    return activity.readRows({ filter: { ...everything, text }, offset, anchor: null, limit: 1000 });
  };
  let stores: ReturnType<typeof createSqlStores>;
  beforeEach(() => {
    stores = createSqlStores(database);
  });

  it('is whole at once, the first rows with what filters look at', async () => {
    expect(stores.watchlist.list()).toEqual([
      sampleAddress({ label: 'Alice' }),
      sampleAddress({ address: bob, addedAtMs: 2 }),
    ]);
    expect(stores.watchlist.readChains(alice)).toMatchObject({ unindexedIds: ['7'], newSinceMs: {} });
    expect(
      stores.activity.readSync({ address: alice, chainId: '43114', list: 'transactions' }),
    ).toMatchObject({
      covered: [{ fromBlock: '0', toBlock: '500' }],
      rowCount: 450,
      newestTimestampMs: 450_000,
      oldestTimestampMs: 1_000,
    });
    const page = await stores.activity.readRows({ filter: everything, offset: 0, anchor: null, limit: 4 });
    expect(page).toMatchObject({ totalCount: 450, hiddenCount: 1 });
    expect(page.rows.map(({ txHash, address }) => [txHash, address])).toEqual([
      ['0x450', bob],
      ['0x449', alice],
      ['0x448', alice],
      ['0x447', alice],
    ]);
    expect(page.rows[3]).toMatchObject({ blockHash, transactionJson: oldJson({ nonce: '447' }) });
    const filtered = async (pills: FilterPill[]) =>
      (
        await stores.activity.readRows({
          filter: { ...everything, pills },
          offset: 0,
          anchor: null,
          limit: 4,
        })
      ).rows.map(({ txHash }) => txHash);
    expect(await filtered([{ field: 'status', not: false, values: ['success'] }])).toEqual([
      '0x450',
      '0x448',
      '0x447',
      '0x446',
    ]);
    const all: FilterPill[] = [
      { field: 'kind', not: false, values: ['transfer'] },
      { field: 'direction', not: false, values: ['in'] },
      { field: 'counterparty', not: false, values: [somebody] },
      { field: 'token', not: false, values: ['43114 native'] },
      { field: 'amount', not: false, min: '0.000000000000000005', max: '0.000000000000000005' },
      { field: 'block', not: false, min: '447', max: '447' },
    ];
    expect(await filtered(all)).toEqual(['0x447']);
  });

  it('answers filters for all rows, and serves other calls until it can', async () => {
    const filtered = read('avax');
    expect(stores.activity.countPartial()).toBe(450);
    expect((await filtered).totalCount).toBe(448);
    expect(await read('nil')).toMatchObject({ totalCount: 0, hiddenCount: 1 });
    const whole = await read('', 1);
    expect(whole.totalCount).toBe(450);
    expect(database.prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'activity%old%'").all()).toEqual(
      [],
    );
    const again = createSqlStores(database);
    expect(
      await again.activity.readRows({ filter: everything, offset: 1, anchor: null, limit: 1000 }),
    ).toEqual(whole);
  });

  it('takes new versions of rows before it is up to date', async () => {
    const complete = sampleRow({
      txHash: '0x3',
      blockNumber: 3n,
      blockHash,
      timestampMs: 3_000,
      completeness: 'complete',
    });
    stores.activity.savePage(
      samplePage({ rows: [complete, sampleRow({ txHash: '0x448', blockHash: 'other' })] }),
    );
    await stores.catchUp();
    const [row] = stores.activity.rowsOfTransaction('43114', '0x3');
    expect(row === undefined ? null : storedRow(row)).toEqual(complete);
    const [reorganised] = stores.activity.rowsOfTransaction('43114', '0x448');
    expect(reorganised?.marks).toMatchObject({ reorg: 'reorganised', versionCount: 1 });
    expect(stores.activity.versions(448)).toMatchObject([{ transactionJson: oldJson({ nonce: '448' }) }]);
    expect((await read('', 1)).totalCount).toBe(450);
  });

  it('forgets the rows of an address before it is up to date', async () => {
    stores.watchlist.remove(alice, false);
    expect((await read('0x')).totalCount).toBe(1);
    expect(database.pragma('foreign_key_check')).toEqual([]);
  });

  it('goes on where it was left', async () => {
    const stopped = createSqlStores(database);
    const caughtUp = stopped.catchUp();
    stopped.stop();
    await expect(caughtUp).rejects.toThrow('being closed');
    expect((await read('avax')).totalCount).toBe(448);
  });
});

describe.each(driverNames)('the index of rows with %s', (name) => {
  it('has what is written, judged and removed while it is being loaded', async () => {
    const database = openDatabase(loadDriver([name]), ':memory:', { access: 'read-write', busyTimeoutMs: 0 });
    database.pragma('foreign_keys = ON');
    migrate(database);
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
    again.watchlist.remove(bob, false);
    expect(await removing).toMatchObject({ totalCount: 11_998, hiddenCount: 2 });
  });
});
