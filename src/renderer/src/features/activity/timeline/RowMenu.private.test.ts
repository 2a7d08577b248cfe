import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { everything } from '../../../../../shared/activity/filter.ts';
import { renderInApp } from '../../../testing/render.ts';
import { partialRow } from '../../../testing/transaction-drawer.ts';
import { sampleAddresses } from '../../../testing/sample-world.ts';
import CoverageDrawer from '../coverage/CoverageDrawer.svelte';
import RowMenu from './RowMenu.svelte';

const nothing = () => undefined;

it('the menu of a row hides labels while the eye is shut', async () => {
  const at = { x: 0, y: 0 };
  const row = partialRow(2);
  await renderInApp(RowMenu, {
    ...{ row, at, cell: 'address' as const, filter: everything },
    ...{ onclose: nothing },
  });
  const named = screen.getAllByText(/Treasury/);
  expect(named).toHaveLength(2);
  for (const text of named) expect(text.closest('.private')).not.toBeNull();
});

it('the menu of a row offers no filter beyond as many as there can be, and says so', async () => {
  const pills = Array.from({ length: 30 }, (_, place) => ({
    ...{ field: 'method' as const, not: false },
    values: [String(place)],
  }));
  await renderInApp(RowMenu, {
    ...{ row: partialRow(2), at: { x: 0, y: 0 }, cell: 'address' as const },
    ...{ filter: { ...everything, pills }, onclose: nothing },
  });
  const items = screen.getAllByRole('menuitem', { name: /^Filter: .* \(limit: 30 filters\)$/ });
  expect(items).toHaveLength(2);
  for (const item of items) expect(item).toHaveProperty('disabled', true);
});

it('the drawer of the coverage hides labels while the eye is shut', async () => {
  await renderInApp(CoverageDrawer, { address: sampleAddresses.treasury, onclose: nothing });
  for (const text of screen.getAllByText(/Treasury/)) expect(text.closest('.private')).not.toBeNull();
});
