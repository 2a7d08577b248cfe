import { describe, expect, it } from 'vitest';
import type { StoredRow, SyncState } from '../../activity-ports.ts';
import { joinPages, pageWriter, type PagePart } from './page-writer.ts';
import { createTestStores, watchedAddress } from '../testing/test-stores.ts';

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
    isReceived: true,
    requestUrl: null,
    fetchedAtMs: 0,
    blockHash: null,
    facets: {
      kind: 'transfer',
      direction: 'in',
      status: 'success',
      counterparty: null,
      otherSides: [],
      counterpartyName: null,
      method: null,
      tokens: [],
      rules: [],
      valueThen: null,
      isOwnDoing: false,
      hasUnreadParts: false,
      awaitsPrice: false,
      valueCurrency: null,
      fee: null,
      messageId: null,
    },
  };
}

function state(fromBlock: number): SyncState {
  const covered = [{ fromBlock: String(fromBlock), toBlock: '100' }];
  return { covered, reachedStart: false, checkedAtMs: null };
}

function page(rows: StoredRow[], fromBlock: number): PagePart {
  return { rows, records: [], sync: state(fromBlock), doubts: 0, proof: null, walkAtMs: 1, sweep: [] };
}

/** A store whose writes end when the test says so. */
function build() {
  const stores = createTestStores();
  void stores.watchlist.put(watchedAddress(address));
  const writes: { blocks: number[]; from: string | undefined }[] = [];
  const ends: ((failure?: Error) => void)[] = [];
  const saved: [rowCount: number, pages: number][] = [];
  const writer = pageWriter(
    {
      savePage: async (saved) => {
        writes.push({
          blocks: saved.rows.map(({ blockNumber }) => Number(blockNumber)),
          from: saved.sync.covered[0]?.fromBlock,
        });
        await new Promise<void>((resolve, reject) => {
          ends.push((failure) => (failure === undefined ? resolve() : reject(failure)));
        });
        return await stores.activity.savePage(saved);
      },
    },
    { address, chainId: '1', list: 'transactions' },
    (sync, pages) => saved.push([sync.rowCount, pages]),
  );
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

describe('pageWriter', () => {
  it('writes the first page at once, and those that arrive meanwhile together, with the state of the last', async () => {
    const { writer, writes, saved, endWrite } = build();
    await writer.add(page([row(90)], 90));
    await writer.add(page([row(80)], 80));
    await writer.add(page([row(70), row(69)], 69));
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
    await writer.add(page([], 5));
    await endWrite();
    await writer.flush();
    expect(writes).toEqual([{ blocks: [], from: '5' }]);
  });

  it('makes the walk wait when the store is eight pages behind', async () => {
    const { writer, writes, endWrite } = build();
    await writer.add(page([row(99)], 99));
    for (let block = 98; block > 91; block -= 1) await writer.add(page([row(block)], block));
    const eighth = writer.add(page([row(91)], 91));
    expect(await isSettled(eighth)).toBe(false);
    await endWrite();
    await endWrite();
    await eighth;
    expect(writes).toHaveLength(2);
  });

  it('passes on what the store failed with, and writes nothing any more', async () => {
    const { writer, writes, endWrite } = build();
    await writer.add(page([row(90)], 90));
    await writer.add(page([row(80)], 80));
    await endWrite(new Error('the disk is full'));
    await expect(writer.flush()).rejects.toThrow('the disk is full');
    await expect(writer.add(page([row(70)], 70))).rejects.toThrow('the disk is full');
    expect(writes).toHaveLength(1);
  });
});

describe('joining pages', () => {
  it('keeps what both prove, and where both look for what is gone', () => {
    const proof = (runId: string, provenAtMs: number, fromBlock: string, toBlock: string) => ({
      runId,
      provenAtMs,
      blocks: [{ fromBlock, toBlock }],
    });
    const first = {
      ...page([row(90)], 90),
      proof: proof('run', 1, '90', '100'),
      sweep: [{ fromBlock: '90', toBlock: '100' }],
    };
    const second = {
      ...page([row(80)], 80),
      proof: proof('run', 2, '80', '90'),
      sweep: [{ fromBlock: '70', toBlock: '80' }],
    };
    expect(joinPages(first, second)).toMatchObject({
      rows: [{ blockNumber: 90n }, { blockNumber: 80n }],
      sync: { covered: [{ fromBlock: '80', toBlock: '100' }] },
      proof: { runId: 'run', provenAtMs: 2, blocks: [{ fromBlock: '80', toBlock: '100' }] },
      walkAtMs: 1,
      sweep: [
        { fromBlock: '70', toBlock: '80' },
        { fromBlock: '90', toBlock: '100' },
      ],
    });
    expect(joinPages(first, page([], 90))).toMatchObject({ proof: first.proof, sweep: first.sweep });
    expect(joinPages(page([], 90), second)).toMatchObject({ proof: second.proof, sweep: second.sweep });
  });
});
