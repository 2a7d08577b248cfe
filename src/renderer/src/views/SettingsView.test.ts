import { screen, within } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { renderInApp } from '../testing/render.ts';
import SettingsView from './SettingsView.svelte';

const list = () => within(screen.getByRole('navigation', { name: 'Settings sections' }));
const listed = () =>
  list()
    .queryAllByRole('button')
    .map(({ textContent }) => textContent.trim());
const headings = () =>
  screen.queryAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent.trim());

it('lists its sections by their headings, and goes to one', async () => {
  const { user } = await renderInApp(SettingsView, {});
  expect(listed()).toEqual(headings());
  await user.click(list().getByRole('button', { name: 'Appearance' }));
  expect(document.activeElement?.textContent).toContain('Theme');
});

it('finds settings by all of their words, choices too', async () => {
  const { user } = await renderInApp(SettingsView, {});
  const search = screen.getByRole('searchbox', { name: 'Search settings' });
  await user.type(search, 'DARK theme');
  expect(listed()).toEqual(['Appearance']);
  expect(headings()).toEqual(['Appearance']);
  await user.clear(search);
  await user.type(search, 'xylophone');
  expect(headings()).toEqual([]);
  expect(screen.getByText('No settings match.')).toBeTruthy();
  await user.clear(search);
  expect(headings()).toEqual(listed());
  expect(listed().length).toBeGreaterThan(5);
});

it('begins with the first setting that is found, however far the others were scrolled', async () => {
  const { user } = await renderInApp(SettingsView, {});
  const pane = screen.getByRole('heading', { name: 'Appearance' }).closest('.scroll-y');
  if (pane === null) throw new Error('the settings scroll');
  pane.scrollTop = 900;
  await user.type(screen.getByRole('searchbox', { name: 'Search settings' }), 'proxy');
  expect(pane.scrollTop).toBe(0);
});
