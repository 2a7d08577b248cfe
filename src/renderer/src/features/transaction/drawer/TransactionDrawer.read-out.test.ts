import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { ok } from '../../../../../shared/errors.ts';
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

it('what becomes of a transaction that is hidden in its drawer is read out', async () => {
  const row = partialRow(2);
  const hidden = {
    ...row,
    marks: { ...row.marks, spam: { ...row.marks.spam, hiddenReason: 'user', decision: 'hide' } },
  } as const;
  const { user } = await openDrawer(row, (bridge) =>
    bridge.answer('activity.rows', () =>
      ok({
        ...{ rows: [{ ...hidden, unread: [] }], offset: 0, totalCount: 1 },
        ...{ hiddenCount: 0, partialCount: 1, unrankedCount: 0 },
      }),
    ),
  );
  const spoken = () => screen.getAllByRole('status').map(({ textContent }) => textContent);
  expect(spoken()).toContain('No flags');
  await user.click(await screen.findByRole('button', { name: 'Hide this row' }));
  await expect.poll(spoken).toContain('Hidden by you');
});
