import { beforeEach, describe, expect, it } from 'vitest';
import type { ListPage } from '../../../core/activity-ports.ts';
import type { StorePorts } from '../store-ports.ts';
import { backends } from '../testing/backends.ts';
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
