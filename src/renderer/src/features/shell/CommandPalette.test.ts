import { screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { renderInApp } from '../../testing/render.ts';
import { viewList } from '../../views/view-list.ts';
import CommandPalette from './CommandPalette.svelte';

describe('CommandPalette', () => {
  it('runs what the arrow keys have chosen', async () => {
    const { navigation, user } = await renderInApp(CommandPalette, { views: viewList });
    const field = screen.getByRole('combobox');
    await user.type(field, 'go to');
    expect(screen.getAllByRole('option')).toHaveLength(5);
    await user.keyboard('{ArrowDown}{ArrowDown}');
    const chosen = screen.getByRole('option', { selected: true });
    expect(chosen.textContent).toContain('Go to Nodes');
    expect(field.getAttribute('aria-activedescendant')).toBe(chosen.id);
    await user.keyboard('{Enter}');
    expect(navigation.view).toBe('nodes');
  });

  it('says when nothing is found', async () => {
    const { user } = await renderInApp(CommandPalette, { views: viewList });
    await user.type(screen.getByRole('combobox'), 'zzz');
    expect(screen.getByText('No results')).toBeTruthy();
    await user.keyboard('{ArrowDown}{Enter}');
    expect(screen.getByRole('combobox')).toBeTruthy();
  });
});
