import { describe, expect, it } from 'vitest';
import { barPath, spanAfterKey, type StripSpan } from './strip-span.ts';

const span = (tone: StripSpan['tone']): StripSpan => ({ tone, words: '' });

describe('the shapes of a strip', () => {
  const spans = [span('pass'), span('fail'), span('none'), span('pass')];

  it('is full for what is well, and has a gap for what is not, so that colour is not the only sign', () => {
    expect(barPath(spans, 'pass', 40, 20)).toBe('M0 20v-20h9v20zM30 20v-20h9v20z');
    expect(barPath(spans, 'fail', 40, 20)).toBe('M10 20v-4h9v4zM10 13v-13h9v13z');
    const gone = [{ tone: 'gone' as const, words: '' }];
    expect(barPath(gone, 'gone', 10, 20)).toBe('M0 20v-5h9v5zM0 5v-5h9v5z');
    expect(barPath(spans, 'none', 40, 20)).toBe('M20 20v-1h9v1z');
  });

  it('fills the whole width with whole pixels, whatever does not divide evenly', () => {
    const many = Array.from({ length: 7 }, () => span('pass'));
    const lefts = [...barPath(many, 'pass', 100, 10).matchAll(/M(\d+) 10v-10h(\d+)/g)].map((match) => [
      Number(match[1]),
      Number(match[2]),
    ]);
    expect(lefts).toHaveLength(7);
    expect(lefts.at(-1)).toEqual([86, 13]);
    expect(lefts.every(([left, wide]) => Number.isInteger(left) && Number.isInteger(wide))).toBe(true);
  });
});

describe('more spans than pixels', () => {
  it('leaves none of them out', () => {
    const many = Array.from({ length: 365 }, (_, index) => span(index === 200 ? 'fail' : 'pass'));
    expect(barPath(many, 'fail', 120, 20)).toMatch(/^M66 20v-4h1v4zM66 13v-13h1v13z$/);
  });
});

describe('keys on a strip', () => {
  it.each([
    ['ArrowLeft', 5, 4],
    ['ArrowLeft', 0, 0],
    ['ArrowRight', 9, 9],
    ['ArrowUp', 5, 6],
    ['PageDown', 5, 0],
    ['Home', 5, 0],
    ['End', 5, 9],
  ])('%s moves from %i to %i', (key, from, to) => {
    expect(spanAfterKey(key, from, 10)).toBe(to);
  });

  it('leaves every other key to the page', () => {
    expect(spanAfterKey('Tab', 5, 10)).toBeNull();
    expect(spanAfterKey('a', 5, 10)).toBeNull();
  });
});
