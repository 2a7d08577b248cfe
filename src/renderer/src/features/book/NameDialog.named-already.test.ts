import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { renderInApp } from '../../testing/render.ts';
import { sampleAddresses } from '../../testing/sample-world.ts';
import NameDialog from './NameDialog.svelte';

it.each([
  [
    'that has one, which would be lost with its note',
    sampleAddresses.joe,
    /^You’ve already named this address “Joe the accountant”/,
  ],
  [
    'of the user’s own, where it would show nowhere',
    sampleAddresses.treasury,
    /^This is one of your addresses/,
  ],
])('gives no new name to an address %s', async (_which, address, words) => {
  const { bridge, user } = await renderInApp(NameDialog, { address: '', onclose: () => undefined });
  await user.type(screen.getByLabelText('Address'), address.toLowerCase());
  expect(screen.getByText(words)).toBeTruthy();
  await user.type(screen.getByLabelText('Name'), 'Exchange');
  await user.click(screen.getByRole('button', { name: 'Save name' }));
  expect(bridge.argsOf('book.put')).toEqual([]);
});
