import { describe, expect, it } from 'vitest';
import { barHeight, placeOfSlot, poolSize, scrollTopFor, topAfterScroll } from './scroll-map.ts';

const short = { contentPx: 40_000, viewPx: 800 };
/** A million rows. */
const tall = { contentPx: 40_000_000, viewPx: 800 };

describe('a list that the bar can hold', () => {
  it('is where the bar is', () => {
    expect(barHeight(short.contentPx)).toBe(40_000);
    expect(topAfterScroll({ scrollTop: 0, top: 0 }, 1_234, short)).toBe(1_234);
    expect(scrollTopFor(1_234, short)).toBe(1_234);
    expect(scrollTopFor(99_999, short)).toBe(39_200);
  });

  it('stays at its beginning when it is shorter than the window', () => {
    expect(scrollTopFor(50, { contentPx: 80, viewPx: 800 })).toBe(0);
  });
});

describe('a list taller than any page', () => {
  it('keeps the page within what browsers can draw', () => {
    expect(barHeight(tall.contentPx)).toBeLessThanOrEqual(15_000_000);
  });

  it('moves pixel by pixel with the wheel', () => {
    expect(topAfterScroll({ scrollTop: 5_000, top: 20_000_123 }, 5_100, tall)).toBe(20_000_223);
    expect(topAfterScroll({ scrollTop: 5_000, top: 20_000_123 }, 4_900, tall)).toBe(20_000_023);
  });

  it('reaches both ends when the bar does', () => {
    const end = barHeight(tall.contentPx) - tall.viewPx;
    expect(topAfterScroll({ scrollTop: 0, top: 0 }, end, tall)).toBe(tall.contentPx - tall.viewPx);
    expect(topAfterScroll({ scrollTop: end, top: 39_999_200 }, 0, tall)).toBe(0);
  });

  it('never leaves the list', () => {
    expect(topAfterScroll({ scrollTop: 300, top: 50 }, 0, tall)).toBe(0);
    expect(topAfterScroll({ scrollTop: 0, top: 39_999_190 }, 300, tall)).toBe(39_999_200);
  });

  it.each([0, 40, 1_000_000, 20_000_000, 39_999_160, 39_999_200])(
    'finds %d again by the bar to a part of a screen',
    (top) => {
      const bar = scrollTopFor(top, tall);
      expect(Math.abs(topAfterScroll({ scrollTop: -1e9, top: 0 }, bar, tall) - top)).toBeLessThan(3);
    },
  );
});

describe('the pool of rows', () => {
  it.each([
    [800, 40, 0, 21],
    [800, 40, 8, 29],
    [2_160, 40, 8, 60],
    // A window so tall that it shows more rows than that.
    [4_000, 40, 8, 101],
  ])('%d px of rows of %d px and %d around them: %d', (view, height, spare, expected) => {
    expect(poolSize(view, height, spare)).toBe(expected);
  });

  it('leaves a row in its slot as long as it is in the pool', () => {
    const places = (start: number) => Array.from({ length: 7 }, (_, slot) => placeOfSlot(slot, start, 7));
    for (const start of [0, 1, 6, 7, 1_000_003]) {
      expect([...places(start)].sort((a, b) => a - b)).toEqual(
        Array.from({ length: 7 }, (_, index) => start + index),
      );
    }
    const changed = places(10).filter((place, slot) => place !== places(11)[slot]);
    expect(changed).toEqual([10]);
  });
});
