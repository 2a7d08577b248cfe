import { screen } from '@testing-library/svelte';
import { vi, type Mock } from 'vitest';
import type { ActivityRow, ReadableRow } from '../../../shared/activity/types.ts';
import type { NativeTransaction } from '../../../shared/endpoints/records.ts';
import { ok } from '../../../shared/errors.ts';
import TransactionDrawer from '../features/transaction/drawer/TransactionDrawer.svelte';
import type { FakeBridge } from './fake-bridge.ts';
import { Random } from './random.ts';
import { renderInApp, testNowMs, type Rendered } from './render.ts';
import { plainMarks, sampleDetail } from './sample-transactions.ts';
import { fullWorld, sampleAddresses } from './sample-world.ts';

const chain = { chainId: '43114', name: 'Avalanche C-Chain', symbol: 'AVAX' };

/** A row of this shape (2: an exchange, 3: NFTs), partial as in the list. */
export function partialRow(shape: number): ReadableRow {
  const detail = sampleDetail(
    new Random(shape),
    chain,
    sampleAddresses.treasury,
    testNowMs - 7_200_000,
    shape,
  );
  detail.nativeTransaction.txStatus = '1';
  const { nativeTransaction, erc20Transfers, erc721Transfers, erc1155Transfers } = detail;
  return {
    id: 77,
    marks: plainMarks,
    unread: [],
    chainId: '43114',
    address: sampleAddresses.treasury,
    txHash: nativeTransaction.txHash,
    blockNumber: nativeTransaction.blockNumber,
    timestampMs: testNowMs - 7_200_000,
    fetchedAtMs: testNowMs - 3_600_000,
    firstSeenMs: testNowMs - 3_600_000,
    completeness: 'partial',
    transaction: { nativeTransaction, erc20Transfers, erc721Transfers, erc1155Transfers },
  };
}

/** The drawer of a row, opened. */
export async function openDrawer(
  row: ActivityRow,
  prepare: (bridge: FakeBridge) => void = () => undefined,
  world = fullWorld(testNowMs),
): Promise<Rendered<Record<string, unknown>> & { onclose: Mock; onstep: Mock }> {
  const onclose = vi.fn();
  const onstep = vi.fn();
  const rendered = await renderInApp(
    TransactionDrawer,
    { row, newer: null, older: row, onstep, onclose },
    { world, prepare },
  );
  return { ...rendered, onclose, onstep };
}

/** The complete transaction of the shape. */
export const detailOf = (shape: number) => {
  const detail = sampleDetail(
    new Random(shape),
    chain,
    sampleAddresses.treasury,
    testNowMs - 7_200_000,
    shape,
  );
  detail.nativeTransaction.txStatus = '1';
  return detail;
};

/** Answers with the complete transaction of the shape. */
export const answered =
  (shape: number, rawText = JSON.stringify(detailOf(shape))) =>
  (bridge: FakeBridge) =>
    bridge.answer('endpoint.query', () =>
      ok({
        data: detailOf(shape),
        fetchedAtMs: testNowMs - 2_000,
        source: 'network',
        stale: false,
        notes: ['blockIndex was text and was read as a number'],
        rawText,
      }),
    );

/** Answers with a transaction that has these fields. */
export const answeredWith =
  (parts: Partial<NativeTransaction>, detail = detailOf(1)) =>
  (bridge: FakeBridge) =>
    bridge.answer('endpoint.query', () => {
      const data = { ...detail, nativeTransaction: { ...detail.nativeTransaction, ...parts } };
      return ok({ data, fetchedAtMs: testNowMs, source: 'network', stale: false, notes: [] });
    });

/** A section of the drawer by its heading. */
export const section = (name: string | RegExp) => screen.findByRole('region', { name });
