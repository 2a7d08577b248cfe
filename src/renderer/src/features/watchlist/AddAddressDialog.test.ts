import { screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { err } from '../../../../shared/errors.ts';
import { choiceOf } from '../../state/filter-choice.ts';
import { renderInApp } from '../../testing/render.ts';
import { sampleAddresses } from '../../testing/sample-world.ts';
import AddAddressDialog from './AddAddressDialog.svelte';

const right = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const wrong = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD';
const field = () => screen.getByLabelText<HTMLInputElement>('Address');
const submit = () => screen.getByRole('button', { name: 'Watch address' });

describe('AddAddressDialog', () => {
  it('watches an address with its label and goes to its activity', async () => {
    const { bridge, navigation, user } = await renderInApp(AddAddressDialog, {});
    await user.type(field(), ` ${right} `);
    await user.type(screen.getByLabelText(/^Label/), 'Cold wallet');
    await user.click(submit());
    expect(bridge.argsOf('watchlist.add')).toEqual([{ address: right, label: 'Cold wallet' }]);
    expect(navigation.view).toBe('activity');
    expect(choiceOf(navigation.filter)).toEqual({ address: right, chainId: null });
  });

  it('offers the right spelling when the checksum is wrong, and sends nothing until it is taken', async () => {
    const { bridge, user } = await renderInApp(AddAddressDialog, {});
    await user.type(field(), wrong);
    expect(field().getAttribute('aria-invalid')).toBe('true');
    await user.click(submit());
    expect(bridge.argsOf('watchlist.add')).toHaveLength(0);
    await user.click(screen.getByRole('button', { name: 'Use corrected address' }));
    expect(field().value).toBe(right);
    await user.click(submit());
    expect(bridge.argsOf('watchlist.add')).toEqual([{ address: right, label: null }]);
  });

  it('hands a list of addresses that is pasted on to the form for many', async () => {
    const { navigation, user } = await renderInApp(AddAddressDialog, {});
    navigation.open({ kind: 'add-address' });
    await user.click(field());
    const list = `${right} Cold\n${sampleAddresses.treasury}`;
    await user.paste(list);
    expect(navigation.dialog).toEqual({ kind: 'add-addresses', from: list });
    expect(field().value).toBe('');
  });

  it('takes one address that is pasted, with whatever stands around it', async () => {
    const { navigation, user } = await renderInApp(AddAddressDialog, {});
    navigation.open({ kind: 'add-address' });
    await user.click(field());
    await user.paste(` ${right} `);
    expect(navigation.dialog).toEqual({ kind: 'add-address' });
    await user.click(submit());
    expect(navigation.view).toBe('activity');
  });

  it('says whether there is a checksum, and shows it where there is none', async () => {
    const { user } = await renderInApp(AddAddressDialog, {});
    await user.type(field(), right.toLowerCase());
    expect(screen.getByText(new RegExp(`has no checksum.*${right}$`))).toBeTruthy();
    await user.clear(field());
    await user.type(field(), right);
    expect(screen.getByText('Checksum correct.')).toBeTruthy();
  });

  it('does not nag while the address is being typed', async () => {
    const { user } = await renderInApp(AddAddressDialog, {});
    await user.type(field(), '0x5aAe');
    expect(field().getAttribute('aria-invalid')).toBe('false');
    await user.tab();
    expect(screen.getByText(/This isn’t an address/)).toBeTruthy();
  });

  it('says when the address is watched already', async () => {
    const { bridge, user } = await renderInApp(AddAddressDialog, {});
    await user.type(field(), sampleAddresses.treasury.toLowerCase());
    expect(screen.getByText('You’re already watching this address as “Treasury”.')).toBeTruthy();
    await user.click(submit());
    expect(bridge.argsOf('watchlist.add')).toHaveLength(0);
  });

  it('stays open with the words of the error when it could not be stored', async () => {
    const { navigation, user } = await renderInApp(
      AddAddressDialog,
      {},
      {
        prepare: (bridge) =>
          bridge.answer('watchlist.add', () => err({ code: 'storage', message: 'disk full' })),
      },
    );
    navigation.open({ kind: 'add-address' });
    await user.type(field(), right);
    await user.click(submit());
    expect(screen.getByRole('alert').textContent).toContain('Couldn’t save or read data');
    expect(navigation.dialog).not.toBeNull();
  });

  it('takes what was typed along to the list of many', async () => {
    const { navigation, user } = await renderInApp(AddAddressDialog, {});
    await user.type(field(), right);
    await user.type(screen.getByLabelText(/^Label/), 'Cold wallet');
    await user.click(screen.getByRole('button', { name: 'Add several…' }));
    expect(navigation.dialog).toEqual({ kind: 'add-addresses', from: `${right}, Cold wallet` });
  });
});
