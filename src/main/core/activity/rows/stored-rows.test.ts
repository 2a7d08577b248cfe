import { describe, expect, it } from 'vitest';
import { address, buildSyncHarness as build, chainId } from '../testing/sync-harness.ts';

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
});

function withNative(row: unknown, fields: object): unknown {
  const { nativeTransaction } = row as { nativeTransaction: object };
  return { nativeTransaction: { ...nativeTransaction, ...fields } };
}
