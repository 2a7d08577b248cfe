import { cleanup, screen } from '@testing-library/svelte';
import type { UserEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { everything } from '../../../../../shared/activity/filter.ts';
import { err } from '../../../../../shared/errors.ts';
import { renderInApp } from '../../../testing/render.ts';
import SavedViews from './SavedViews.svelte';

it('a view gets no name that another one has', async () => {
  const { app, user } = await renderInApp(SavedViews, {});
  const savedViews = ['Swaps', 'Fees'].map((name) => ({ id: name, name, filter: everything }));
  await app.updateSettings({ savedViews });
  await user.click(screen.getByRole('button', { name: /^View/ }));
  await user.click(await screen.findByRole('button', { name: 'Rename Fees' }));
  const field = screen.getByLabelText('New name for Fees');
  await user.clear(field);
  await user.type(field, ' Swaps{Enter}');
  expect(screen.getByRole('alert').textContent).toBe('Another view already has this name.');
  expect(app.settings.savedViews).toEqual(savedViews);
  await user.type(field, ' only{Enter}');
  await expect.poll(() => app.settings.savedViews.map(({ name }) => name)).toEqual(['Swaps', 'Swaps only']);
});

it('a removed view is put back under another name where a new one has its own', async () => {
  const { app, messages, user } = await renderInApp(SavedViews, {});
  const name = 'w'.repeat(100);
  const savedViews = ['a', 'b'].map((id) => ({ id, name: id === 'a' ? name : 'Fees', filter: everything }));
  await app.updateSettings({ savedViews });
  await user.click(screen.getByRole('button', { name: /^View/ }));
  await user.click(await screen.findByRole('button', { name: `Remove ${name}` }));
  await expect.poll(() => messages.list.length).toBe(1);
  await user.type(screen.getByLabelText('Name for this view'), `${name}{Enter}`);
  await expect.poll(() => app.settings.savedViews.length).toBe(2);
  await messages.undo(messages.list[0]?.id ?? 0);
  expect(app.settings.savedViews.map((view) => view.name)).toEqual([`${'w'.repeat(96)} (2)`, 'Fees', name]);
});

it('a replaced view comes back in its place, also where the newer one was removed since', async () => {
  const { app, messages, user } = await renderInApp(SavedViews, {});
  const old = { ...everything, text: 'old' };
  const savedViews = ['Swaps', 'Fees'].map((name) => ({ id: name, name, filter: old }));
  await app.updateSettings({ savedViews });
  await user.click(screen.getByRole('button', { name: /^View/ }));
  await user.type(await screen.findByLabelText('Name for this view'), 'Swaps{Enter}');
  await expect.poll(() => app.settings.savedViews[0]?.filter.text).toBe('');
  await user.click(screen.getByRole('button', { name: 'Remove Swaps' }));
  await expect.poll(() => app.settings.savedViews.length).toBe(1);
  const [replaced, removed] = messages.list;
  await messages.undo(replaced?.id ?? 0);
  expect(app.settings.savedViews).toEqual(savedViews);
  await messages.undo(removed?.id ?? 0);
  expect(app.settings.savedViews.map(({ name }) => name)).toEqual(['Swaps', 'Fees']);
});

it('a long name of a view leaves the buttons beside it in the window', async () => {
  const { app } = await renderInApp(SavedViews, {});
  await app.updateSettings({ savedViews: [{ id: 'a', name: 'w'.repeat(100), filter: everything }] });
  const button = await screen.findByRole('button', { name: /^View: w/ });
  expect(button.parentElement?.style.maxWidth).toBe('240px');
});

it.each([
  ['the list of views is closed', async (user: UserEvent) => user.keyboard('{Escape}')],
  ['the view is left', async () => cleanup()],
])('a view that could not be saved is told also once %s', async (_when, leave) => {
  const { bridge, messages, user } = await renderInApp(SavedViews, {});
  const answer = Promise.withResolvers<void>();
  bridge.answer('settings.update', async () => {
    await answer.promise;
    return err({ code: 'storage', message: 'The disk is full.' });
  });
  await user.click(screen.getByRole('button', { name: 'Views' }));
  await user.type(screen.getByLabelText('Name for this view'), 'Swaps{Enter}');
  await leave(user);
  expect(screen.queryByRole('dialog')).toBeNull();
  answer.resolve();
  await expect.poll(() => messages.list).toMatchObject([{ kind: 'error' }]);
});
