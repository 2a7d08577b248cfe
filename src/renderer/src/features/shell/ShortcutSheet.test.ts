import { screen, within } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { renderInApp } from '../../testing/render.ts';
import { viewList } from '../../views/view-list.ts';
import ShortcutSheet from './ShortcutSheet.svelte';

it('shows every key that works: of a strip all, and without single-key shortcuts only the others', async () => {
  const { app } = await renderInApp(ShortcutSheet, { views: viewList });
  const sheet = within(screen.getByRole('dialog', { name: 'Keyboard shortcuts' }));
  const keysOf = (title: string) => {
    const group = sheet.getByRole('heading', { name: title }).parentElement;
    return [...(group?.querySelectorAll('kbd') ?? [])].map(({ textContent }) => textContent);
  };
  const list = 'In a list of transactions';
  expect(keysOf('In past check results')).toEqual(['← →', 'Home End', '↑ ↓', 'Enter']);
  expect(keysOf('Everywhere')).toEqual(expect.arrayContaining(['1', 'A', 'Ctrl K']));
  expect(keysOf(list)).toEqual(expect.arrayContaining(['C', '/', 'F', 'H']));
  await app.updateSettings({ letterKeys: false });
  await expect.poll(() => keysOf('Everywhere').filter((keys) => keys.length === 1)).toEqual([]);
  expect(keysOf('Everywhere')).toContain('Ctrl K');
  // The list has the focus when it takes this one.
  expect(keysOf(list).filter((keys) => keys.length === 1)).toEqual(['C']);
});
