import { describe, expect, it } from 'vitest';
import type { StoredRow, SyncState } from '../ports.ts';
import { PageWriter } from './page-writer.ts';
import { createMemoryStores } from './testing/memory-stores.ts';

const address = '0x52908400098527886E0F7030069857D2E4169EE7';

function row(block: number): StoredRow {
  return {
    chainId: '1',
    address,
    txHash: `0x${block}`,
    blockNumber: BigInt(block),
    blockIndex: 0,
    timestampMs: block,
    completeness: 'partial',
    transactionJson: '{}',
    fetchedAtMs: 0,
  };
}

function state(fromBlock: number): SyncState {
  const covered = [{ fromBlock: String(fromBlock), toBlock: '100' }];
  return { covered, reachedStart: false, resume: null, checkedAtMs: null };
}

/** A store whose writes end when the test says so. */
function build() {
  const stores = createMemoryStores();
  const writes: { blocks: number[]; from: string | undefined }[] = [];
  const ends: ((failure?: Error) => void)[] = [];
  const saved: [rowCount: number, pages: number][] = [];
  const writer = new PageWriter({
    store: {
      ...stores.activity,
      savePage: async (...page) => {
        const [, , rows, { covered }] = page;
        writes.push({
          blocks: rows.map(({ blockNumber }) => Number(blockNumber)),
          from: covered[0]?.fromBlock,
        });
        await new Promise<void>((resolve, reject) => {
          ends.push((failure) => (failure === undefined ? resolve() : reject(failure)));
        });
        return await stores.activity.savePage(...page);
      },
    },
    address,
    chainId: '1',
    onSaved: (sync, pages) => saved.push([sync.rowCount, pages]),
  });
  const endWrite = async (failure?: Error) => {
    ends.shift()?.(failure);
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  return { writer, writes, saved, endWrite };
}

async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  promise.then(
    () => (settled = true),
    () => (settled = true),
  );
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  return settled;
}

describe('PageWriter', () => {
  it('writes the first page at once, and those that arrive meanwhile together, with the state of the last', async () => {
    const { writer, writes, saved, endWrite } = build();
    await writer.add([row(90)], state(90));
    await writer.add([row(80)], state(80));
    await writer.add([row(70), row(69)], state(69));
    expect(writes).toEqual([{ blocks: [90], from: '90' }]);
    const flushed = writer.flush();
    await endWrite();
    expect(writes[1]).toEqual({ blocks: [80, 70, 69], from: '69' });
    expect(await isSettled(flushed)).toBe(false);
    await endWrite();
    await flushed;
    expect(saved).toEqual([
      [1, 1],
      [4, 2],
    ]);
  });

  it('writes a page without rows too: its state is news', async () => {
    const { writer, writes, endWrite } = build();
    await writer.add([], state(5));
    await endWrite();
    await writer.flush();
    expect(writes).toEqual([{ blocks: [], from: '5' }]);
  });

  it('makes the walk wait when the store is eight pages behind', async () => {
    const { writer, writes, endWrite } = build();
    await writer.add([row(99)], state(99));
    for (let block = 98; block > 91; block -= 1) await writer.add([row(block)], state(block));
    const eighth = writer.add([row(91)], state(91));
    expect(await isSettled(eighth)).toBe(false);
    await endWrite();
    await endWrite();
    await eighth;
    expect(writes).toHaveLength(2);
  });

  it('passes on what the store failed with, and writes nothing any more', async () => {
    const { writer, writes, endWrite } = build();
    await writer.add([row(90)], state(90));
    await writer.add([row(80)], state(80));
    await endWrite(new Error('the disk is full'));
    await expect(writer.flush()).rejects.toThrow('the disk is full');
    await expect(writer.add([row(70)], state(70))).rejects.toThrow('the disk is full');
    expect(writes).toHaveLength(1);
  });
});
