import { screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import Eye from '@lucide/svelte/icons/eye';
import { renderInApp } from '../testing/render.ts';
import IconButton from './IconButton.svelte';

const bubble = () => document.querySelector('.tip-bubble[data-shown]')?.textContent;

describe('tip', () => {
  it('shows its words on hover and takes them away afterwards', async () => {
    const { user } = await renderInApp(IconButton, { icon: Eye, label: 'Hide amounts', shortcut: 'P' });
    const button = screen.getByRole('button', { name: 'Hide amounts' });
    await user.hover(button);
    expect(bubble()).toBe('Hide amounts (P)');
    await user.unhover(button);
    expect(bubble()).toBeUndefined();
  });

  it('does not say the name twice, and goes away at Escape', async () => {
    const { user } = await renderInApp(IconButton, { icon: Eye, label: 'Hide amounts', shortcut: 'P' });
    const button = screen.getByRole('button', { name: 'Hide amounts' });
    expect(button.getAttribute('aria-description')).toBe('Shortcut P');
    await user.hover(button);
    button.focus();
    await user.keyboard('{Escape}');
    expect(bubble()).toBeUndefined();
  });
});
