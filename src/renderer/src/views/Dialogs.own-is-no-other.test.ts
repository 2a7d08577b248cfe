import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import AddAddressDialog from '../features/watchlist/AddAddressDialog.svelte';
import NameDialog from '../features/book/NameDialog.svelte';
import { renderInApp } from '../testing/render.ts';

const address = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const name = { address, name: 'Exchange', note: null, changedAtMs: 1 };
const never = Promise.withResolvers<never>().promise;

it('an address that is being added is not told to be watched already', async () => {
  const { app, bridge, user } = await renderInApp(AddAddressDialog, { address });
  const [like] = app.watchlist;
  bridge.answer('watchlist.add', async () => {
    if (like !== undefined) bridge.emit('watchlist.changed', [{ ...like, address }]);
    return await never;
  });
  await user.click(screen.getByRole('button', { name: 'Watch address' }));
  await expect.poll(() => app.watched(address)).not.toBeNull();
  expect(screen.queryByText(/already watching/)).toBeNull();
});

it('a name that is being saved is not told to be given already', async () => {
  const { app, bridge, user } = await renderInApp(NameDialog, { address: '', onclose: () => undefined });
  bridge.answer('book.put', async () => {
    bridge.emit('book.changed', [name]);
    return await never;
  });
  await user.type(screen.getByLabelText('Address'), address);
  await user.type(screen.getByLabelText('Name'), 'Exchange');
  await user.click(screen.getByRole('button', { name: 'Save name' }));
  await expect.poll(() => app.nameOf(address)?.text).toBe('Exchange');
  expect(screen.queryByText(/You’ve already named this address/)).toBeNull();
});
