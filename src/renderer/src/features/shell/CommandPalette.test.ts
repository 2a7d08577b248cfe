import { fireEvent, screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { ok } from '../../../../shared/errors.ts';
import { renderInApp, testNowMs } from '../../testing/render.ts';
import { fullWorld } from '../../testing/sample-world.ts';
import { viewList } from '../../views/view-list.ts';
import CommandPalette from './CommandPalette.svelte';

describe('CommandPalette', () => {
  it('runs what the arrow keys have chosen', async () => {
    const { navigation, user } = await renderInApp(CommandPalette, { views: viewList });
    const field = screen.getByRole('combobox');
    await user.type(field, 'go to');
    expect(screen.getAllByRole('option')).toHaveLength(6);
    await user.keyboard('{ArrowDown}{ArrowDown}');
    const chosen = screen.getByRole('option', { selected: true });
    expect(chosen.textContent).toContain('Go to Nodes');
    expect(field.getAttribute('aria-activedescendant')).toBe(chosen.id);
    await user.keyboard('{Enter}');
    expect(navigation.view).toBe('nodes');
  });

  it('runs nothing by a key that was held down before it opened, or that an input method takes', async () => {
    const { navigation } = await renderInApp(CommandPalette, { views: viewList });
    navigation.open({ kind: 'palette' });
    const field = screen.getByRole('combobox');
    const before = screen.getByRole('option', { selected: true });
    await fireEvent.keyDown(field, { key: 'Enter', repeat: true });
    await fireEvent.keyDown(field, { key: 'ArrowDown', isComposing: true });
    await fireEvent.keyDown(field, { key: 'Enter', isComposing: true });
    expect(navigation.dialog).not.toBeNull();
    expect(screen.getByRole('option', { selected: true })).toBe(before);
  });

  it('says when nothing is found', async () => {
    const { user } = await renderInApp(CommandPalette, { views: viewList });
    await user.type(screen.getByRole('combobox'), 'zzz');
    const status = screen.getByRole('status');
    await expect.poll(() => status.textContent).toBe('No results');
    await user.keyboard('{ArrowDown}{Enter}');
    expect(screen.getByRole('combobox')).toBeTruthy();
    await user.clear(screen.getByRole('combobox'));
    expect(status.textContent).toBe('');
  });

  it('finds nothing for a text that is longer than any name, instead of a failure', async () => {
    const { bridge, user } = await renderInApp(CommandPalette, { views: viewList });
    await user.click(screen.getByRole('combobox'));
    await user.paste('zzz '.repeat(100));
    expect(await screen.findAllByText('No results')).toHaveLength(2);
    expect(bridge.argsOf('activity.values').at(-1)?.text.length).toBeLessThanOrEqual(200);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('shows the first of thousands of addresses, says how many more there are, and finds each by its name', async () => {
    const world = fullWorld(testNowMs);
    const [entry] = world.snapshot.watchlist;
    if (entry === undefined) throw new Error('The world has no address.');
    world.snapshot.watchlist = Array.from({ length: 3_000 }, (_, index) => ({
      ...entry,
      address: `0x${String(index).padStart(40, '0')}`,
      label: `Wallet ${index}.`,
    }));
    const { user } = await renderInApp(CommandPalette, { views: viewList }, { world });
    expect(screen.getAllByRole('option')).toHaveLength(100);
    await user.type(screen.getByRole('combobox'), 'wallet');
    expect(screen.getByText(/^and 2,90\d more\. Type to narrow the list\.$/)).toBeTruthy();
    await user.type(screen.getByRole('combobox'), ' 2999.');
    expect(screen.getByRole('option').textContent).toContain('Wallet 2999.');
    expect(screen.queryByText(/Type to narrow/)).toBeNull();
  });

  it('opens a stored transaction by its hash, whatever the timeline shows', async () => {
    const { bridge, navigation, user } = await renderInApp(CommandPalette, { views: viewList });
    const [row] = bridge.world.rows;
    if (row === undefined) throw new Error('The world has no rows.');
    await user.click(screen.getByRole('combobox'));
    await user.paste(` ${row.txHash.toUpperCase().replace('0X', '0x')}`);
    await screen.findByRole('option', { name: /^Open transaction 0x/ });
    await user.keyboard('{Enter}');
    expect(navigation.view).toBe('activity');
    expect(navigation.opened?.id).toBe(row.id);
  });

  it('takes by Enter what is stored once that is read, and at once what is known', async () => {
    const { bridge, navigation, user } = await renderInApp(CommandPalette, { views: viewList });
    const [row] = bridge.world.rows;
    if (row === undefined) throw new Error('The world has no rows.');
    const held: (() => void)[] = [];
    const wait = () => new Promise<void>((done) => held.push(done));
    const answer = () => held.splice(0).forEach((done) => done());
    const counts = { offset: 0, totalCount: 1, hiddenCount: 0, partialCount: 0, unrankedCount: 0 };
    bridge.answer('activity.rows', () => wait().then(() => ok({ ...counts, rows: [row] })));
    const token = { value: '43114 erc20 0xb97e', label: 'QQTOK', count: 3 };
    bridge.answer('activity.values', () => wait().then(() => ok([token])));
    const field = screen.getByRole('combobox');
    await user.type(field, 'qqtok{Enter}');
    expect(screen.getAllByText('Searching…')).toHaveLength(2);
    answer();
    await expect.poll(() => navigation.filter.pills).toMatchObject([{ values: [token.value] }]);
    await user.clear(field);
    await user.paste(row.txHash);
    await user.keyboard('{Enter}');
    answer();
    await expect.poll(() => navigation.opened?.id).toBe(row.id);
    expect(navigation.lookups).toEqual([]);
    await user.clear(field);
    await user.type(field, 'go to nodes{Enter}');
    expect(navigation.view).toBe('nodes');
  });

  it.each([
    [`0x${'ab'.repeat(32)}`, 'Look up transaction or block 0x'],
    [`0x${'ab'.repeat(20)}`, 'Look up address 0x'],
    ['58,486,811', 'Look up block 58486811'],
  ])('looks up %s at the service', async (text, title) => {
    const { navigation, user } = await renderInApp(CommandPalette, { views: viewList });
    await user.click(screen.getByRole('combobox'));
    await user.paste(text);
    expect((await screen.findAllByRole('option'))[0]?.textContent).toContain(title);
    await user.keyboard('{Enter}');
    const [form] = navigation.lookups;
    expect(form?.kind === 'form' && form.text.toLowerCase()).toBe(text.replaceAll(',', ''));
  });

  it('finds names that the user gave, and tokens', async () => {
    const { bridge, navigation, user } = await renderInApp(CommandPalette, { views: viewList });
    const [entry] = bridge.world.snapshot.book;
    if (entry === undefined) throw new Error('The book is empty.');
    const field = screen.getByRole('combobox');
    await user.type(field, entry.name);
    await user.keyboard('{Enter}');
    expect(navigation.filter.pills).toEqual([{ field: 'counterparty', not: false, values: [entry.address] }]);
    await user.clear(field);
    await user.type(field, 'erc20');
    await user.click((await screen.findAllByRole('option', { name: /token, / }))[0] as HTMLElement);
    expect(navigation.filter.pills).toMatchObject([{ field: 'token', not: false }]);
  });
});
