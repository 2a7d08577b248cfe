import { screen, within } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import CoverageDrawer from '../features/activity/coverage/CoverageDrawer.svelte';
import BookDialog from '../features/book/BookDialog.svelte';
import NameDialog from '../features/book/NameDialog.svelte';
import EditAddressDialog from '../features/watchlist/EditAddressDialog.svelte';
import AddAddressDialog from '../features/watchlist/AddAddressDialog.svelte';
import { renderInApp } from '../testing/render.ts';
import { sampleAddresses } from '../testing/sample-world.ts';

const { treasury } = sampleAddresses;

describe('with the eye shut, a label', () => {
  it.each([treasury, null])('is blurred in the title of a plan, of %s', async (address) => {
    const { user } = await renderInApp(CoverageDrawer, { address, onclose: () => undefined });
    const region = within(screen.getByRole('region', { name: /DFK Chain/ }));
    await user.click(region.getByRole('button', { name: 'Fetch all' }));
    const title = screen.getByRole('heading', { name: /Fetch all: Treasury on DFK Chain/ });
    expect(title.classList.contains('private')).toBe(true);
  });

  it('is not said of an address that is watched or named already', async () => {
    const { app, bridge } = await renderInApp(AddAddressDialog, { address: treasury });
    expect(screen.getByText(/already watching/).textContent).toContain('Treasury');
    await app.updateSettings({ privacy: true });
    await expect
      .poll(() => screen.getByText(/already watching/).textContent)
      .toBe('You’re already watching this address.');
    const [entry] = bridge.world.snapshot.book;
    if (entry === undefined) throw new Error('the world has no name');
    const { user, app: other } = await renderInApp(NameDialog, { address: '', onclose: () => undefined });
    await user.type(screen.getAllByLabelText('Address').at(-1) ?? document.body, entry.address);
    expect(screen.getByText(/You’ve already named this address/).textContent).toContain(entry.name);
    await other.updateSettings({ privacy: true });
    await expect
      .poll(() => screen.getByText(/You’ve already named this address/).textContent)
      .not.toContain(entry.name);
  });

  it('and a tag of another address are in no list that a field suggests', async () => {
    const { app } = await renderInApp(EditAddressDialog, { address: treasury });
    const suggested = () => document.querySelectorAll('datalist option').length;
    expect(suggested()).toBeGreaterThan(0);
    await app.updateSettings({ privacy: true });
    await expect.poll(suggested).toBe(0);
  });

  it('is in no tip of a button in the list of names', async () => {
    const { app } = await renderInApp(BookDialog, {});
    const edit = () => screen.getByRole('button', { name: /^Edit name/ });
    expect(edit().dataset['tip']).toBe('Edit name Joe the accountant');
    await app.updateSettings({ privacy: true });
    await expect.poll(() => edit().dataset['tip']).toBe('Edit name');
  });
});
