import { describe, expect, it } from 'vitest';
import { ActivityRowsService } from './activity-rows.ts';
import { silentLog } from './testing/house.ts';
import { hashOf } from './testing/paging-service.ts';
import { buildWatchHouse } from './testing/watch-house.ts';

const address = '0x52908400098527886E0F7030069857D2E4169EE7';
const chainId = '43114';
const all = { address: null, chainId: null, cursor: null, limit: 100 };

async function build(count: number) {
  const house = buildWatchHouse();
  for (let i = 0; i < count; i += 1) house.paging.transactions.push({ block: 1_000 + i, index: 0 });
  house.sync.start(address, chainId, 'user');
  await house.rest();
  const rows = new ActivityRowsService({ store: house.stores.activity, sync: house.sync, log: silentLog });
  return { ...house, rows };
}

describe('reading rows', () => {
  it('gives them newest first, page by page', async () => {
    const { rows } = await build(5);
    const first = await rows.read({ ...all, address: address.toLowerCase(), chainId, limit: 3 });
    if (!first.ok) throw new Error(first.error.message);
    expect(first.value.totalCount).toBe(5);
    expect(first.value.rows[0]).toMatchObject({
      chainId,
      address,
      txHash: hashOf({ block: 1_004, index: 0 }),
      blockNumber: '1004',
      timestampMs: 1_600_001_004_000,
      completeness: 'partial',
      transaction: { nativeTransaction: { blockNumber: '1004', value: '1' } },
    });
    const second = await rows.read({ ...all, cursor: first.value.nextCursor, limit: 3 });
    if (!second.ok) throw new Error(second.error.message);
    expect([...first.value.rows, ...second.value.rows].map(({ blockNumber }) => blockNumber)).toEqual([
      '1004',
      '1003',
      '1002',
      '1001',
      '1000',
    ]);
    expect(second.value.nextCursor).toBeNull();
  });

  it('leaves out a row that an older version stored otherwise', async () => {
    const { stores, rows } = await build(2);
    const [row] = stores.rowsOf(address, chainId);
    if (row === undefined) throw new Error('there are two');
    row.transactionJson = '{"native":"transaction"}';
    expect(await rows.read(all)).toMatchObject({ value: { rows: [{ blockNumber: '1000' }], totalCount: 2 } });
    row.transactionJson = 'no json';
    expect(await rows.read(all)).toMatchObject({ value: { rows: [{ blockNumber: '1000' }] } });
  });

  it('tells when the store fails', async () => {
    const { stores, rows } = await build(1);
    stores.activity.readRows = () => Promise.reject(new Error('broken'));
    expect(await rows.read(all)).toMatchObject({ ok: false, error: { code: 'internal', ref: 'ref' } });
  });
});

describe('completing rows', () => {
  const txHash = hashOf({ block: 1_001, index: 0 });
  const detail = {
    nativeTransaction: {
      txHash,
      blockNumber: '1001',
      blockTimestamp: 1_600_001_001,
      value: '123456789012345678901',
    },
    erc20Transfers: [],
  };
  const arrived = {
    endpointId: 'transaction',
    params: { chainId, txHash },
    data: detail,
    fetchedAtMs: 1_700_000_000_500,
  };

  it('a fetched transaction completes the rows that have it, and that is told', async () => {
    const { changes, rows } = await build(3);
    changes.length = 0;
    expect(await rows.takeAnswer(arrived)).toEqual({ ok: true, value: null });
    expect(changes).toMatchObject([{ address, chainId, sync: { state: 'complete', rowCount: 3 } }]);
    expect(await rows.read(all)).toMatchObject({
      value: {
        rows: [
          { completeness: 'partial' },
          {
            completeness: 'complete',
            transaction: detail,
            fetchedAtMs: 1_700_000_000_500,
            blockNumber: '1001',
          },
          { completeness: 'partial' },
        ],
      },
    });
  });

  it('a later list does not undo it', async () => {
    const { sync, rest, rows } = await build(3);
    await rows.takeAnswer({ ...arrived, params: { chainId, txHash: hashOf({ block: 1_002, index: 0 }) } });
    sync.start(address, chainId, 'user');
    await rest();
    expect(await rows.read(all)).toMatchObject({ value: { rows: [{ completeness: 'complete' }, {}, {}] } });
  });

  it('other answers, other chains and unknown transactions change nothing', async () => {
    const { changes, rows } = await build(3);
    changes.length = 0;
    await rows.takeAnswer({ ...arrived, endpointId: 'chain-transactions' });
    await rows.takeAnswer({ ...arrived, params: { chainId: '1', txHash } });
    await rows.takeAnswer({ ...arrived, params: { chainId, txHash: `0x${'f'.repeat(64)}` } });
    expect(changes).toEqual([]);
  });

  it('tells when the store fails', async () => {
    const { stores, rows } = await build(3);
    stores.failWrites(true);
    expect(await rows.takeAnswer(arrived)).toMatchObject({ ok: false, error: { code: 'storage' } });
  });
});
