import { screen, within } from '@testing-library/svelte';
import { expect, it, vi } from 'vitest';
import { everything } from '../../../../shared/activity/filter.ts';
import { err } from '../../../../shared/errors.ts';
import { insertAt } from '../../testing/activity-lists.ts';
import { renderInApp, testNowMs } from '../../testing/render.ts';
import { fullWorld } from '../../testing/sample-world.ts';
import RecentActivity from './RecentActivity.svelte';

const elsewhere = { ...everything, text: 'of the timeline' };

it('a filter chosen in the menu of a row on the overview leads to the rows that pass it', async () => {
  const { navigation, user } = await renderInApp(RecentActivity, {});
  navigation.filter = elsewhere;
  const table = await screen.findByRole('grid', { name: 'Recent activity' });
  table.focus();
  await user.keyboard('{ContextMenu}');
  const menu = within(await screen.findByRole('menu'));
  await user.click(menu.getByRole('menuitem', { name: /^Filter: Counterparty is (?!not)/ }));
  expect(navigation.view).toBe('activity');
  expect(navigation.filter).toMatchObject({ text: '', pills: [{ field: 'counterparty', not: false }] });
});

it('rows that are all hidden are shown by a press of the button on the overview, too', async () => {
  const world = fullWorld(testNowMs);
  world.rows = world.rows.filter(({ marks }) => marks.spam.hiddenReason !== null);
  const { navigation, user } = await renderInApp(RecentActivity, {}, { world });
  navigation.filter = elsewhere;
  await user.click(await screen.findByRole('button', { name: 'Show hidden rows' }));
  expect(navigation.view).toBe('activity');
  expect(navigation.filter).toEqual({ ...everything, showHidden: true });
});

it('the keyboard stays on its row of the overview when new ones come', async () => {
  const { bridge, navigation, user } = await renderInApp(RecentActivity, {});
  const table = await screen.findByRole('grid', { name: 'Recent activity' });
  table.focus();
  await user.keyboard('{ArrowDown}{ArrowDown}{Enter}');
  const openedId = navigation.opened?.id;
  expect(openedId).toBeDefined();
  navigation.go('overview');
  insertAt(bridge.world, 0, 2);
  bridge.emit('book.changed', []);
  const active = () => within(table).getByRole('row', { selected: true }).getAttribute('aria-rowindex');
  await expect.poll(active).toBe('6');
  table.focus();
  await user.keyboard('{Enter}');
  expect(navigation.opened?.id).toBe(openedId);
});

it('the transactions stay on the overview when they cannot be read again', async () => {
  const { bridge } = await renderInApp(RecentActivity, {});
  const table = await screen.findByRole('grid', { name: 'Recent activity' });
  bridge.answer('activity.rows', () => err({ code: 'storage', message: 'busy' }));
  bridge.emit('book.changed', []);
  await screen.findByRole('alert');
  expect(table.isConnected).toBe(true);
});

it('the newest transactions are read a few times a second at most, however many are fetched', async () => {
  const { app, bridge } = await renderInApp(RecentActivity, {});
  await screen.findByRole('grid', { name: 'Recent activity' });
  const settled = Promise.withResolvers<void>();
  vi.spyOn(app, 'settle').mockReturnValue(settled.promise);
  const before = bridge.argsOf('activity.rows').length;
  for (let times = 0; times < 20; times += 1) {
    bridge.emit('book.changed', []);
    await new Promise((done) => setTimeout(done));
  }
  expect(bridge.argsOf('activity.rows').length).toBe(before);
  settled.resolve();
  await expect.poll(() => bridge.argsOf('activity.rows').length).toBeGreaterThan(before);
});

it('the keyboard is at the transaction that was stepped to once its drawer is closed', async () => {
  const { navigation, user } = await renderInApp(RecentActivity, {});
  const table = await screen.findByRole('grid', { name: 'Recent activity' });
  table.focus();
  await user.keyboard('{Enter}');
  const firstId = navigation.opened?.id;
  await user.click(await screen.findByRole('button', { name: 'Transaction below' }));
  const secondId = navigation.opened?.id;
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  table.focus();
  await user.keyboard('{Enter}');
  expect(secondId).not.toBe(firstId);
  expect(navigation.opened?.id).toBe(secondId);
});
