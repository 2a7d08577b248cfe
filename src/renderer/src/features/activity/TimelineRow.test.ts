import { screen } from '@testing-library/svelte';
import { describe, expect, it, vi } from 'vitest';
import type { ActivityRow } from '../../../../shared/activity/types.ts';
import { renderInApp, testNowMs } from '../../testing/render.ts';
import { sampleAddresses } from '../../testing/sample-world.ts';
import type { RowLayout } from './row-layout.ts';
import TimelineRow from './TimelineRow.svelte';

const { treasury } = sampleAddresses;
const other = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

function rowWith(
  parts: Partial<Extract<ActivityRow, { completeness: 'partial' }>['transaction']>,
): ActivityRow {
  return {
    chainId: '43114',
    address: treasury,
    txHash: '0xabc',
    blockNumber: '12',
    timestampMs: testNowMs - 3_600_000,
    fetchedAtMs: testNowMs,
    completeness: 'partial',
    transaction: {
      nativeTransaction: {
        txHash: '0xabc',
        blockNumber: '12',
        blockTimestamp: 1,
        txStatus: '1',
        from: { address: treasury },
        to: { address: other },
        gasUsed: '21000',
        gasPrice: '25000000000',
        value: '0',
      },
      ...parts,
    },
  };
}

async function show(row: ActivityRow, layout: RowLayout = 'wide') {
  const onopen = vi.fn();
  const rendered = await renderInApp(TimelineRow, {
    id: 'r',
    row,
    rowIndex: 2,
    active: false,
    layout,
    onopen,
  });
  return { ...rendered, onopen, element: screen.getByRole('row') };
}

const usdc = { address: '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E', symbol: 'USDC', decimals: 6 };
const transfer = (
  value: string,
  erc20Token: { address: string; symbol?: string; decimals?: number } = usdc,
) => ({
  from: { address: treasury },
  to: { address: other },
  logIndex: 1,
  value,
  erc20Token,
});

describe('TimelineRow', () => {
  it('shows time, chain, label, kind, counterparty, exact amount, exact fee, status and completeness', async () => {
    const { element } = await show(rowWith({ erc20Transfers: [transfer('1250500001')] }));
    const cells = [...element.querySelectorAll('[role="gridcell"]')].map((cell) =>
      cell.textContent.replace(/\s+/g, ' ').trim(),
    );
    expect(cells).toEqual([
      '2026-09-16 13:05',
      'Avalanche C-Chain',
      'Treasury',
      'Sent',
      '0x5aAeb6…eAed',
      '−1,250.500001 USDC',
      '0.000525 AVAX',
      'Success',
      'Partial',
    ]);
  });

  it('never guesses decimals', async () => {
    const { element } = await show(
      rowWith({ erc20Transfers: [transfer('1250500001', { address: usdc.address, symbol: 'ODD' })] }),
    );
    expect(element.textContent).toContain('−1,250,500,001');
    expect(element.textContent).toContain('base units of ODD');
  });

  it('says how many amounts it has no room for', async () => {
    const many = [1, 2, 3].map((logIndex) => ({ ...transfer('1000000'), logIndex }));
    const { element } = await show(rowWith({ erc20Transfers: many }));
    expect(element.textContent).toContain('and 2 more');
  });

  it('shows a failure as one, with the fee that it cost', async () => {
    const row = rowWith({});
    row.transaction.nativeTransaction.txStatus = '0';
    const { element } = await show(row);
    expect(element.textContent).toContain('Failed');
    expect(element.textContent).toContain('nothing moved');
    expect(element.textContent).toContain('0.000525');
  });

  it('opens on a click', async () => {
    const { element, onopen, user } = await show(rowWith({}), 'narrow');
    await user.click(element);
    expect(onopen).toHaveBeenCalledOnce();
  });
});
