import { screen, within } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { renderInApp } from '../../testing/render.ts';
import RecentActivity from './RecentActivity.svelte';

async function openFirst() {
  const rendered = await renderInApp(RecentActivity, {});
  const { navigation, user } = rendered;
  navigation.go('nodes');
  navigation.visit();
  navigation.go('overview');
  navigation.visit();
  const table = await screen.findByRole('grid', { name: 'Recent activity' });
  const [, row] = await within(table).findAllByRole('row');
  if (row === undefined) throw new Error('no row');
  await user.dblClick(row);
  await screen.findByRole('dialog', { name: 'Transaction' });
  navigation.visit();
  return rendered;
}

describe('a transaction that is opened on the overview', () => {
  it('is closed by the way back, which leads to no other view yet', async () => {
    const { navigation } = await openFirst();
    navigation.back();
    await expect.poll(() => screen.queryByRole('dialog'), { timeout: 2_000 }).toBeNull();
    expect(navigation.view).toBe('overview');
  });

  it('is what a copied link leads to', async () => {
    const { navigation } = await openFirst();
    expect(navigation.link).toMatchObject({ view: 'transaction' });
  });

  it('has the rows beside it also once it has left the list', async () => {
    const { bridge, user } = await openFirst();
    const below = screen.getByRole('button', { name: 'Transaction below' });
    await user.click(screen.getByRole('button', { name: 'Hide this row' }));
    await expect.poll(() => bridge.argsOf('activity.judge')).toHaveLength(1);
    await expect.poll(() => bridge.argsOf('activity.rows').length).toBeGreaterThan(1);
    expect(below.getAttribute('aria-disabled')).toBeNull();
    expect(below).toHaveProperty('disabled', false);
  });
});
