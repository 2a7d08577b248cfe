import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../sqlite/database.ts';
import type { DriverName } from '../sqlite/driver.ts';
import { loadDriver } from '../sqlite/load-driver.ts';
import { allMigrations, applicationId, latestVersion, migrate, storeVersion } from './migrate.ts';
import type { SqlDatabase } from '../sqlite/sql.ts';
import { everything } from '../../../../shared/activity/filter.ts';
import { rowOfElement } from '../../../core/activity/rows/stored-rows.ts';
import { readElement } from '../../../../shared/activity/stored.ts';
import { alice, sampleAddress, samplePage, sampleRow } from '../testing/sample-data.ts';
import { storesOver } from '../testing/memory-stores.ts';

const driverNames: DriverName[] = ['node:sqlite', 'libsql'];

const first = 'CREATE TABLE one (a TEXT) STRICT; CREATE TABLE two (a TEXT) STRICT';
const second = `INSERT INTO one VALUES ('moved'); DROP TABLE two`;
const broken = 'CREATE TABLE three (a TEXT) STRICT; INSERT INTO nowhere VALUES (1)';

/** Everything that a store's layout consists of. */
const layoutOf = (database: SqlDatabase) =>
  database.all('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name');

// A step that stores were made by is never changed: a change is a step of its own.
it('the first layout is the one of this application id', () => {
  const layout = createHash('sha256')
    .update(allMigrations[0] ?? '')
    .digest('hex');
  expect({ applicationId, layout }).toEqual({
    applicationId: 0x574b5054,
    layout: '4a77f3cd5b29aeec70c80e7b34360bdfa8c841d976c50f494afc9e1d6e53de85',
  });
});

describe.each(driverNames)('migrations with %s', (name) => {
  const open = () => openDatabase(loadDriver([name]), ':memory:', { access: 'read-write', busyTimeoutMs: 0 });

  it('mark an empty file as a store of this app, of the latest version', () => {
    const database = open();
    expect(storeVersion(database)).toBe(0);
    migrate(database);
    expect(storeVersion(database)).toBe(latestVersion);
    expect(database.pragma('application_id')).toEqual([{ application_id: BigInt(applicationId) }]);
  });

  it('lead to the same layout from each older version, and do nothing twice', () => {
    const fresh = open();
    migrate(fresh);
    for (let version = 0; version <= latestVersion; version += 1) {
      const database = open();
      migrate(database, allMigrations.slice(0, version));
      migrate(database);
      migrate(database);
      expect(layoutOf(database)).toEqual(layoutOf(fresh));
    }
  });

  it('make strict tables with units in the names of times', () => {
    const database = open();
    migrate(database);
    const tables = layoutOf(database).filter((row) => row['type'] === 'table' && row['sql'] !== null);
    for (const table of tables) expect(table['sql']).toMatch(/\) STRICT(, WITHOUT ROWID)?$/);
    const columns = database
      .all('SELECT DISTINCT c.name FROM sqlite_schema AS s JOIN pragma_table_info(s.name) AS c')
      .map((row) => String(row['name']));
    expect(
      columns.filter((column) => /_at|interval|duration|timestamp/.test(column) && !/_(ms|ns)$/.test(column)),
    ).toEqual([]);
  });

  it('give runs of the first layout the times of all their pages and the URL that was asked', () => {
    const database = open();
    migrate(database, allMigrations.slice(0, 1));
    const walk = { baseUrl: 'http://a/b', nextToken: 't' };
    const old = { id: 'r', state: 'failed', origin: 'http://a', fetchedAtMs: 900, pageCount: 2, walk };
    const put = (id: number, run: object) =>
      database.transaction((writer) =>
        writer.run('INSERT INTO run VALUES (?, ?, 1, ?, ?)', [id, `r${id}`, 'text', JSON.stringify(run)]),
      );
    put(1, old);
    put(2, { ...old, fetchedAtMs: null, pageCount: 0 });
    for (const [index, fetchedAtMs] of [300, 900].entries())
      database.transaction((writer) =>
        writer.run('INSERT INTO run_page VALUES (1, ?, ?, ?)', [
          index,
          JSON.stringify({ fetchedAtMs }),
          '{}',
        ]),
      );
    migrate(database);
    const runs = database.all('SELECT run_json FROM run ORDER BY id');
    expect(database.all('SELECT DISTINCT search_text FROM run')).toEqual([
      { search_text: '\ntext\nfailed\nhttp://a/b\n' },
    ]);
    const expected = {
      id: 'r',
      state: 'failed',
      fetched: { fromMs: 300, toMs: 900 },
      baseUrl: 'http://a/b',
      headerNames: null,
      pageCount: 2,
      walk: { nextToken: 't' },
    };
    expect(runs.map((row) => JSON.parse(String(row['run_json'])) as unknown)).toEqual([
      expected,
      { ...expected, fetched: null, pageCount: 0 },
    ]);
  });

  it('delete pages of lists of the first layout to which nothing leads any more', () => {
    const database = open();
    migrate(database, allMigrations.slice(0, 1));
    const put = (key: string, params: object, body: string) =>
      database.transaction((writer) =>
        writer.run('INSERT INTO answer VALUES (?, ?, ?, ?, 1)', [key, 'e', JSON.stringify(params), body]),
      );
    const page = (next?: string) => JSON.stringify({ items: [], nextPageToken: next });
    put('first', {}, page('b1'));
    put('second', { pageToken: 'b1' }, page('b2'));
    put('third', { pageToken: 'b2' }, page());
    put('old second', { pageToken: 'a1' }, page('a2'));
    put('old third', { pageToken: 'a2' }, page());
    put('no list', { txHash: 'x' }, '{}');
    migrate(database);
    expect(database.all('SELECT key FROM answer ORDER BY key').map((row) => row['key'])).toEqual([
      'first',
      'no list',
      'second',
      'third',
    ]);
  });

  it('leave unknown when a row of version 0.2.0 was first seen, also when it is found again', async () => {
    const database = open();
    migrate(database);
    const { watchlist, activity } = storesOver(database);
    watchlist.put(sampleAddress());
    activity.savePage(samplePage({ rows: [sampleRow({ txHash: '0x01' })] }));
    // Back to the layout of 0.2.0, with the row in it.
    database.transaction((writer) => {
      writer.exec(`ALTER TABLE activity_row DROP COLUMN first_seen_ms; ALTER TABLE activity_list DROP COLUMN owed;
        ALTER TABLE activity_list DROP COLUMN doubt_count; ALTER TABLE activity_row DROP COLUMN other_sides_json; DROP TABLE alert; DROP TABLE alert_message;
        ALTER TABLE activity_row DROP COLUMN fee; PRAGMA user_version = 2`);
    });
    migrate(database);
    const again = storesOver(database).activity;
    again.savePage(
      samplePage({ rows: ['0x01', '0x02'].map((txHash) => sampleRow({ txHash, fetchedAtMs: 9_000 })) }),
    );
    const { rows } = await again.readRows({ filter: everything, offset: 0, anchor: null, limit: 9 });
    expect(rows.map(({ txHash, firstSeenMs }) => [txHash, firstSeenMs])).toEqual([
      ['0x02', 9_000],
      ['0x01', null],
    ]);
  });

  it('tell of the rows of an older layout who took part in them, and whom that hides', async () => {
    const database = open();
    migrate(database);
    const { watchlist, activity, book } = storesOver(database);
    watchlist.put(sampleAddress());
    const friend = '0xABCD000000000000000000000000000000001234';
    const alike = '0xabcd00000000000000000000000000000fff1234';
    const token = { address: '0xC0ffee' };
    const [shop, coin] = ['0xShop', '43114 erc20 0xc0ffee'];
    book.put({ address: friend, name: 'Friend', note: null, changedAtMs: 1 });
    const erc20 = (from: string, to = alice.toLowerCase(), value = '1') => ({
      ...{ from: { address: from }, to: { address: to }, value, logIndex: 1, erc20Token: token },
    });
    const call = (more: object) => ({
      from: { address: alike },
      to: { address: alice },
      value: '7',
      ...more,
    });
    const moves = [
      { erc20Transfers: [erc20(alike)] },
      { erc20Transfers: [erc20(shop), erc20(alike), erc20(shop)] },
      { erc20Transfers: [erc20(alice, alike, '0'), erc20(alike)], erc721Transfers: [{ erc721Token: token }] },
      { erc20Transfers: [erc20(shop)], erc721Transfers: [{ ...erc20(alike), erc721Token: token }] },
      { erc20Transfers: [erc20(shop)], erc1155Transfers: [{ ...erc20(alike), erc1155Token: token }] },
      { erc20Transfers: [erc20(alike, alike), erc20(friend), erc20(alice), erc20(shop)] },
      { erc20Transfers: [erc20(alice, alike), erc20(shop)] },
      { internalTransactions: [call({ isReverted: false }), call({ from: { address: shop } })] },
      { internalTransactions: [call({ isReverted: true }), call({ internalTxType: 'delegatecall' })] },
      { internalTransactions: [call({ value: '00' }), call({ value: 'odd' }), call({ value: undefined })] },
      { internalTransactions: [call({ value: '0', isReverted: false })], erc20Transfers: 'odd' },
      { nativeTransaction: { txStatus: '0' }, erc20Transfers: [erc20(shop), erc20(alike)] },
      { nativeTransaction: { value: '5' }, erc20Transfers: [erc20(alike), erc20(shop)] },
    ];
    const rows = moves.flatMap(({ nativeTransaction, ...more }, place) => {
      const native = {
        ...{ txHash: `0x${place + 1}`, blockNumber: '1', blockTimestamp: 1, txStatus: '1', value: '0' },
        ...{ gasUsed: '1', gasPrice: '1', from: { address: '0xSender' }, to: { address: alice } },
      };
      const json = JSON.stringify({ nativeTransaction: { ...native, ...nativeTransaction }, ...more });
      const read = readElement(json);
      const owner = {
        address: alice,
        chainId: '43114',
        native: { symbol: null, decimals: null },
        fetchedAtMs: 1,
      };
      const row = read && rowOfElement(read.data, { text: json, mayBeOdd: false, url: 'u' }, owner);
      return row === null ? [] : [row];
    });
    expect(rows).toHaveLength(moves.length);
    activity.savePage(samplePage({ rows }));
    const kept = () =>
      database.all(`SELECT tx_hash, reasons, (SELECT json_group_array(address) FROM
          (SELECT content_json ->> '$[0]' AS address FROM json_each(other_sides_json) AS side
            JOIN activity_facet ON activity_facet.id = side.value ORDER BY address)) AS sides FROM activity_row ORDER BY id`);
    const backAndOn = () => {
      database.transaction((writer) => {
        writer.exec(`UPDATE activity_row SET reasons = iif(counterparty_ref IN
            (SELECT id FROM activity_facet WHERE content_json LIKE '["0xabcd00000000000000000000000000000fff1234"%'), reasons, reasons & ~2)
            WHERE reasons <> 32;
          ALTER TABLE activity_row DROP COLUMN other_sides_json; DROP TABLE alert; DROP TABLE alert_message;
          ALTER TABLE activity_row DROP COLUMN fee; PRAGMA user_version = 4`);
      });
      migrate(database);
    };
    const byApp = kept();
    backAndOn();
    expect(kept()).toEqual(byApp);
    // What the user has decided is not decided anew.
    for (const decision of ['show', 'hide'] as const) {
      activity.judgeToken(coin, decision);
      const decided = kept();
      backAndOn();
      expect(kept()).toEqual(decided);
    }
  });

  it('tell of the rows of an older layout what was paid for them', async () => {
    const database = open();
    migrate(database);
    const { watchlist, activity } = storesOver(database);
    watchlist.put(sampleAddress());
    const me = { address: alice.toLowerCase() };
    const paid: [object, string | null][] = [
      [{ gasUsed: '21000', gasPrice: '25000000000', from: me }, '525000000000000'],
      [{ gasUsed: '999999999', gasPrice: '999999999999999999', from: me }, '999999998999999999000000001'],
      [{ gasUsed: '8000001', gasPrice: '1250000007', from: me }, '10000001306000007'],
      [{ gasUsed: '21000', gasPrice: '1', from: me }, '21000'],
      [{ gasUsed: '0', gasPrice: '1', from: me }, '0'],
      [{ gasUsed: '021000', gasPrice: '2000000000', from: me }, '42000000000000'],
      [{ gasUsed: '21000', gasPrice: '25000000000', from: { address: '0xSender' } }, null],
      [{ gasUsed: '21000', gasPrice: '25000000000' }, null],
      [{ gasUsed: '21000', from: me }, null],
      [{ gasUsed: 'odd', gasPrice: '5', from: me }, null],
    ];
    const rows = paid.flatMap(([more], place) => {
      const native = {
        txHash: `0x${place + 1}`,
        blockNumber: '1',
        blockTimestamp: 1,
        to: { address: '0xShop' },
      };
      const json = JSON.stringify({ nativeTransaction: { ...native, txStatus: '0', value: '0', ...more } });
      const read = readElement(json);
      const owner = {
        address: alice,
        chainId: '43114',
        native: { symbol: null, decimals: null },
        fetchedAtMs: 1,
      };
      const row = read && rowOfElement(read.data, { text: json, mayBeOdd: false, url: 'u' }, owner);
      return row === null ? [] : [row];
    });
    expect(rows).toHaveLength(paid.length);
    activity.savePage(samplePage({ rows }));
    const kept = () => database.all('SELECT fee FROM activity_row ORDER BY id').map((row) => row['fee']);
    expect(kept()).toEqual(paid.map(([, fee]) => fee));
    database.transaction((writer) => {
      writer.exec(`ALTER TABLE activity_row DROP COLUMN fee; DROP TABLE alert; DROP TABLE alert_message;
        PRAGMA user_version = 5`);
    });
    migrate(database);
    expect(kept()).toEqual(paid.map(([, fee]) => fee));
    const filter = { ...everything, order: { by: 'fee' as const, ascending: false } };
    const ordered = await storesOver(database).activity.readRows({
      filter,
      offset: 0,
      anchor: null,
      limit: 3,
    });
    expect(ordered.rows.map(({ txHash }) => txHash)).toEqual(['0x2', '0x3', '0x1']);
    expect(ordered).toMatchObject({ totalCount: 10, unrankedCount: 4 });
  });

  it('go on from the step before', () => {
    const database = open();
    migrate(database, [first]);
    migrate(database, [first, second]);
    expect(storeVersion(database)).toBe(2);
    expect(database.all('SELECT a FROM one')).toEqual([{ a: 'moved' }]);
  });

  it('leave the store at the step before the one that fails', () => {
    const database = open();
    expect(() => migrate(database, [first, second, broken])).toThrow(/nowhere/);
    expect(storeVersion(database)).toBe(2);
    expect(layoutOf(database).map((row) => row['name'])).toEqual(['one']);
  });

  it('refuse a store of a later version', () => {
    const database = open();
    migrate(database, [first, second]);
    expect(() => migrate(database, [first])).toThrow(expect.objectContaining({ kind: 'newer' }));
    expect(storeVersion(database)).toBe(2);
  });
});
