import { cleanup, screen, within } from '@testing-library/svelte';
import { describe, expect, it, vi } from 'vitest';
import { everything } from '../../../../../shared/activity/filter.ts';
import { err, ok } from '../../../../../shared/errors.ts';
import type { FakeBridge } from '../../../testing/fake-bridge.ts';
import { renderInApp, testNowMs } from '../../../testing/render.ts';
import { timePresets } from './time-presets.ts';
import FilterBar from './FilterBar.svelte';

async function open() {
  const onleave = vi.fn();
  return { ...(await renderInApp(FilterBar, { onleave })), onleave };
}

const add = () => screen.getByRole('button', { name: 'Add filter' });
const search = () => screen.getByRole('searchbox');
const usdc = '43114 erc20 0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e';

/** Spam is the first of all tokens; those with a text in their name are found when the returned function is called. */
function holdTokens(bridge: FakeBridge): () => void {
  const held: (() => void)[] = [];
  const spam = { value: '43114 erc20 0x1', label: 'SPAM', count: 9 };
  bridge.answer('activity.values', async ({ text }) => {
    if (text === '') return ok([spam]);
    await new Promise<void>((done) => held.push(done));
    return ok([{ value: usdc, label: 'USDC', count: 3 }]);
  });
  return () => held.splice(0).forEach((done) => done());
}

describe('FilterBar', () => {
  it('adds a pill by keyboard alone: the column, then values with their counts', async () => {
    const { navigation, user } = await open();
    add().focus();
    await user.keyboard('{Enter}');
    await user.keyboard('stat{Enter}');
    const options = await screen.findAllByRole('option', { name: /Failed/ });
    expect(options[0]?.textContent).toMatch(/Failed\s*\d+/);
    await user.keyboard('{ArrowDown}{Enter}');
    expect(navigation.filter.pills).toEqual([{ field: 'status', not: false, values: ['failed'] }]);
    await user.keyboard('{ArrowUp}{Enter}');
    expect(navigation.filter.pills).toEqual([{ field: 'status', not: false, values: ['failed', 'success'] }]);
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.getByRole('button', { name: 'Status is Failed or Success' })).toBeTruthy();
  });

  it('says how many pills are the most, and adds none beyond them', async () => {
    const { navigation } = await open();
    const pills = Array.from({ length: 30 }, (_, at) => ({
      ...{ field: 'method' as const, not: false },
      values: [`m${at}`],
    }));
    navigation.filter = { ...everything, pills };
    expect(await screen.findByText('Limit: 30 filters')).toBeTruthy();
    expect(add()).toHaveProperty('disabled', true);
    navigation.filter = { ...everything, pills: pills.slice(1) };
    await vi.waitFor(() => expect(add()).toHaveProperty('disabled', false));
  });

  it('turns a pill round, and takes it away with its last value', async () => {
    const { navigation, user } = await open();
    navigation.filter = { ...everything, pills: [{ field: 'kind', not: false, values: ['exchange'] }] };
    await user.click(await screen.findByRole('button', { name: 'Kind is Swap' }));
    await user.click(screen.getByRole('radio', { name: 'is not' }));
    expect(navigation.filter.pills).toEqual([{ field: 'kind', not: true, values: ['exchange'] }]);
    await user.click(await screen.findByRole('option', { name: /Swap/ }));
    expect(navigation.filter.pills).toEqual([]);
  });

  it('keeps a pill turned round when values join it', async () => {
    const { navigation, user } = await open();
    navigation.filter = { ...everything, pills: [{ field: 'kind', not: true, values: ['exchange'] }] };
    await user.click(await screen.findByRole('button', { name: 'Kind is not Swap' }));
    await user.click(await screen.findByRole('option', { name: /^Token transfer/ }));
    expect(navigation.filter.pills).toEqual([
      { field: 'kind', not: true, values: ['exchange', 'token-transfer'] },
    ]);
  });

  it('closes the editor of a pill at a second press of the pill, of a new one, too', async () => {
    const { navigation, user } = await open();
    navigation.filter = { ...everything, pills: [{ field: 'kind', not: false, values: ['exchange'] }] };
    const pill = await screen.findByRole('button', { name: 'Kind is Swap' });
    for (const count of [1, 0, 1, 0]) {
      await user.click(pill);
      expect(screen.queryAllByRole('dialog')).toHaveLength(count);
    }
    navigation.filter = everything;
    await user.click(add());
    await user.keyboard('stat{Enter}');
    await user.click((await screen.findAllByRole('option', { name: /Failed/ }))[0] ?? add());
    await user.click(await screen.findByRole('button', { name: 'Status is Failed' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('suggests values that rows have, by the names that the user gave', async () => {
    const { navigation, user } = await open();
    await user.click(add());
    await user.keyboard('address{Enter}');
    const option = await screen.findByRole('option', { name: /Treasury/ });
    await user.click(option);
    expect(await screen.findByRole('button', { name: 'Address is Treasury' })).toBeTruthy();
    expect(navigation.filter.pills[0]?.field).toBe('address');
  });

  it('takes a range with exact bounds, and says what is wrong with one', async () => {
    const { navigation, user } = await open();
    await user.click(add());
    await user.keyboard('amount{Enter}');
    await user.type(screen.getByLabelText('From'), 'much');
    await user.click(screen.getByRole('button', { name: 'Apply' }));
    expect(screen.getByText(/Enter a number such as/)).toBeTruthy();
    await user.clear(screen.getByLabelText('From'));
    await user.type(screen.getByLabelText('From'), '0.000000000000000001');
    await user.type(screen.getByLabelText('To'), '5');
    await user.click(screen.getByRole('button', { name: 'Apply' }));
    expect(navigation.filter.pills).toEqual([
      { field: 'amount', not: false, min: '0.000000000000000001', max: '5' },
    ]);
  });

  it('adds whole filters by what is typed, one after the other', async () => {
    const { navigation, user } = await open();
    await user.click(add());
    await user.keyboard('last month{Enter}out{Enter}');
    const [time, ...others] = navigation.filter.pills;
    expect(time).toEqual(timePresets(testNowMs).find(({ name }) => name === 'Last month')?.pill);
    expect(others).toEqual([{ field: 'direction', not: false, values: ['out'] }]);
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.getByRole('button', { name: /^Time [A-Z][a-z]+ \d{4}$/ })).toBeTruthy();
  });

  it('has months to choose from, and takes times as the timeline writes them', async () => {
    const { navigation, user } = await open();
    await user.click(add());
    await user.click(screen.getByRole('option', { name: 'Time' }));
    await user.click(screen.getByRole('button', { name: 'Last month' }));
    expect(navigation.filter.pills).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: /^Time / }));
    await user.clear(screen.getByLabelText('From'));
    await user.type(screen.getByLabelText('From'), '2026-03-01');
    await user.clear(screen.getByLabelText('To'));
    await user.type(screen.getByLabelText('To'), '2026-03-31 18:30{Enter}');
    expect(navigation.filter.pills).toMatchObject([{ max: String(Date.parse('2026-03-31T18:30:59.999Z')) }]);
  });

  it('leaves a time turned round when another month is chosen', async () => {
    const { navigation, user } = await open();
    navigation.filter = { ...everything, pills: [{ field: 'time', not: true, min: '0', max: '1' }] };
    await user.click(await screen.findByRole('button', { name: /^Time / }));
    await user.click(screen.getByRole('button', { name: 'Last month' }));
    const lastMonth = timePresets(testNowMs).find(({ name }) => name === 'Last month')?.pill;
    expect(navigation.filter.pills).toEqual([{ ...lastMonth, not: true }]);
  });

  it('offers tokens of amounts by name, with chain, contract and use, searched by the store and without ids', async () => {
    const { bridge, navigation, user } = await open();
    bridge.answer('activity.values', () => ok([{ value: usdc, label: 'USDC', count: 1_203 }]));
    await user.click(add());
    await user.keyboard('amount{Enter}');
    await user.type(screen.getByRole('combobox', { name: 'Token' }), 'usd');
    await expect
      .poll(() => bridge.argsOf('activity.values').at(-1))
      .toEqual({ field: 'token', text: 'usd', limit: 100, onlyCounted: true });
    await user.click(await screen.findByRole('option', { name: /^USDC.+0xb97ef9…8a6e · 1,203$/ }));
    await user.type(screen.getByLabelText('From'), '5{Enter}');
    expect(navigation.filter.pills).toEqual([
      { field: 'amount', not: false, min: '5', max: null, token: usdc },
    ]);
  });

  it('takes by Enter a value of the typed text once that is found, unless another key comes first', async () => {
    const { bridge, navigation, user } = await open();
    const find = holdTokens(bridge);
    await user.click(add());
    await user.keyboard('token{Enter}');
    await screen.findByRole('option', { name: /SPAM/ });
    const field = screen.getByRole('combobox');
    await user.type(field, 'usdc{Enter}');
    expect(navigation.filter.pills).toEqual([]);
    find();
    const pills = [{ field: 'token', not: false, values: [usdc] }];
    await expect.poll(() => navigation.filter.pills).toEqual(pills);
    await user.type(field, 'x{Enter}{ArrowDown}');
    find();
    bridge.answer('activity.values', () => err({ code: 'storage', message: 'disk full' }));
    await user.type(field, 'y{Enter}');
    expect(await screen.findByText(/disk full/)).toBeTruthy();
    expect(navigation.filter.pills).toEqual(pills);
  });

  it('takes by Enter the token of an amount, and never the amount without it', async () => {
    const { bridge, navigation, user } = await open();
    const find = holdTokens(bridge);
    await user.click(add());
    await user.keyboard('amount{Enter}');
    await user.type(screen.getByLabelText('From'), '5');
    await user.type(screen.getByRole('combobox', { name: 'Token' }), 'usdc{Enter}');
    find();
    await screen.findByRole('option', { name: /^USDC/, selected: true });
    expect(navigation.filter.pills).toEqual([]);
    await user.type(screen.getByLabelText('From'), '{Enter}');
    expect(navigation.filter.pills).toMatchObject([{ min: '5', token: usdc }]);
  });

  it('takes a range turned round, and keeps it so when its ends are changed', async () => {
    const { navigation, user } = await open();
    await user.click(add());
    await user.keyboard('block{Enter}');
    await user.click(screen.getByRole('radio', { name: 'not within' }));
    await user.type(screen.getByLabelText('From'), '5{Enter}');
    const pill = { field: 'block', not: true, max: null };
    expect(navigation.filter.pills).toEqual([{ ...pill, min: '5' }]);
    await user.click(screen.getByRole('button', { name: /^Block/ }));
    await user.type(screen.getByLabelText('From'), '7{Enter}');
    expect(navigation.filter.pills).toEqual([{ ...pill, min: '57' }]);
  });

  it('removes pills by mouse, by Delete on a pill, and by Backspace in the empty search', async () => {
    const { navigation, user } = await open();
    const pill = (value: string) => ({ field: 'method' as const, not: false, values: [value] });
    navigation.filter = { ...everything, pills: ['a', 'b', 'c', 'd'].map(pill) };
    await user.click(await screen.findByRole('button', { name: 'Remove: Method is b' }));
    screen.getByRole('button', { name: 'Method is c' }).focus();
    await user.keyboard('{Delete}');
    search().focus();
    await user.keyboard('{Backspace}');
    expect(navigation.filter.pills).toEqual([pill('a')]);
    await user.click(screen.getByRole('button', { name: 'Clear all' }));
    expect(navigation.filter.pills).toEqual([]);
  });

  it('changes the pill whose editor is open wherever it stands, and closes the editor with it', async () => {
    const { navigation, user } = await open();
    const status = { field: 'status' as const, not: false, values: ['failed'] };
    const kind = { field: 'kind' as const, not: false, values: ['exchange'] };
    navigation.filter = { ...everything, pills: [status] };
    await user.click(await screen.findByRole('button', { name: 'Status is Failed' }));
    navigation.filter = { ...everything, pills: [kind, status] };
    await user.click(await screen.findByRole('option', { name: /^Success/ }));
    expect(navigation.filter.pills).toEqual([kind, { ...status, values: ['failed', 'success'] }]);
    navigation.filter = { ...everything, pills: [kind] };
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  });

  it.each<[string, (user: Awaited<ReturnType<typeof open>>['user']) => unknown]>([
    ['the field is left', (user) => user.tab()],
    ['a key may lead elsewhere', (user) => user.keyboard('{Alt>}')],
    ['the view is left', () => cleanup()],
  ])('searches at once when %s', async (_when, leave) => {
    const { navigation, user } = await open();
    await user.type(search(), 'usdc');
    expect(navigation.filter.text).toBe('');
    await leave(user);
    expect(navigation.filter.text).toBe('usdc');
  });

  it('searches when the typing rests, and leaves for the list by Enter and Escape', async () => {
    const { navigation, onleave, user } = await open();
    await user.type(search(), 'usdc');
    await expect.poll(() => navigation.filter.text).toBe('usdc');
    await user.keyboard('{Escape}');
    await expect.poll(() => navigation.filter.text).toBe('');
    expect(onleave).not.toHaveBeenCalled();
    await user.keyboard('{Escape}');
    expect(onleave).toHaveBeenCalledOnce();
    await user.type(search(), 'swap{Enter}');
    expect(navigation.filter.text).toBe('swap');
    expect(onleave).toHaveBeenCalledTimes(2);
  });

  it('keeps what is being typed when the filter changes otherwise meanwhile', async () => {
    const { navigation, user } = await open();
    await user.type(search(), 'usdc');
    navigation.filter = { ...navigation.filter, showHidden: true };
    await user.type(search(), 'x');
    expect(search()).toHaveProperty('value', 'usdcx');
    await expect.poll(() => navigation.filter).toEqual({ ...everything, showHidden: true, text: 'usdcx' });
    navigation.filter = { ...everything, text: 'swap' };
    await expect.poll(() => search()).toHaveProperty('value', 'swap');
  });

  it('learns the name of a token that a pill holds from an earlier day', async () => {
    const { bridge, navigation } = await open();
    bridge.answer('activity.values', () => ok([{ value: usdc, label: 'USDC', count: 3 }]));
    navigation.filter = { ...everything, pills: [{ field: 'token', not: false, values: [usdc] }] };
    expect(await screen.findByRole('button', { name: 'Token is USDC' })).toBeTruthy();
  });
});

it('opens the editor of a pill that names a value twice, as a link can, and takes both away', async () => {
  const { navigation, user } = await open();
  navigation.filter = {
    ...everything,
    pills: [{ field: 'method', not: false, values: ['swap', 'swap', 'mint'] }],
  };
  await user.click(await screen.findByRole('button', { name: /^Method is/ }));
  await user.click(await screen.findByRole('option', { name: 'swap' }));
  expect(navigation.filter.pills).toMatchObject([{ values: ['mint'] }]);
});

describe('SavedViews', () => {
  it('saves the present filter under a name, chooses, renames and deletes it', async () => {
    const { app, bridge, messages, navigation, user } = await open();
    navigation.filter = { ...everything, pills: [{ field: 'kind', not: false, values: ['exchange'] }] };
    await user.click(screen.getByRole('button', { name: 'Views' }));
    await user.type(screen.getByLabelText('Name for this view'), 'Swaps{Enter}');
    await expect.poll(() => app.settings.savedViews.map(({ name }) => name)).toEqual(['Swaps']);
    expect(bridge.argsOf('settings.update')).toHaveLength(1);
    navigation.filter = everything;
    const list = within(screen.getByRole('list', { name: 'Saved views' }));
    await user.click(await list.findByRole('button', { name: 'Rename Swaps' }));
    await user.clear(screen.getByLabelText('New name for Swaps'));
    await user.type(screen.getByLabelText('New name for Swaps'), 'Exchanges{Enter}');
    await user.click(await screen.findByRole('button', { name: 'Exchanges' }));
    expect(navigation.filter.pills).toHaveLength(1);
    await user.click(await screen.findByRole('button', { name: 'View: Exchanges' }));
    await user.click(screen.getByRole('button', { name: 'Remove Exchanges' }));
    await expect.poll(() => app.settings.savedViews).toEqual([]);
    await messages.undo(messages.undoable?.id ?? 0);
    expect(app.settings.savedViews).toMatchObject([{ name: 'Exchanges' }]);
    expect(navigation.filter.pills).toHaveLength(1);
  });

  it('puts the view of the same name back that was replaced', async () => {
    const { app, messages, navigation, user } = await open();
    const named = (values: string[]) => ({
      ...everything,
      pills: [{ field: 'kind' as const, not: false, values }],
    });
    await user.click(screen.getByRole('button', { name: 'Views' }));
    for (const kind of ['exchange', 'transfer']) {
      navigation.filter = named([kind]);
      await user.type(screen.getByLabelText('Name for this view'), 'Swaps{Enter}');
      await expect.poll(() => app.settings.savedViews).toMatchObject([{ filter: named([kind]) }]);
    }
    expect(messages.undoable).toMatchObject({ text: 'View replaced.' });
    await messages.undo(messages.undoable?.id ?? 0);
    expect(app.settings.savedViews).toMatchObject([{ name: 'Swaps', filter: named(['exchange']) }]);
  });
});
