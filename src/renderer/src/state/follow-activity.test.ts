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
    const from = known;
    // Until some frames have been drawn in which nothing was asked: the list asks for what each of them shows.
    for (let quiet = 0; quiet < 5; quiet += 1) {
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      const asked = bridge.argsOf('activity.rows').length;
      if (asked > known) quiet = 0;
      known = asked;
    }
    return bridge
      .argsOf('activity.rows')
      .slice(from)
      .map(({ filter }) => filter);
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
])('reads again when %s of a watched address has changed', async (_, change) => {
  const { app, bridge, read } = await open();
  bridge.emit(
    'watchlist.changed',
    app.watchlist.map((entry) => ({ ...entry, ...change })),
  );
  expect(await read()).not.toEqual([]);
});

it('reads again when a name in the address book has changed', async () => {
  const { app, bridge, read } = await open();
  bridge.emit('book.changed', [...app.book, { address: '0x01', name: 'Shop', note: null, changedAtMs: 1 }]);
  expect(await read()).not.toEqual([]);
});
