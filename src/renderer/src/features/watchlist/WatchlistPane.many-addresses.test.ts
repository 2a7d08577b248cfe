import { screen, within } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { everything } from '../../../../shared/activity/filter.ts';
import { renderInApp, testNowMs } from '../../testing/render.ts';
import { fullWorld, watched } from '../../testing/sample-world.ts';
import CoverageDrawer from '../activity/coverage/CoverageDrawer.svelte';
import AddressTable from '../overview/AddressTable.svelte';
import WatchlistPane from './WatchlistPane.svelte';

const addressOf = (n: number) => `0x${String(n).padStart(40, '0')}`;

function worldOfMany() {
  const world = fullWorld(testNowMs);
  const many = Array.from({ length: 300 }, (_, n) => watched(addressOf(n), `Wallet ${n}`, testNowMs, {}));
  return { ...world, snapshot: { ...world.snapshot, watchlist: many } };
}

const more = { name: 'Show more addresses' };

it('of three hundred addresses a hundred are drawn in the list, with the chosen one, and more when asked', async () => {
  const { navigation, user } = await renderInApp(WatchlistPane, {}, { world: worldOfMany() });
  const drawn = () => screen.getAllByText(/^Wallet \d+$/).length;
  expect(drawn()).toBe(100);
  navigation.filter = {
    ...everything,
    pills: [{ field: 'address', not: false, values: [addressOf(249)] }],
  };
  await expect.poll(drawn).toBe(250);
  await user.click(screen.getByText(more.name));
  expect(drawn()).toBe(300);
  expect(screen.queryByText(more.name)).toBe(null);
});

it('of three hundred addresses the overview draws fifty, and more when asked', async () => {
  const { user } = await renderInApp(AddressTable, {}, { world: worldOfMany() });
  const table = within(screen.getByRole('table', { name: 'Addresses' }));
  expect(table.getAllByRole('rowheader')).toHaveLength(50);
  await user.click(screen.getByRole('button', more));
  expect(table.getAllByRole('rowheader')).toHaveLength(200);
});

it('of three hundred addresses the coverage of twenty is drawn, and of more when asked', async () => {
  const props = { address: null, onclose: () => undefined };
  const { user } = await renderInApp(CoverageDrawer, props, { world: worldOfMany() });
  const drawn = () => screen.getAllByText(/^Wallet \d+$/).length;
  expect(drawn()).toBe(20);
  await user.click(screen.getByRole('button', more));
  expect(drawn()).toBe(80);
});
