import { fireEvent, screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import Shell from '../features/shell/Shell.svelte';
import { renderInApp } from '../testing/render.ts';
import ActivityView from './ActivityView.svelte';
import { viewList } from './view-list.ts';

/** Keys by their place on the keyboard, as a layout of another script, or with caps lock, gives them. */
const press = (key: string, code: string, init: KeyboardEventInit = {}) =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key, code, ...init });

describe('shortcuts', () => {
  it('work where the keyboard writes Cyrillic or Greek', async () => {
    const { navigation, messages } = await renderInApp(Shell, { views: viewList });
    await press('л', 'KeyK', { ctrlKey: true });
    expect(navigation.dialog).toEqual({ kind: 'palette' });
    navigation.closeDialog();
    await press('ν', 'KeyN');
    expect(navigation.dialog).toEqual({ kind: 'add-node' });
    navigation.closeDialog();
    messages.removed('Node removed.', { undoId: 'a' });
    await press('я', 'KeyZ', { ctrlKey: true });
    expect(messages.undoable).toBeNull();
  });

  it('are those of the letters where a layout has these at other places', async () => {
    const { navigation } = await renderInApp(Shell, { views: viewList });
    // Dvorak has the K at the place of the V, and German letters beyond the alphabet are none of them.
    await press('k', 'KeyV', { ctrlKey: true });
    expect(navigation.dialog).toEqual({ kind: 'palette' });
    navigation.closeDialog();
    await press('ö', 'Semicolon');
    expect(navigation.dialog).toBeNull();
  });

  it('of the timeline work there, too, and with caps lock', async () => {
    const { navigation, bridge } = await renderInApp(ActivityView, {});
    const grid = await screen.findByRole('grid', { name: 'Transactions' });
    for (const [key, shown] of [
      ['р', true],
      ['H', false],
    ] as const) {
      await press(key, 'KeyH');
      expect(navigation.filter.showHidden).toBe(shown);
    }
    await expect.poll(() => grid.querySelectorAll('[data-place]').length).toBeGreaterThan(0);
    grid.focus();
    await press('C', 'KeyC');
    for (let step = 0; step < 3; step += 1) await press('ArrowRight', 'ArrowRight');
    await press('С', 'KeyC', { shiftKey: true });
    await expect.poll(() => bridge.argsOf('app.copyText')).toHaveLength(2);
    const [row, cell] = bridge.argsOf('app.copyText').map(({ text }) => text.split('\t').length);
    expect(row).toBeGreaterThan(1);
    expect(cell).toBe(1);
  });
});
