import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import CoverageDrawer from '../features/activity/coverage/CoverageDrawer.svelte';
import BookDialog from '../features/book/BookDialog.svelte';
import RemoveAddressDialog from '../features/watchlist/RemoveAddressDialog.svelte';
import { renderInApp, testNowMs } from '../testing/render.ts';
import { fullWorld, sampleAddresses } from '../testing/sample-world.ts';

const { treasury } = sampleAddresses;
const long = 'w'.repeat(300);

function world() {
  const full = fullWorld(testNowMs);
  const { watchlist, book } = full.snapshot;
  full.snapshot.watchlist = watchlist.map((entry) =>
    entry.address === treasury ? { ...entry, label: long } : entry,
  );
  full.snapshot.book = book.map((entry) => ({ ...entry, note: long }));
  return full;
}

/** A word that has no room goes on in the next line, so that nothing beside or below it leaves the dialog. */
const isBroken = () =>
  screen.getAllByText(new RegExp(long)).every((part) => part.closest('.break, .truncate'));

it('a long word in a question leaves its buttons in the dialog', async () => {
  await renderInApp(RemoveAddressDialog, { address: treasury }, { world: world() });
  expect(isBroken()).toBe(true);
});

it.each([treasury, null])(
  'a long word in the drawer of the coverage, of %s, leaves its buttons in it',
  async (address) => {
    await renderInApp(CoverageDrawer, { address, onclose: () => undefined }, { world: world() });
    expect(isBroken()).toBe(true);
  },
);

it('a long word in the title of a plan leaves the button that closes it free', async () => {
  const props = { address: treasury, onclose: () => undefined };
  const { user } = await renderInApp(CoverageDrawer, props, { world: world() });
  await user.click(screen.getByRole('button', { name: `Fill gaps, ${long}` }));
  const title = screen.getByRole('heading', { name: `Fill gaps: ${long}` });
  expect(title.classList.contains('break')).toBe(true);
});

it('a long word in the note of a name leaves its button free', async () => {
  await renderInApp(BookDialog, {}, { world: world() });
  expect(isBroken()).toBe(true);
});
