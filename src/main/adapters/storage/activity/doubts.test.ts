import { beforeEach, describe, expect, it } from 'vitest';
import { otherLists, type BlockInterval } from '../../../../shared/activity/types.ts';
import type { ListPage, SyncState } from '../../../core/activity-ports.ts';
import type { SqlReader } from '../sqlite/sql.ts';
import { createMemoryStores, openMemoryDatabase, storesOver } from '../testing/memory-stores.ts';
import {
  alice,
  bob,
  sampleAddress,
  sampleFacets,
  samplePage,
  sampleRecord,
  sampleRow,
  sampleSync,
} from '../testing/sample-data.ts';
import { lowestWithoutRecord } from './doubts.ts';

const list = { address: alice, chainId: '43114', list: 'transactions' } as const;
const erc20 = { ...list, list: 'erc20' } as const;
const blocks = (...ranges: [number, number][]): BlockInterval[] =>
  ranges.map(([from, to]) => ({ fromBlock: String(from), toBlock: String(to) }));

/** Proven from the first block to 99. */
const whole = sampleSync({ covered: blocks([0, 100]), reachedStart: true, checkedAtMs: 5 });

let stores: ReturnType<typeof createMemoryStores>;
const save = (fields: Partial<ListPage>) => stores.activity.savePage(samplePage(fields));

beforeEach(async () => {
  stores = createMemoryStores();
  for (const address of [alice, bob]) await stores.watchlist.put(sampleAddress({ address }));
});

describe('proof that is taken back', () => {
  it.each<[string, BlockInterval[], Partial<SyncState>]>([
    [
      'in the middle leaves a hole',
      blocks([40, 50]),
      { covered: blocks([0, 40], [50, 100]), reachedStart: true, checkedAtMs: 5 },
    ],
    ['at the start', blocks([0, 50]), { covered: blocks([50, 100]), reachedStart: false, checkedAtMs: 5 }],
    [
      'at the newest end has that checked again',
      blocks([90, 200]),
      { covered: blocks([0, 90]), reachedStart: true, checkedAtMs: null },
    ],
    ['of all', blocks([0, 1_000]), { covered: [], reachedStart: false, checkedAtMs: null }],
    [
      'in several ranges',
      blocks([10, 20], [15, 30], [60, 61]),
      { covered: blocks([0, 10], [30, 60], [61, 100]), reachedStart: true },
    ],
  ])('%s', async (_name, doubted, left) => {
    await save({ sync: whole });
    expect(await stores.activity.withdraw(list, doubted, false)).toMatchObject({
      ...left,
      doubts: 1,
    });
  });

  it('of an empty history leaves it to be looked at again', async () => {
    await save({ sync: sampleSync({ reachedStart: true, checkedAtMs: 5 }) });
    expect(await stores.activity.withdraw(list, blocks([0, 1]), false)).toMatchObject({
      covered: [],
      reachedStart: false,
    });
    expect(await stores.activity.withdraw({ ...list, chainId: '2' }, blocks([0, 1]), false)).toBeNull();
  });

  it('around a block goes to the nearest stored elements, with their blocks', async () => {
    const rows = [20, 40, 60].map((block) => sampleRow({ txHash: `0x${block}`, blockNumber: BigInt(block) }));
    await save({ rows, sync: whole });
    const around = async (...doubted: [number, number][]) => {
      await stores.activity.withdraw(list, blocks(...doubted), true);
      const left = await stores.activity.readSync(list);
      await save({ sync: whole, doubts: left?.doubts ?? 0 });
      return left?.covered;
    };
    expect(await around([50, 51])).toEqual(blocks([0, 40], [61, 100]));
    expect(await around([40, 41])).toEqual(blocks([0, 20], [61, 100]));
    expect(await around([70, 71])).toEqual(blocks([0, 60]));
    expect(await around([5, 6], [10, 11])).toEqual(blocks([21, 100]));
    // What the chain took back is no element.
    await save({ sync: whole, doubts: 4, walkAtMs: 2, sweep: blocks([40, 41]) });
    expect(await around([50, 51])).toEqual(blocks([0, 20], [61, 100]));
  });

  it('does not come back with a page that was begun before', async () => {
    await save({ sync: whole });
    await stores.activity.withdraw(list, blocks([40, 50]), false);
    const late = await save({ rows: [sampleRow()], sync: whole, doubts: 0 });
    expect(late).toMatchObject({ isOutdated: true, rowCount: 0, covered: blocks([0, 40], [50, 100]) });
    expect(await save({ rows: [sampleRow()], sync: whole, doubts: 1 })).toMatchObject({
      isOutdated: false,
      rowCount: 1,
      covered: blocks([0, 100]),
    });
  });
});

describe('where rows show that the chain has changed, the other lists lose their proof', () => {
  const row = sampleRow({ blockNumber: 50n, blockHash: 'h1' });
  const later = { ...row, fetchedAtMs: 9_000 };
  const gone: Partial<ListPage> = { walkAtMs: 2, sweep: blocks([0, 60]) };

  beforeEach(async () => {
    await save({ rows: [row], sync: whole });
    await save({ list: 'erc20', sync: whole });
    await save({ ...erc20, address: bob, sync: whole });
  });

  it('those of a detail as well, with the 1,000 blocks below, but for one of blocks that are walked in any case', async () => {
    const proven = (...ranges: [number, number][]) => sampleSync({ covered: blocks(...ranges) });
    const at = (block: number, hash: string) =>
      sampleRow({ txHash: `0x${block}`, blockNumber: BigInt(block), blockHash: hash });
    const put = (block: number, hash: string) =>
      stores.activity.putRows([
        { row: { ...at(block, hash), completeness: 'complete' }, integrityNote: null, replaced: null },
      ]);
    await save({ rows: [at(5_000, 'h1'), at(4_500, 'h1')], sync: proven([0, 9_000]) });
    await save({ list: 'erc20', sync: proven([0, 9_000]) });
    expect(await put(5_000, 'h2')).toEqual([{ address: alice, chainId: '43114' }]);
    for (const ref of [list, erc20])
      expect(await stores.activity.readSync(ref)).toMatchObject({ covered: blocks([0, 4_000]), doubts: 1 });
    // Details of a deep reorganisation come one by one: each would make the lists begin again.
    expect(await put(4_500, 'h2')).toEqual([]);
    // What is walked above it is not doubted by each detail below.
    await save({ sync: proven([0, 5_000], [6_000, 9_000]), doubts: 1 });
    expect(await put(5_000, 'h3')).toEqual([]);
  });

  it('and what a walk of theirs under way has seen is not stored', async () => {
    const native = { ...list, list: 'native' } as const;
    await save({ ...native, sync: sampleSync() });
    expect(await save({ rows: [{ ...later, blockHash: 'h2' }], sync: whole })).toMatchObject({
      areOthersDoubted: true,
    });
    expect(await save({ ...native, sync: whole })).toMatchObject({ isOutdated: true, covered: [] });
  });

  it.each<[string, Partial<ListPage>, number | null]>([
    ['the same again', { rows: [later] }, null],
    ['an unknown hash', { rows: [{ ...later, blockHash: null }] }, null],
    ['another hash', { rows: [{ ...later, blockHash: 'h2' }] }, 50],
    ['another block, higher', { rows: [{ ...later, blockNumber: 70n }] }, 50],
    ['another block, lower', { rows: [{ ...later, blockNumber: 30n }] }, 30],
    ['a row that is gone', gone, 50],
    [
      'a row of a block that was proven without it',
      { rows: [sampleRow({ txHash: '0x9', blockNumber: 7n })] },
      7,
    ],
    ['a row of the newest block', { rows: [sampleRow({ txHash: '0x9', blockNumber: 99n })] }, null],
    ['a newer row', { rows: [sampleRow({ txHash: '0x9', blockNumber: 120n })] }, null],
  ])('%s', async (_name, page, from) => {
    expect(await save({ sync: whole, ...page })).toMatchObject({
      areOthersDoubted: from !== null,
      covered: whole.covered,
      doubts: 0,
    });
    const others = from === null ? { ...whole, doubts: 0 } : { covered: blocks([0, from]), doubts: 1 };
    expect(await stores.activity.readSync(erc20)).toMatchObject(others);
    expect(await stores.activity.readSync({ ...erc20, address: bob })).toMatchObject(whole);
  });

  it('that of blocks which they had proven first, and of whose transactions the list shows nothing: once', async () => {
    const wider = (to: number) => sampleSync({ covered: blocks([0, to]), reachedStart: true });
    const records = [55, 110, 130].map((block) =>
      sampleRecord({ txHash: `0x${block}`, blockNumber: BigInt(block) }),
    );
    await save({ list: 'erc20', records, sync: wider(140) });
    // The one at 55 is an old difference between the lists: it shows nothing new, and an audit finds it.
    const shown = sampleRow({ txHash: '0x110', blockNumber: 110n });
    expect(await save({ rows: [shown], sync: wider(120) })).toMatchObject({ areOthersDoubted: false });
    expect(await save({ sync: wider(150) })).toMatchObject({ areOthersDoubted: true });
    expect(await stores.activity.readSync(erc20)).toMatchObject({ covered: blocks([0, 130]) });
    expect(await stores.activity.readSync({ ...erc20, address: bob })).toMatchObject(whole);
    expect(await save({ sync: wider(160) })).toMatchObject({ areOthersDoubted: false });
  });

  it('that of blocks which the list proves now, and in which it shows what they had proven without it', async () => {
    const wider = (to: number) => sampleSync({ covered: blocks([0, to]), reachedStart: true });
    const token = (id: string) => ({ token: id, symbol: null, name: null, decimals: 6, amount: '1' });
    const row = (block: number, id: string) =>
      sampleRow({
        txHash: `0x${block}`,
        blockNumber: BigInt(block),
        facets: sampleFacets({ tokens: [token(id)] }),
      });
    const records = [sampleRecord({ txHash: '0x140', blockNumber: 140n })];
    await save({ list: 'erc20', records, sync: wider(141) });
    const shown = [row(110, '43114 native'), row(130, '43114 erc20 0xaa'), row(140, '43114 erc20 0xaa')];
    expect(await save({ rows: shown, sync: wider(150) })).toMatchObject({ areOthersDoubted: true });
    expect(await stores.activity.readSync(erc20)).toMatchObject({ covered: blocks([0, 130]) });
    expect(await stores.activity.readSync({ ...erc20, address: bob })).toMatchObject(whole);
  });

  it('that of blocks which the list proves now, and in which they have what it shows in another block', async () => {
    const wider = (to: number) => sampleSync({ covered: blocks([0, to]), reachedStart: true });
    const records = [sampleRecord({ txHash: '0x1', blockNumber: 110n })];
    await save({ list: 'erc20', records, sync: wider(141) });
    const moved = sampleRow({ txHash: '0x1', blockNumber: 112n });
    expect(await save({ rows: [moved], sync: wider(150) })).toMatchObject({ areOthersDoubted: true });
    expect(await stores.activity.readSync(erc20)).toMatchObject({ covered: blocks([0, 110]) });
  });

  it('once: what is gone already is no news, that it is back is', async () => {
    await save({ sync: whole, ...gone });
    await save({ list: 'erc20', sync: whole, doubts: 1 });
    expect(await save({ sync: whole, ...gone })).toMatchObject({ areOthersDoubted: false });
    expect(await save({ sync: whole, rows: [later] })).toMatchObject({ areOthersDoubted: true });
  });
});

it('new rows above all that another list has proven cost no look at that list’s elements', async () => {
  const database = openMemoryDatabase();
  const { activity, watchlist } = storesOver(database);
  watchlist.put(sampleAddress());
  for (const other of otherLists) activity.savePage(samplePage({ list: other, sync: whole }));
  const asked: string[] = [];
  const reader: SqlReader = {
    get: (sql, params) => (asked.push(sql), database.get(sql, params)),
    all: (sql, params) => (asked.push(sql), database.all(sql, params)),
    iterate: (sql, params) => (asked.push(sql), database.iterate(sql, params)),
  };
  const refs = { listRef: 1, addressRef: 1, chainRef: 1 };
  const looksAt = (block: bigint) => {
    asked.length = 0;
    expect(lowestWithoutRecord(reader, refs, list, [sampleRow({ blockNumber: block })])).toBeNull();
    return asked.filter((sql) => /activity_(record|facet)/.test(sql)).length;
  };
  expect(looksAt(99n)).toBeGreaterThan(0);
  expect(looksAt(100n)).toBe(0);
});

it('what a walk no longer finds is gone, whenever it was seen by the clock of that time; what it finds is not', async () => {
  const walk = { walkAtMs: 120, sweep: blocks([5, 8]) };
  const at = (...numbers: number[]) =>
    numbers.map((block) => sampleRow({ txHash: `0x${block}`, blockNumber: BigInt(block) }));
  await save({ rows: at(5, 6), walkAtMs: 50_000 });
  await save({ rows: at(6), ...walk });
  const marks = [];
  for (const hash of ['0x5', '0x6']) {
    const [row] = await stores.activity.rowsOfTransaction('43114', hash);
    marks.push(row?.marks.reorg);
  }
  expect(marks).toEqual(['gone', null]);
  const records = (...numbers: number[]) =>
    numbers.map((block) => ({
      txHash: `0x${block}`,
      blockNumber: BigInt(block),
      timestampMs: null,
      recordJson: '{}',
      number: 0,
    }));
  await save({ list: 'erc20', records: records(5, 6), walkAtMs: 50_000 });
  expect(await save({ list: 'erc20', records: records(6), ...walk })).toMatchObject({ rowCount: 1 });
});
