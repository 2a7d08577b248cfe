import { describe, expect, it } from 'vitest';
import { everything } from '../../../../shared/activity/filter.ts';
import { address, buildSyncHarness as build, chainId } from '../testing/sync-harness.ts';
import { rowOfDetail, rowOfElement, toActivityRow } from './stored-rows.ts';

describe('the row of a list element', () => {
  it('has a canonical hash, block and index, and the whole element', async () => {
    const { paging, stores, run } = build({
      mangle: (body) => ({
        transactions: body.transactions.map((row) =>
          withNative(row, {
            txHash: `0x${'AB'.repeat(32)}`,
            blockTimestamp: 1_700_000_000_123,
            blockIndex: null,
          }),
        ),
      }),
    });
    paging.transactions.push({ block: 5, index: 1 });
    await run();
    const [row] = stores.rowsOf(address, chainId);
    expect(row).toMatchObject({
      txHash: `0x${'ab'.repeat(32)}`,
      blockNumber: 5,
      timestampMs: 1_700_000_000_123,
      isComplete: false,
    });
    expect(JSON.parse(row?.transactionJson ?? '')).toMatchObject({ nativeTransaction: { value: '1' } });
  });

  it('with a part that could not be read is not called partial alone, and others of the page are', async () => {
    const { paging, stores, run } = build({
      mangle: (body) => ({
        transactions: body.transactions.map((row, place) => ({
          ...(row as object),
          erc20Transfers: place === 0 ? [{ value: '5' }] : [],
        })),
      }),
    });
    paging.transactions.push({ block: 6, index: 0 }, { block: 5, index: 0 });
    await run();
    const blocksOf = async (completeness: string) => {
      const pill = { field: 'completeness' as const, not: false, values: [completeness] };
      const query = { filter: { ...everything, pills: [pill] }, offset: 0, anchor: null, limit: 9 };
      return (await stores.activity.readRows(query)).rows.map(({ blockNumber }) => Number(blockNumber));
    };
    expect(await blocksOf('unread')).toEqual([6]);
    expect(await blocksOf('partial')).toEqual([6, 5]);
    const page = await stores.activity.readRows({ filter: everything, offset: 0, anchor: null, limit: 9 });
    expect(page.rows.map((row) => toActivityRow(row).unread.map(({ path, text }) => [path, text]))).toEqual([
      [['erc20Transfers[0]', '{"value":"5"}']],
      [],
    ]);
  });

  it('is the text that was received, or says that it was written anew, when nobody knows what was left out', () => {
    const transaction = {
      nativeTransaction: { txHash: '0x1', blockNumber: '5', blockTimestamp: 1, value: '1' },
    };
    const owner = { address, chainId, native: { symbol: null, decimals: null }, fetchedAtMs: 7 };
    const read = (text: string | null, mayBeOdd: boolean) => {
      const row = rowOfElement(transaction, { text, mayBeOdd, url: 'u' }, owner);
      return [row?.transactionJson, row?.isReceived, row?.facets.hasUnreadParts];
    };
    const text = JSON.stringify(transaction);
    expect(read(` ${text}`, false)).toEqual([` ${text}`, true, false]);
    expect(read(` ${text}`, true)).toEqual([` ${text}`, true, false]);
    expect(read(null, false)).toEqual([text, false, false]);
    expect(read(null, true)).toEqual([text, false, true]);
  });
});

it('the row of a detail is made without decoding its body once more, which may be large', () => {
  const detail = { nativeTransaction: { txHash: '0x1', blockNumber: '5', blockTimestamp: 1 } };
  const bodyText = 'was decoded in a thread';
  const owner = { address, chainId, native: { symbol: null, decimals: null } };
  for (const hasUnreadParts of [false, true]) {
    const row = rowOfDetail({ detail, bodyText, hasUnreadParts, fetchedAtMs: 7 }, owner);
    expect(row).toMatchObject({ transactionJson: bodyText, fetchedAtMs: 7, facets: { hasUnreadParts } });
  }
});

function withNative(row: unknown, fields: object): unknown {
  const { nativeTransaction } = row as { nativeTransaction: object };
  return { nativeTransaction: { ...nativeTransaction, ...fields } };
}
