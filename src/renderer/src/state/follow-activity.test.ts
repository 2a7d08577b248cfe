import { cleanup, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { renderInApp } from '../testing/render.ts';
import { sampleAddresses } from '../testing/sample-world.ts';
import { setElementSize } from '../testing/window-size.ts';
import ActivityView from '../views/ActivityView.svelte';
import { filterFor } from './filter-choice.ts';

const { treasury } = sampleAddresses;

beforeEach(() => setElementSize(1_300, 831));
afterEach(() => {
  cleanup();
  setElementSize(0, 0);
});

/** The timeline on the screen; `read` has the filters of what was read since the last call of it. */
async function open() {
  const rendered = await renderInApp(ActivityView, {});
  const { bridge } = rendered;
  const grid = await screen.findByRole('grid', { name: 'Transactions' });
  await expect.poll(() => grid.querySelectorAll('[data-place]').length).toBeGreaterThan(0);
  let known = 0;
  const read = async () => {
    // What was begun has been asked, and its rows are there.
    await new Promise((resolve) => setTimeout(resolve));
    const filters = bridge.argsOf('activity.rows').map(({ filter }) => filter);
    return filters.slice(known, (known = filters.length));
  };
  await read();
  return { ...rendered, read };
}

it('reads the rows of the filter that was chosen, once', async () => {
  const { navigation, read } = await open();
  const filter = filterFor({ address: treasury, chainId: null });
  navigation.filter = filter;
  const filters = await read();
  expect(filters[0]).toEqual(filter);
  navigation.filter = { ...filter };
  expect(await read()).toEqual([]);
});

it('reads again when rows were stored, and not once the view of them is gone', async () => {
  const { app, bridge, read } = await open();
  const [entry] = app.watchlist;
  const [chain] = entry?.chains ?? [];
  if (entry === undefined || chain === undefined) throw new Error('the sample world watches nothing');
  const tell = () =>
    bridge.emit('activity.changed', {
      address: entry.address,
      chainId: chain.chainId,
      list: 'transactions',
      sync: chain.sync,
    });
  tell();
  expect(await read()).not.toEqual([]);
  cleanup();
  tell();
  expect(await read()).toEqual([]);
});

it.each([
  ['a name', { label: 'Another name' }],
  ['a tag', { tags: ['another tag'] }],
])(
  'reads again when %s of a watched address has changed, and not for anything else of it',
  async (_, change) => {
    const { app, bridge, read } = await open();
    bridge.emit('watchlist.changed', structuredClone(app.watchlist));
    bridge.emit(
      'watchlist.changed',
      app.watchlist.map((entry) => ({ ...entry, paused: true })),
    );
    expect(await read()).toEqual([]);
    bridge.emit(
      'watchlist.changed',
      app.watchlist.map((entry) => ({ ...entry, ...change })),
    );
    expect(await read()).not.toEqual([]);
  },
);

it('reads again when a name in the address book has changed, and not for its note', async () => {
  const { app, bridge, read } = await open();
  const shop = { address: '0x01', name: 'Shop', note: null, changedAtMs: 1 };
  bridge.emit('book.changed', [...app.book, shop]);
  expect(await read()).not.toEqual([]);
  bridge.emit(
    'book.changed',
    app.book.map((entry) => ({ ...entry, note: 'a note' })),
  );
  expect(await read()).toEqual([]);
});
