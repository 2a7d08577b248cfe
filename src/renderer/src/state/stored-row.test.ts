import { beforeEach, expect, it } from 'vitest';
import { err, ok } from '../../../shared/errors.ts';
import { FakeBridge, installBridge } from '../testing/fake-bridge.ts';
import { fullWorld, type World } from '../testing/sample-world.ts';
import { storedRow } from './stored-row.ts';

let world: World;
let bridge: FakeBridge;
beforeEach(() => {
  world = fullWorld(1_790_000_000_000);
  bridge = new FakeBridge(world);
  installBridge(bridge);
});

const rowAt = (index: number) => {
  const row = world.rows[index];
  if (row === undefined) throw new Error('the sample world has too few rows');
  return row;
};

it('is found by chain and hash, in whatever case, and a hidden one too', async () => {
  const hidden = world.rows.find(({ marks }) => marks.spam.hiddenReason !== null);
  if (hidden === undefined) throw new Error('the sample world hides nothing');
  const txHash = hidden.txHash.toUpperCase().replace('0X', '0x');
  const found = await storedRow({ chainId: hidden.chainId, txHash, rowId: null });
  expect(found).toMatchObject({ ok: true, value: { id: hidden.id } });
});

it('is none on another chain, and a failure is none', async () => {
  const { txHash } = rowAt(0);
  expect(await storedRow({ chainId: '1', txHash, rowId: null })).toEqual(ok(null));
  bridge.answer('activity.rows', () => err({ code: 'storage', message: 'disk' }));
  expect(await storedRow({ chainId: '1', txHash, rowId: null })).toMatchObject({
    error: { code: 'storage' },
  });
});

it('is exactly the row that is named, and without a name only one of this transaction', async () => {
  const rows = [
    { ...rowAt(1), chainId: rowAt(0).chainId },
    rowAt(0),
    { ...rowAt(0), id: 99_000_001, address: rowAt(1).address },
  ];
  bridge.answer('activity.rows', () =>
    ok({ rows, offset: 0, totalCount: 3, hiddenCount: 0, partialCount: 0, unrankedCount: 0 }),
  );
  const { chainId, txHash, id } = rowAt(0);
  expect(await storedRow({ chainId, txHash, rowId: 99_000_001 })).toMatchObject({
    value: { id: 99_000_001 },
  });
  expect(await storedRow({ chainId, txHash, rowId: null })).toMatchObject({ value: { id } });
});
