import Ellipsis from '@lucide/svelte/icons/ellipsis';
import { fireEvent, render, screen } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import Menu from './Menu.svelte';

const items = (...texts: string[]) => texts.map((text) => ({ text, icon: Ellipsis, run: () => undefined }));

function focused(): string | undefined {
  return document.activeElement?.textContent.trim();
}

describe('a menu', () => {
  it('is used by keyboard: it opens by an arrow, moves by arrows, Home, End and letters, and gives the focus back', async () => {
    const user = userEvent.setup();
    render(Menu, { label: 'Row', items: items('Copy', 'Hide', 'Open', 'Hide token') });
    const button = screen.getByRole('button', { name: 'Row' });
    button.focus();
    await user.keyboard('{ArrowDown}');
    expect(focused()).toBe('Copy');
    for (const [key, text] of [
      ['{ArrowUp}', 'Hide token'],
      ['{ArrowDown}', 'Copy'],
      ['{End}', 'Hide token'],
      ['{Home}', 'Copy'],
      ['h', 'Hide'],
      ['h', 'Hide token'],
      ['o', 'Open'],
    ] as const) {
      await user.keyboard(key);
      expect(focused()).toBe(text);
    }
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('menu')).toBeNull();
    expect(document.activeElement).toBe(button);
  });

  it('is not used by the key that has opened it and is still held down', async () => {
    const user = userEvent.setup();
    render(Menu, { label: 'Row', items: items('Copy') });
    screen.getByRole('button', { name: 'Row' }).focus();
    await user.keyboard('{Enter}');
    const press = (init: KeyboardEventInit) => fireEvent.keyDown(screen.getByRole('menuitem'), init);
    // Unless it is cancelled, the browser makes a click of it.
    expect(await press({ key: 'Enter', repeat: true })).toBe(false);
    expect(await press({ key: 'Enter' })).toBe(true);
  });

  it('holds what two strangers call the same', async () => {
    const user = userEvent.setup();
    render(Menu, { label: 'Row', items: items('Hide token USDC', 'Hide token USDC') });
    await user.click(screen.getByRole('button', { name: 'Row' }));
    expect(screen.getAllByRole('menuitem')).toHaveLength(2);
  });

  it('closes when another one is opened, and by a second press of its own button', async () => {
    const user = userEvent.setup();
    render(Menu, { label: 'First', items: items('A') });
    render(Menu, { label: 'Second', items: items('B') });
    await user.click(screen.getByRole('button', { name: 'First' }));
    await user.click(screen.getByRole('button', { name: 'Second' }));
    expect(screen.getAllByRole('menu').map((menu) => menu.getAttribute('aria-label'))).toEqual(['Second']);
    await user.click(screen.getByRole('button', { name: 'Second' }));
    expect(screen.queryByRole('menu')).toBeNull();
  });
});
