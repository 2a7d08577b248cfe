import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { openDrawer, partialRow } from '../../../testing/transaction-drawer.ts';
import { sampleAddresses } from '../../../testing/sample-world.ts';

const { joe } = sampleAddresses;

it('whom an address imitates is hidden while the eye is shut, in the words and in their tip', async () => {
  const row = partialRow(2);
  row.transaction.nativeTransaction.to = { address: `${joe.slice(0, 6)}${'0'.repeat(32)}${joe.slice(-4)}` };
  await openDrawer(row);
  const [alarm] = await screen.findAllByText(/^Looks like Joe/);
  expect(alarm?.closest('.private')).not.toBeNull();
  const tips = [...document.querySelectorAll<HTMLElement>('[data-tip*="Joe"]')];
  expect(tips.map((element) => element.closest('.private') !== null)).toEqual(tips.map(() => true));
});
