import { screen, within } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { renderInApp } from '../testing/render.ts';
import ExploreView from './ExploreView.svelte';

it.each(['Next page', 'All pages'])('a double press of “%s” fetches, and cancels nothing', async (name) => {
  const { bridge, user } = await renderInApp(ExploreView, {});
  await user.click(screen.getByRole('button', { name: 'Latest transactions on a chain' }));
  await user.type(screen.getByLabelText('chainId'), '43114');
  await user.click(screen.getByRole('button', { name: 'Run' }));
  await screen.findByRole('button', { name });
  bridge.answer('runs.continue', () => new Promise(() => undefined));
  const bar = within(screen.getByRole('region', { name: 'Result' }));
  const names = () => bar.getAllByRole('button').map(({ textContent }) => textContent.trim());
  const before = names();
  await user.dblClick(bar.getByRole('button', { name }));
  // What takes the place of a pressed button gets the second press.
  expect(names().slice(0, 2)).toEqual(before.slice(0, 2));
  expect(document.activeElement).toBe(bar.getByRole('button', { name }));
  expect(bridge.argsOf('runs.continue')).toHaveLength(1);
  await user.click(bar.getByRole('button', { name: 'Cancel' }));
  expect(bridge.argsOf('runs.cancel')).toHaveLength(1);
});
