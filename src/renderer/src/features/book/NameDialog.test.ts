import { screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import type { FakeBridge } from '../../testing/fake-bridge.ts';
import { renderInApp } from '../../testing/render.ts';
import BookDialog from './BookDialog.svelte';
import Dialogs from '../../views/Dialogs.svelte';
import NameDialog from './NameDialog.svelte';

const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const emptyBook = { prepare: (fake: FakeBridge) => void (fake.world.snapshot.book = []) };
const save = () => screen.getByRole('button', { name: 'Save name' });

describe('NameDialog', () => {
  it('names a given address', async () => {
    const { bridge, user } = await renderInApp(NameDialog, { address, onclose: () => undefined }, emptyBook);
    await user.click(save());
    expect(bridge.argsOf('book.put')).toHaveLength(0);
    await user.type(screen.getByLabelText('Name'), 'Exchange');
    await user.click(save());
    expect(bridge.argsOf('book.put')).toEqual([{ address, name: 'Exchange', note: null }]);
  });

  it('takes an address that is typed, with the right spelling of a wrong one', async () => {
    const { bridge, user } = await renderInApp(
      NameDialog,
      { address: '', onclose: () => undefined },
      emptyBook,
    );
    await user.type(screen.getByLabelText('Address'), '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD');
    await user.type(screen.getByLabelText('Name'), 'Exchange');
    await user.click(save());
    expect(bridge.argsOf('book.put')).toHaveLength(0);
    await user.click(screen.getByRole('button', { name: 'Use corrected address' }));
    await user.click(save());
    expect(bridge.argsOf('book.put')).toEqual([{ address, name: 'Exchange', note: null }]);
  });

  it('takes a name away', async () => {
    const { bridge, messages, user } = await renderInApp(
      NameDialog,
      { address, onclose: () => undefined },
      {
        prepare: (fake) =>
          void (fake.world.snapshot.book = [{ address, name: 'Old', note: null, changedAtMs: 1 }]),
      },
    );
    await user.click(screen.getByRole('button', { name: 'Remove name' }));
    expect(bridge.argsOf('book.remove')).toEqual([{ address }]);
    expect(messages.undoable).toMatchObject({ text: 'Name removed.' });
  });
});

describe('BookDialog', () => {
  it('finds names, addresses and notes, and opens one to edit', async () => {
    const { bridge, navigation, user } = await renderInApp(
      Dialogs,
      { views: [] },
      {
        prepare: (fake) =>
          void (fake.world.snapshot.book = [
            { address, name: 'Zebra', note: 'the far one', changedAtMs: 1 },
            {
              address: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
              name: 'Ant',
              note: null,
              changedAtMs: 1,
            },
          ]),
      },
    );
    navigation.open({ kind: 'names' });
    await screen.findByRole('dialog', { name: 'Address book' });
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent.trim().slice(0, 3))).toEqual([
      'Ant',
      'Zeb',
    ]);
    await user.type(screen.getByRole('searchbox'), 'FAR');
    expect(screen.getAllByRole('listitem')).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: 'Edit name Zebra' }));
    // What was found stays behind it, for the next one.
    await user.type(screen.getByLabelText('Name'), ' again');
    await user.click(save());
    await expect.poll(() => bridge.argsOf('book.put')).toMatchObject([{ address, name: 'Zebra again' }]);
    await expect.poll(() => screen.queryByLabelText('Name')).toBeNull();
    expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('FAR');
    await user.click(screen.getByRole('button', { name: 'Name an address…' }));
    await user.type(screen.getByLabelText('Address'), '0x');
    // A link from another program leaves a form where it is, and closes what only shows something.
    expect(navigation.dialog).toMatchObject({ kind: 'edit-name' });
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(navigation.dialog).toEqual({ kind: 'names' });
    expect(screen.getByRole('dialog', { name: 'Address book' })).toBeTruthy();
  });

  it('says what names are for while there are none', async () => {
    await renderInApp(BookDialog, {}, emptyBook);
    expect(screen.getByText('Your address book is empty')).toBeTruthy();
  });
});
