import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ListPage, StoredRecord } from '../../../core/activity-ports.ts';
import type { SqlDatabase, SqlWriter } from '../sqlite/sql.ts';
import type { StorePorts } from '../store-ports.ts';
import { backends } from '../testing/backends.ts';
import { openMemoryDatabase, storesOver } from '../testing/memory-stores.ts';
import { sampleAddress, samplePage, sampleRecord, sampleRow } from '../testing/sample-data.ts';

describe.each(backends)('a walk over elements of another list, over $name,', ({ open }) => {
  let stores: StorePorts;
  beforeEach(async () => {
    stores = open();
    await stores.watchlist.put(sampleAddress());
  });

  const save = (fields: Partial<ListPage>) => stores.activity.savePage(samplePage(fields));
  const sweep = [{ fromBlock: '5', toBlock: '8' }];

  it('removes those that are gone', async () => {
    const records = ['4', '5', '6'].map((block) =>
      sampleRecord({
        txHash: `0x${block}`,
        blockNumber: BigInt(block),
        timestampMs: Number(block),
      }),
    );
    await save({ list: 'internal', records });
    const again = sampleRecord({ txHash: '0x5', blockNumber: 5n, timestampMs: 5 });
    expect(await save({ list: 'internal', records: [again], walkAtMs: 2, sweep })).toMatchObject({
      rowCount: 2,
      newestTimestampMs: 5,
      oldestTimestampMs: 4,
    });
  });

  it('keeps those of a list that lags behind while their transactions stand', async () => {
    const blocks = ['4', '5', '6', '7'];
    await save({
      rows: blocks.map((block) => sampleRow({ txHash: `0x${block}`, blockNumber: BigInt(block) })),
    });
    const record = (block: string) => sampleRecord({ txHash: `0x${block}`, blockNumber: BigInt(block) });
    await save({ list: 'internal', records: blocks.map(record) });
    const whole = [{ fromBlock: '0', toBlock: '9' }];
    expect(await save({ list: 'internal', records: [record('5')], walkAtMs: 2, sweep: whole })).toMatchObject(
      {
        rowCount: 3,
      },
    );
    await save({ rows: [sampleRow({ txHash: '0x6', blockNumber: 6n })], walkAtMs: 3, sweep: whole });
    expect(await save({ list: 'internal', walkAtMs: 4, sweep: whole, doubts: 1 })).toMatchObject({
      rowCount: 1,
    });
  });

  it('removes those of a transaction that is in another block now', async () => {
    const at = (block: bigint) => ({ txHash: '0x6', blockNumber: block });
    await save({ rows: [sampleRow(at(7n))] });
    await save({ list: 'internal', records: [sampleRecord(at(6n))] });
    expect(await save({ list: 'internal', walkAtMs: 2, sweep })).toMatchObject({ rowCount: 0 });
  });
});

it('the times of a list are looked for among all its elements only where they may have changed', async () => {
  const database = openMemoryDatabase();
  const { activity, watchlist } = storesOver(database);
  watchlist.put(sampleAddress());
  const save = (walkAtMs: number, sweptFrom: number, ...records: StoredRecord[]) =>
    activity.savePage(
      samplePage({
        list: 'native',
        records,
        walkAtMs,
        sweep: [{ fromBlock: String(sweptFrom), toBlock: '999' }],
      }),
    );
  const at = (block: number, recordJson = '{}') => {
    const place = { txHash: `0x${block}`, blockNumber: BigInt(block), timestampMs: block };
    return sampleRecord({ ...place, recordJson });
  };
  save(1, 999, ...Array.from({ length: 200 }, (_nothing, block) => at(block)));
  // It is the writer of its transactions.
  const run = vi.spyOn(database as SqlDatabase & SqlWriter, 'run');
  const recounts = () => run.mock.calls.filter(([sql]) => sql.includes('max(timestamp_ms)')).length;
  // The newest one has another price.
  expect(save(2, 199, at(199, '{"price":1}'))).toMatchObject({ rowCount: 200, newestTimestampMs: 199 });
  expect(recounts()).toBe(0);
  expect(save(3, 100, at(199, '{"price":1}'))).toMatchObject({ rowCount: 101, oldestTimestampMs: 0 });
  expect(recounts()).toBe(0);
  expect(save(4, 100, at(150))).toMatchObject({ rowCount: 101, newestTimestampMs: 150 });
  expect(recounts()).toBe(1);
});
