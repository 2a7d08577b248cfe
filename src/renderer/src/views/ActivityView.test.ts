import { screen, waitFor, within } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { everything } from '../../../shared/activity/filter.ts';
import { err, ok } from '../../../shared/errors.ts';
import { insertAt } from '../testing/activity-lists.ts';
import { renderInApp, testNowMs } from '../testing/render.ts';
import { emptyWorld, fullWorld, sampleAddresses } from '../testing/sample-world.ts';
import { setElementSize } from '../testing/window-size.ts';
import ActivityView from './ActivityView.svelte';

const hiddenOf = (world: ReturnType<typeof fullWorld>) =>
  world.rows.filter(({ marks }) => marks.spam.hiddenReason !== null).length;

async function open() {
  const rendered = await renderInApp(ActivityView, {});
  const grid = await screen.findByRole('grid', { name: 'Transactions' });
  await expect.poll(() => grid.querySelectorAll('[data-place]').length).toBeGreaterThan(0);
  return { ...rendered, grid };
}

/** With the fourth transaction opened; `isOpened` asks for the place among those that are not hidden. */
async function openFourth() {
  const opened = await open();
  const { bridge, grid, navigation, user } = opened;
  const ids = bridge.world.rows.flatMap(({ id, marks }) => (marks.spam.hiddenReason === null ? [id] : []));
  const isOpened = (place: number) => expect(navigation.opened?.id).toBe(ids[place]);
  grid.focus();
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{Enter}');
  isOpened(3);
  return { ...opened, isOpened };
}

beforeEach(() => setElementSize(1_300, 831));
afterEach(() => setElementSize(0, 0));

describe('ActivityView', () => {
  it('counts what matches and what is hidden, and shows hidden rows at a key press', async () => {
    const { user, navigation } = await open();
    const hidden = hiddenOf(fullWorld(testNowMs));
    const count = () => screen.getByRole('group', { name: 'Matching transactions' }).textContent.trim();
    expect(count()).toBe(`${850 - hidden} transactions`);
    expect(screen.getByRole('button', { name: `${hidden} hidden: show` })).toBeTruthy();
    await user.keyboard('h');
    await expect.poll(count).toBe('850 transactions');
    expect(navigation.filter.showHidden).toBe(true);
    await user.click(screen.getByRole('button', { name: 'Hide these rows again' }));
    await expect.poll(count).toBe(`${850 - hidden} transactions`);
  });

  it('sorts by a head and by a key, says by what and how many rows are apart, and goes back to newest first', async () => {
    const { user, navigation, bridge } = await open();
    bridge.answer('activity.rows', () =>
      ok({
        ...{ rows: fullWorld(testNowMs).rows.slice(0, 9), offset: 0, totalCount: 9 },
        ...{ hiddenCount: 0, partialCount: 0, unrankedCount: 4 },
      }),
    );
    await user.click(screen.getByRole('button', { name: 'Fee' }));
    expect(await screen.findByText('4 transactions where you paid no fee, listed last')).toBeTruthy();
    expect(screen.getByRole('columnheader', { name: 'Fee' }).getAttribute('aria-sort')).toBe('descending');
    await user.keyboard('s');
    expect(await screen.findByText('Largest historical value first')).toBeTruthy();
    expect(screen.getByText('4 transactions without a value, listed last')).toBeTruthy();
    expect(bridge.argsOf('activity.rows').at(-1)).toMatchObject({
      filter: { order: { by: 'amount', ascending: false } },
    });
    navigation.filter = {
      ...navigation.filter,
      pills: [{ field: 'token', not: false, values: ['43114 native'] }],
    };
    expect(await screen.findByText(/^Largest .+ amount first$/)).toBeTruthy();
    await user.click(screen.getByText(/^Largest .+ amount first$/));
    expect(navigation.filter.order).toBeUndefined();
    expect(screen.getByRole('columnheader', { name: /^Time/ }).getAttribute('aria-sort')).toBe('descending');
  });

  it('has how times are shown in one menu, which does not go away while it is used', async () => {
    const { user, app, navigation } = await open();
    await user.click(screen.getByRole('button', { name: 'Display' }));
    await user.click(screen.getByRole('radio', { name: 'Age' }));
    await user.click(screen.getByRole('radio', { name: 'UTC' }));
    expect(navigation.timesAsAge).toBe(true);
    await expect.poll(() => app.settings.timeZone).toBe('utc');
  });

  it('says of the list that it is complete, and of how many rows the details are missing', async () => {
    const world = fullWorld(testNowMs);
    for (const entry of world.snapshot.watchlist) {
      entry.chains = entry.chains.slice(0, 1).map((chain) => ({
        ...chain,
        sync: {
          ...chain.sync,
          state: 'complete',
          reachedStart: true,
          covered: [{ fromBlock: '0', toBlock: '9' }],
        },
      }));
    }
    await renderInApp(ActivityView, {}, { world });
    expect(await screen.findByText(/^\d+ transactions? without full details$/)).toBeTruthy();
    expect(screen.getByRole('group', { name: 'Progress' }).textContent).toMatch(
      /^\s*list complete back to the first transaction/,
    );
  });

  it('reads the list once, and again when a name has changed that rows are searched by', async () => {
    const { app, bridge } = await open();
    const calls = () => bridge.argsOf('activity.rows').length;
    const before = calls();
    const reads = () => calls() - before;
    bridge.emit('watchlist.changed', structuredClone(app.watchlist));
    bridge.emit('book.changed', [...app.book, { address: '0x01', name: 'Shop', note: null, changedAtMs: 1 }]);
    await expect.poll(reads).toBe(1);
  });

  it('goes to the search by / and to a new filter by f', async () => {
    const { user } = await open();
    await user.keyboard('/');
    expect(document.activeElement).toBe(screen.getByRole('searchbox'));
    await user.keyboard('{Escape}f');
    expect(screen.getByRole('dialog', { name: 'Add filter' })).toBeTruthy();
  });

  it('does not take letters typed into a field for keys', async () => {
    const { user, navigation } = await open();
    await user.type(screen.getByRole('searchbox'), 'hf');
    expect(navigation.filter.showHidden).toBe(false);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('does nothing at /, f and h where the user wants no single-key shortcuts', async () => {
    const { app, navigation, user } = await open();
    await app.updateSettings({ letterKeys: false });
    await expect.poll(() => app.settings.letterKeys).toBe(false);
    await user.keyboard('/fh');
    expect(document.activeElement).not.toBe(screen.getByRole('searchbox'));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(navigation.filter).toEqual(everything);
  });

  it('tells the main process what is on the screen, and that nothing is when it is left', async () => {
    const { bridge, grid } = await open();
    await expect.poll(() => bridge.argsOf('activity.showing').length).toBeGreaterThan(0);
    const shown = bridge.argsOf('activity.showing').at(-1)?.rowIds ?? [];
    expect(shown.length).toBeGreaterThan(10);
    expect(grid).toBeTruthy();
  });

  it('makes what the filter shows available offline: asks before, with what it costs, and stops again', async () => {
    const { app, bridge, user } = await open();
    await user.click(await screen.findByRole('button', { name: 'Make available offline…' }));
    const dialog = within(
      screen.getByRole('dialog', { name: /^Make \d+ transactions available offline\?$/ }),
    );
    expect(dialog.getByText(/^\d+ calls \(one per transaction\), using about [\d,]+ units/)).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Make available' }));
    expect(bridge.argsOf('activity.completeAll')).toEqual([{ filter: everything, run: true }]);
    bridge.emit('completion.changed', { ...app.completion, waitingCount: 30, doneCount: 12, isAll: true });
    expect(await screen.findByText('Fetching details: 12 of 42')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Stop' }));
    expect(bridge.argsOf('activity.completeAll').at(-1)?.run).toBe(false);
  });

  it('does not say that it completes anything while there is no connection', async () => {
    const { app, bridge } = await open();
    bridge.emit('completion.changed', { ...app.completion, waitingCount: 13, doneCount: 0 });
    bridge.emit('connection.changed', { ...app.connection, state: 'offline' });
    expect(await screen.findByText('13 transactions waiting for a connection')).toBeTruthy();
    expect(screen.queryByText(/^Fetching details/)).toBeNull();
    const error = { code: 'unreachable', message: 'No route' } as const;
    bridge.emit('completion.changed', { ...app.completion, waitingCount: 1, error });
    bridge.emit('connection.changed', { ...app.connection, state: 'online' });
    expect(await screen.findByText('1 transaction waiting for a connection')).toBeTruthy();
    expect(screen.queryByText(/^Fetching details/)).toBeNull();
  });

  it('says that all is available offline, and without a connection when it will be', async () => {
    const { app, bridge, user } = await open();
    bridge.emit('connection.changed', { ...app.connection, state: 'offline' });
    await user.click(await screen.findByRole('button', { name: 'Make available offline…' }));
    expect(screen.getByText('You’re offline. Fetching starts when you’re back online.')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByText('All available offline')).toBeNull();
    bridge.answer('activity.rows', () =>
      ok({
        ...{ rows: fullWorld(testNowMs).rows.slice(0, 9), offset: 0, totalCount: 9 },
        ...{ hiddenCount: 0, partialCount: 0, unrankedCount: 0 },
      }),
    );
    await user.keyboard('h');
    expect(await screen.findByText('All available offline')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Make available offline…' })).toBeNull();
  });

  it('offers to complete all while the rows on the screen are being completed by themselves', async () => {
    const { app, bridge } = await open();
    bridge.emit('completion.changed', { ...app.completion, waitingCount: 3, doneCount: 1 });
    expect(await screen.findByText('Fetching details: 1 of 4')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Make available offline…' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull();
  });

  it('hides a row by its menu, from the keyboard alone', async () => {
    const { bridge, grid, messages, user } = await open();
    grid.focus();
    await user.keyboard('{ArrowDown}{ContextMenu}');
    const menu = await screen.findByRole('menu', { name: 'Actions for this transaction' });
    within(menu).getByRole('menuitem', { name: 'Hide this row' }).focus();
    await user.keyboard('{Enter}');
    expect(bridge.argsOf('activity.judge')[0]).toMatchObject({ target: { kind: 'row' }, decision: 'hide' });
    expect(screen.queryByRole('menu')).toBeNull();
    const hidden = hiddenOf(fullWorld(testNowMs)) + 1;
    expect(await screen.findByRole('button', { name: `${hidden} hidden: show` })).toBeTruthy();
    // By the key that undoes removals, too.
    expect(messages.undoable?.text).toBe('Row hidden.');
    await messages.undo(messages.undoable?.id ?? 0);
    expect(bridge.argsOf('activity.judge').at(-1)).toMatchObject({ decision: null });
    expect(await screen.findByRole('button', { name: `${hidden - 1} hidden: show` })).toBeTruthy();
  });

  it('undoes a decision by the one before it, of which the row may show nothing', async () => {
    const { bridge, grid, messages, user } = await open();
    bridge.answer('activity.judge', () => ok('show'));
    grid.focus();
    await user.keyboard('{ArrowDown}{ContextMenu}');
    await user.click(await screen.findByRole('menuitem', { name: 'Hide this row' }));
    await expect.poll(() => messages.undoable?.text).toBe('Row hidden.');
    await messages.undo(messages.undoable?.id ?? 0);
    const [hidden, undone] = bridge.argsOf('activity.judge');
    expect(undone).toEqual({ ...hidden, decision: 'show' });
  });

  it('copies and opens by the menu, which is gone by then', async () => {
    const { bridge, grid, user } = await open();
    grid.focus();
    await user.keyboard('{ContextMenu}');
    await user.click(await screen.findByRole('menuitem', { name: 'Copy hash' }));
    await waitFor(() => expect(bridge.argsOf('app.copyText')[0]?.text).toMatch(/^0x[0-9a-f]{64}$/));
    grid.focus();
    await user.keyboard('{ContextMenu}');
    await user.click(await screen.findByRole('menuitem', { name: 'Open' }));
    expect(await screen.findByRole('dialog', { name: 'Transaction' })).toBeTruthy();
  });

  it('goes from an opened transaction to its neighbours, one at a time', async () => {
    const { isOpened, user } = await openFourth();
    await user.click(await screen.findByRole('button', { name: 'Transaction below' }));
    isOpened(4);
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
    isOpened(5);
    await user.click(screen.getByRole('button', { name: 'Transaction above' }));
    isOpened(4);
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
    isOpened(3);
  });

  it('goes from the search to the rows by Enter, also where they come only then', async () => {
    const { user } = await open();
    const search = screen.getByRole('searchbox');
    await user.type(search, 'swapped nothing');
    await expect.poll(() => screen.queryByRole('grid')).toBeNull();
    await user.keyboard('{Escape}{Enter}');
    await expect.poll(() => document.activeElement?.getAttribute('role')).toBe('grid');
  });

  it('goes from a transaction that was hidden to the one below it, leaving none out', async () => {
    const { isOpened, user } = await openFourth();
    await user.click(await screen.findByRole('button', { name: 'Hide this row' }));
    await screen.findByRole('button', { name: /^Undo hiding this row/ });
    await user.click(screen.getByRole('button', { name: 'Transaction below' }));
    isOpened(4);
  });

  it('goes from a transaction that new ones have pushed far down to no stranger', async () => {
    const { bridge } = await openFourth();
    const [entry] = bridge.world.snapshot.watchlist;
    const [chain] = entry?.chains ?? [];
    if (entry === undefined || chain === undefined) throw new Error('nothing is watched');
    for (let times = 0; times < 5; times += 1) {
      insertAt(bridge.world, times, 60);
      const asked = bridge.argsOf('activity.rows').length;
      bridge.emit('activity.changed', {
        ...{ address: entry.address, chainId: chain.chainId },
        ...{ list: 'transactions', sync: chain.sync },
      });
      await expect.poll(() => bridge.argsOf('activity.rows').length).toBeGreaterThan(asked);
    }
    const below = screen.getByRole('button', { name: 'Transaction below' });
    await expect.poll(() => below.hasAttribute('disabled')).toBe(true);
  });

  it('filters by a value and names a counterparty from the menu', async () => {
    const { grid, navigation, user } = await open();
    grid.focus();
    await user.keyboard('{ContextMenu}');
    const menu = within(await screen.findByRole('menu'));
    await user.click(menu.getByRole('menuitem', { name: /^Filter: Counterparty is (?!not)/ }));
    expect(navigation.filter.pills).toMatchObject([{ field: 'counterparty', not: false }]);
    grid.focus();
    await user.keyboard('{Home}{ContextMenu}');
    await user.click(await screen.findByRole('menuitem', { name: 'Name counterparty…' }));
    expect(navigation.dialog).toMatchObject({ kind: 'edit-name' });
  });

  it('opens the chain’s block explorer only when asked to, and only by https', async () => {
    const { bridge, grid, user } = await open();
    grid.focus();
    await user.keyboard('{ContextMenu}');
    expect(bridge.argsOf('app.openExternal')).toEqual([]);
    await user.click(await screen.findByRole('menuitem', { name: 'Open in the chain’s explorer' }));
    expect(bridge.argsOf('app.openExternal')[0]?.url).toMatch(/^https:\/\/.*\/tx\/0x[0-9a-f]{64}$/);
  });

  it('keeps its filter in the navigation, and follows the choice of an address', async () => {
    const { navigation, user } = await open();
    await user.click(screen.getByRole('button', { name: /^Hot wallet/ }));
    expect(await screen.findByRole('button', { name: 'Address is Hot wallet' })).toBeTruthy();
    expect(navigation.filter.pills).toEqual([
      { field: 'address', not: false, values: [sampleAddresses.hot] },
    ]);
  });

  it('says that there is no address, and that reading failed, in different words', async () => {
    await renderInApp(ActivityView, {}, { world: emptyWorld(testNowMs) });
    expect(screen.getByRole('heading', { name: 'No addresses yet' })).toBeTruthy();
  });

  it('keeps a failure of the store apart from emptiness', async () => {
    await renderInApp(
      ActivityView,
      {},
      {
        prepare: (bridge) => bridge.answer('activity.rows', () => err({ code: 'storage', message: 'busy' })),
      },
    );
    await waitFor(() =>
      expect(screen.getByRole('alert').textContent).toContain('Couldn’t save or read data'),
    );
    expect(screen.queryByRole('heading', { name: 'No transactions' })).toBeNull();
  });

  it('calls a filter without rows as its pill does, by the name of its token', async () => {
    const token = '43114 erc20 0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e';
    const { navigation } = await renderInApp(
      ActivityView,
      {},
      {
        prepare: (bridge) =>
          bridge.answer('activity.values', () => ok([{ value: token, label: 'USDC', count: 3 }])),
      },
    );
    const pill = { field: 'amount' as const, not: false, min: '999999999999', max: null, token };
    navigation.filter = { ...everything, pills: [pill] };
    const words = 'Amount from 999999999999 USDC';
    expect(await screen.findByRole('button', { name: words })).toBeTruthy();
    expect(await screen.findByRole('button', { name: `Remove “${words}”` })).toBeTruthy();
  });

  it('says when every row that matches is hidden', async () => {
    const world = fullWorld(testNowMs);
    world.rows = world.rows.filter(({ marks }) => marks.spam.hiddenReason !== null);
    await renderInApp(ActivityView, {}, { world });
    expect(await screen.findByRole('heading', { name: 'All rows are hidden' })).toBeTruthy();
  });
});
