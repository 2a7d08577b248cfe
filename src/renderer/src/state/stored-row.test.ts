import { beforeEach, describe, expect, it } from 'vitest';
import { err, ok } from '../../../shared/errors.ts';
import { FakeBridge, installBridge } from '../testing/fake-bridge.ts';
import { fullWorld, type World } from '../testing/sample-world.ts';
import { StoredRow } from './stored-row.svelte.ts';

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

describe('StoredRow', () => {
  it('finds a row by chain and hash, in whatever case, and hidden ones too', async () => {
    const hidden = world.rows.find(({ marks }) => marks.spam.hiddenReason !== null);
    if (hidden === undefined) throw new Error('the sample world hides nothing');
    const stored = new StoredRow();
    await stored.load(hidden.chainId, hidden.txHash.toUpperCase().replace('0X', '0x'), null);
    expect(stored.row?.id).toBe(hidden.id);
  });

  it('finds none on another chain, and knows that there is none', async () => {
    const stored = new StoredRow();
    await stored.load('1', rowAt(0).txHash, null);
    expect([stored.row, stored.loaded, stored.error]).toEqual([null, true, null]);
  });

  it('reads once more for a swarm of changes, not once for each', async () => {
    const { chainId, txHash, id } = rowAt(0);
    const stored = new StoredRow();
    await Promise.all(Array.from({ length: 20 }, () => stored.load(chainId, txHash, id)));
    expect(stored.row?.id).toBe(id);
    expect(bridge.argsOf('activity.rows')).toHaveLength(2);
  });

  it('does not show what it was asked for before', async () => {
    const stored = new StoredRow();
    const first = stored.load(rowAt(0).chainId, rowAt(0).txHash, null);
    const second = stored.load(rowAt(1).chainId, rowAt(1).txHash, null);
    await Promise.all([first, second]);
    expect(stored.row?.id).toBe(rowAt(1).id);
  });

  it('forgets an answer that is under way', async () => {
    const stored = new StoredRow();
    const reading = stored.load(rowAt(0).chainId, rowAt(0).txHash, null);
    stored.clear();
    await reading;
    expect([stored.row, stored.loaded]).toEqual([null, false]);
  });

  it('keeps the row when it cannot be read again, and says why', async () => {
    const { chainId, txHash, id } = rowAt(0);
    const stored = new StoredRow();
    await stored.load(chainId, txHash, id);
    bridge.answer('activity.rows', () => err({ code: 'storage', message: 'disk' }));
    await stored.load(chainId, txHash, id);
    expect([stored.row?.id, stored.error?.code]).toEqual([id, 'storage']);
  });

  it('knows nothing and asks nothing before it is asked', () => {
    const stored = new StoredRow();
    expect(stored).toMatchObject({ row: null, error: null, loaded: false });
    expect(bridge.calls).toEqual([]);
  });

  it('reads once for one question, and nothing for one that was taken back while another was read', async () => {
    const { chainId, txHash } = rowAt(0);
    const stored = new StoredRow();
    await stored.load(chainId, txHash, null);
    expect(bridge.argsOf('activity.rows')).toHaveLength(1);
    const reading = [stored.load(chainId, txHash, null), stored.load(chainId, txHash, null)];
    stored.clear();
    await Promise.all(reading);
    expect(bridge.argsOf('activity.rows')).toHaveLength(2);
  });

  it('takes exactly the row that is named, and without a name only one of this transaction', async () => {
    const rows = [
      { ...rowAt(1), chainId: rowAt(0).chainId },
      rowAt(0),
      { ...rowAt(0), id: 99_000_001, address: rowAt(1).address },
    ];
    bridge.answer('activity.rows', () =>
      ok({ rows, offset: 0, totalCount: 3, hiddenCount: 0, partialCount: 0, unrankedCount: 0 }),
    );
    const { chainId, txHash, id } = rowAt(0);
    const stored = new StoredRow();
    await stored.load(chainId, txHash, 99_000_001);
    expect(stored.row?.id).toBe(99_000_001);
    await stored.load(chainId, txHash, null);
    expect(stored.row?.id).toBe(id);
  });
});
