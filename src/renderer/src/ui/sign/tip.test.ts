import { screen } from '@testing-library/svelte';
import { describe, expect, it, vi } from 'vitest';
import Eye from '@lucide/svelte/icons/eye';
import { renderInApp } from '../../testing/render.ts';
import IconButton from '../control/IconButton.svelte';
import { tipsWithin } from './tip.ts';

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

describe('tips within a list', () => {
  it('shows the words of what the pointer rests on, and none while rows go by', async () => {
    const list = document.createElement('div');
    list.innerHTML = '<p data-tip="First">1</p><p data-tip="Second">2</p>';
    document.body.append(list);
    const [first, second] = list.querySelectorAll('p');
    if (first === undefined || second === undefined) throw new Error('no list');
    vi.useFakeTimers();
    const end = tipsWithin(list);
    const over = (element: HTMLElement) =>
      element.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
    over(first);
    vi.advanceTimersByTime(50);
    over(second);
    vi.advanceTimersByTime(149);
    expect(bubble()).toBeUndefined();
    vi.advanceTimersByTime(1);
    expect(bubble()).toBe('Second');
    list.dispatchEvent(new Event('scroll'));
    expect(bubble()).toBeUndefined();
    over(first);
    if (typeof end === 'function') end();
    vi.advanceTimersByTime(500);
    expect(bubble()).toBeUndefined();
    vi.useRealTimers();
    list.remove();
  });
});
