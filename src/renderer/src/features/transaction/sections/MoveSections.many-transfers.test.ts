import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { openDrawer, partialRow } from '../../../testing/transaction-drawer.ts';

it('a transaction with hundreds of transfers and calls shows the first ones, and more when asked', async () => {
  const row = partialRow(2);
  const [transfer] = row.transaction.erc20Transfers ?? [];
  const [call] = [{ from: transfer?.from, to: transfer?.to, value: '1', internalTxType: 'CALL' }];
  row.transaction.internalTransactions = Array.from({ length: 200 }, () => call);
  row.transaction.erc20Transfers = Array.from({ length: 300 }, (_, logIndex) => {
    if (transfer === undefined) throw new Error('the sample has transfers');
    return { ...transfer, logIndex };
  });
  const { user } = await openDrawer(row);
  for (const [name, more, all, shown] of [
    ['Transfers', 'Show more transfers', '100 of 500', 400],
    ['Internal transactions', 'Show more internal transactions', '100 of 200', 200],
  ] as const) {
    const list = await screen.findByRole('list', { name });
    expect(list.children).toHaveLength(100);
    expect(screen.getByText(all)).toBeTruthy();
    await user.click(screen.getByText(more));
    expect(list.children).toHaveLength(shown);
  }
});
