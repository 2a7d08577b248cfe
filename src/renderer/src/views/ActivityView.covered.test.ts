import { screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { everything } from '../../../shared/activity/filter.ts';
import type { Navigation } from '../state/navigation.svelte.ts';
import { renderInApp } from '../testing/render.ts';
import { setElementSize } from '../testing/window-size.ts';
import ActivityView from './ActivityView.svelte';

beforeEach(() => setElementSize(1_300, 831));
afterEach(() => setElementSize(0, 0));

it('the keys of the timeline do nothing behind a lookup, also where a press on its text has left no focus', async () => {
  const { navigation, user } = await renderInApp(ActivityView, {});
  navigation.lookUp({ kind: 'block', chainId: '43114', blockId: '1' });
  expect(document.activeElement).toBe(document.body);
  await user.keyboard('hfs');
  expect(navigation.filter).toEqual(everything);
  expect(screen.queryByRole('dialog', { name: 'Add filter' })).toBeNull();
});

it.each<[string, (navigation: Navigation) => void]>([
  ['a place that is gone to', (navigation) => navigation.goToActivity({ ...everything, text: '0x' })],
  ['the way back', (navigation) => navigation.back()],
])('the coverage covers no longer %s', async (_which, leave) => {
  const { navigation, user } = await renderInApp(ActivityView, {});
  navigation.visit();
  navigation.filter = { ...everything, text: 'usdc' };
  navigation.visit();
  await user.click(screen.getByRole('button', { name: 'Coverage' }));
  expect(screen.getByRole('dialog', { name: 'Coverage' })).toBeTruthy();
  leave(navigation);
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
});

it('the keys of the timeline do nothing behind a dialog whose text was pressed', async () => {
  const { navigation, user } = await renderInApp(ActivityView, {});
  await user.click(await screen.findByRole('button', { name: 'Make available offline…' }));
  await user.click(screen.getByText(/^Only the parts of these transactions/));
  await user.keyboard('hfs');
  expect(navigation.filter).toEqual(everything);
  expect(screen.queryByRole('dialog', { name: 'Add filter' })).toBeNull();
});
