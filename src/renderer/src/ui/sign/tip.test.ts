import { screen } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import Eye from '@lucide/svelte/icons/eye';
import { renderInApp } from '../../testing/render.ts';
import { setElementSize } from '../../testing/window-size.ts';
import IconButton from '../control/IconButton.svelte';
import { listenForTips } from './tip.ts';

const bubble = () => document.querySelector('.tip-bubble[data-shown]')?.textContent;
let end: () => void;

beforeEach(() => {
  end = listenForTips();
});
afterEach(() => end());

describe('tips', () => {
  it('show their words on hover and take them away afterwards', async () => {
    const { user } = await renderInApp(IconButton, { icon: Eye, label: 'Hide amounts', shortcut: 'P' });
    const button = screen.getByRole('button', { name: 'Hide amounts' });
    await user.hover(button);
    await expect.poll(bubble).toBe('Hide amounts (P)');
    await user.unhover(button);
    expect(bubble()).toBeUndefined();
  });

  it('do not say the name twice, and go away at Escape', async () => {
    const { user } = await renderInApp(IconButton, { icon: Eye, label: 'Hide amounts', shortcut: 'P' });
    const button = screen.getByRole('button', { name: 'Hide amounts' });
    expect(button.getAttribute('aria-description')).toBe('Shortcut P');
    await user.hover(button);
    await expect.poll(bubble).toBe('Hide amounts (P)');
    await user.keyboard('{Escape}');
    expect(bubble()).toBeUndefined();
  });

  it('of something private are as unreadable as it is', () => {
    vi.useFakeTimers();
    const list = document.createElement('div');
    list.innerHTML = '<p data-tip="Open">1</p><p class="private"><b data-tip="37.784 AVAX">37</b></p>';
    document.body.append(list);
    for (const [selector, isPrivate] of [
      ['b', true],
      ['p', false],
    ] as const) {
      list.querySelector(selector)?.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
      vi.advanceTimersByTime(150);
      expect(document.querySelector('.tip-bubble')?.classList.contains('private')).toBe(isPrivate);
    }
    list.remove();
    vi.useRealTimers();
  });

  it('begin within the window, however low that is', async () => {
    const { user } = await renderInApp(IconButton, { icon: Eye, label: 'Hide amounts' });
    setElementSize(640, 400);
    const button = screen.getByRole('button');
    const boxes = vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect');
    boxes.mockImplementation(function (this: HTMLElement) {
      return this === button ? new DOMRect(20, 200, 20, 20) : new DOMRect(0, 0, 320, 300);
    });
    await user.hover(button);
    await expect.poll(bubble).toBe('Hide amounts');
    expect(document.querySelector<HTMLElement>('.tip-bubble')?.style.top).toBe('8px');
    boxes.mockRestore();
    setElementSize(0, 0);
  });

  it('come by F1 to what Tab passes by, from one to the next, and begin anew at the end', async () => {
    const { user } = await renderInApp(IconButton, { icon: Eye, label: 'Hide amounts' });
    const part = document.createElement('div');
    part.innerHTML =
      '<p data-tip="One">1</p><button><i data-tip="Of a button">b</i></button><div role="grid"><i data-tip="Of a cell">c</i></div><p data-tip="Two">2</p><p data-tip="">3</p>';
    document.body.append(part);
    const first = part.querySelector('p');
    for (const [keys, words] of [
      ['{F1}', 'One'],
      ['{F1}', 'Two'],
      ['{F1}', 'One'],
      ['{Shift>}{F1}{/Shift}', 'Two'],
      ['{Shift>}{F1}{/Shift}', 'One'],
    ]) {
      await user.keyboard(keys ?? '');
      await expect.poll(bubble).toBe(words);
    }
    // It comes into view by itself, and something else under the pointer, which take nothing away.
    part.dispatchEvent(new Event('scroll'));
    for (const name of ['pointerover', 'pointermove'])
      document.body.dispatchEvent(new PointerEvent(name, { bubbles: true }));
    document.body.dispatchEvent(new PointerEvent('pointerleave'));
    expect(bubble()).toBe('One');
    const second = part.querySelectorAll('p')[1];
    second?.dispatchEvent(new PointerEvent('pointermove', { bubbles: true, movementX: 1 }));
    await expect.poll(bubble).toBe('Two');
    // It is no stop of Tab.
    expect(document.activeElement).toBe(first);
    part.querySelector('button')?.focus();
    expect(first?.hasAttribute('tabindex')).toBe(false);
    part.remove();
  });

  it('of a list come for what the pointer rests on, and not while rows go by', () => {
    const list = document.createElement('div');
    list.innerHTML = '<p data-tip="First">1</p><p data-tip="Second">2</p>';
    document.body.append(list);
    const [first, second] = list.querySelectorAll('p');
    if (first === undefined || second === undefined) throw new Error('no list');
    vi.useFakeTimers();
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
    list.remove();
    vi.advanceTimersByTime(500);
    expect(bubble()).toBeUndefined();
    vi.useRealTimers();
  });

  it('go away with what they explain, also where a key took it away', () => {
    const row = document.createElement('p');
    row.dataset['tip'] = 'Of a row';
    document.body.append(row);
    vi.useFakeTimers();
    const over = (element: HTMLElement) =>
      element.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
    over(row);
    vi.advanceTimersByTime(150);
    expect(bubble()).toBe('Of a row');
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', ctrlKey: true, bubbles: true }));
    expect(bubble()).toBe('Of a row');
    row.remove();
    over(document.body);
    expect(bubble()).toBeUndefined();
    vi.useRealTimers();
  });
});
