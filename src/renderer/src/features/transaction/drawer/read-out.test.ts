import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { openDrawer, partialRow } from '../../../testing/transaction-drawer.ts';

it('a step to another transaction is read out, though the name of the button stays the same', async () => {
  const row = partialRow(2);
  const { rerender, onstep, onclose } = await openDrawer(row);
  const spoken = () => screen.getAllByRole('status').map(({ textContent }) => textContent);
  const older = { ...partialRow(3), id: 78, timestampMs: row.timestampMs - 60_000 };
  await rerender({ row: older, newer: row, older: null, onstep, onclose });
  const words = new RegExp(`^Received NFT, 2026-09-16 12:04:07, ${older.txHash.slice(0, 8)}…`);
  await expect.poll(spoken).toContainEqual(expect.stringMatching(words));
});
