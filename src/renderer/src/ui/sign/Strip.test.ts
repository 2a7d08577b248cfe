import { fireEvent, render, screen } from '@testing-library/svelte';
import { describe, expect, it, vi } from 'vitest';
import { setElementSize } from '../../testing/window-size.ts';
import Strip from './Strip.svelte';

const spans = [
  { tone: 'none', words: '13:00 – 13:15 · No data' },
  { tone: 'fail', words: '13:15 – 13:30 · Failing, 3 of 30 runs failed: too slow' },
  { tone: 'pass', words: '13:30 – 13:45 · Passing, 30 runs' },
] as const;

describe('Strip', () => {
  it('reads out each span in words as the arrow keys move over it', async () => {
    const onpoint = vi.fn();
    render(Strip, { label: 'Past check results for C, last 24 hours', spans, onpoint });
    const strip = screen.getByRole('slider', { name: 'Past check results for C, last 24 hours' });

    expect(strip.getAttribute('aria-valuetext')).toBe('13:30 – 13:45 · Passing, 30 runs');
    await fireEvent.keyDown(strip, { key: 'ArrowLeft' });
    expect(strip.getAttribute('aria-valuetext')).toBe(
      '13:15 – 13:30 · Failing, 3 of 30 runs failed: too slow',
    );
    expect(strip.getAttribute('aria-valuenow')).toBe('1');
    expect(onpoint).toHaveBeenLastCalledWith(1);
    await fireEvent.keyDown(strip, { key: 'Home' });
    expect(strip.getAttribute('aria-valuetext')).toBe('13:00 – 13:15 · No data');
    await fireEvent.keyDown(strip, { key: 'ArrowLeft' });
    expect(strip.getAttribute('aria-valuenow')).toBe('0');
  });

  it('leaves keys with a modifier to the app, such as those for the way back', async () => {
    render(Strip, { label: 'Past check results', spans });
    const strip = screen.getByRole('slider');
    for (const modifier of ['altKey', 'ctrlKey', 'metaKey']) {
      const isLeft = await fireEvent.keyDown(strip, { key: 'ArrowLeft', [modifier]: true });
      expect([isLeft, strip.getAttribute('aria-valuenow')]).toEqual([true, '2']);
    }
  });

  it('opens a span by Enter and by a click, and says so', async () => {
    const onopen = vi.fn();
    render(Strip, { label: 'Past check results', spans, onopen });
    const strip = screen.getByRole('slider');
    expect(strip.getAttribute('aria-description')).toBe('Press Enter to open the replay at this time');
    await fireEvent.keyDown(strip, { key: 'ArrowLeft' });
    await fireEvent.keyDown(strip, { key: 'Enter' });
    expect(onopen).toHaveBeenLastCalledWith(1);
    strip.getBoundingClientRect = () => new DOMRect(0, 0, 300, 20);
    await fireEvent.click(strip, { clientX: 10 });
    expect(onopen).toHaveBeenLastCalledWith(0);
    expect(strip.getAttribute('aria-valuenow')).toBe('0');
  });

  it('draws what lies before its beginning as one field, and no bars', async () => {
    setElementSize(400, 20);
    const before = { tone: null, words: '12:45 – 13:00 · Not watched yet' };
    const { container, rerender } = render(Strip, { label: 'Past check results', spans });
    expect(container.querySelector('pattern')).toBeNull();
    await rerender({ label: 'Past check results', spans: [before, ...spans] });
    const field = container.querySelector('svg > rect');
    expect(Number(field?.getAttribute('width'))).toBe(100);
    await fireEvent.keyDown(screen.getByRole('slider'), { key: 'Home' });
    expect(screen.getByRole('slider').getAttribute('aria-valuetext')).toBe(before.words);
  });

  it('can be reached by keyboard and says its range', () => {
    render(Strip, { label: 'Past check results', spans });
    const strip = screen.getByRole('slider');
    expect(strip.tabIndex).toBe(0);
    expect(strip.getAttribute('aria-valuemax')).toBe('2');
  });

  it('has words even when nothing is known yet', () => {
    render(Strip, { label: 'Past check results', spans: [] });
    expect(screen.getByRole('slider').getAttribute('aria-valuetext')).toBe('No data');
  });
});
