import { describe, expect, it } from 'vitest';
import { timestampToMs } from './time.ts';

describe('timestampToMs', () => {
  it.each([
    ['seconds', 1_700_000_000, 1_700_000_000_000],
    ['the epoch', 0, 0],
    ['the last second that is taken as seconds', 99_999_999_999, 99_999_999_999_000],
    ['milliseconds, told by their size', 1_700_000_000_123, 1_700_000_000_123],
    ['the first that is taken as milliseconds', 100_000_000_000, 100_000_000_000],
    ['a part of a second', 1_700_000_000.75, 1_700_000_000_750],
    ['the last time that a date can hold', 8.64e15, 8.64e15],
  ])('reads %s', (_name, value, ms) => {
    expect(timestampToMs(value)).toBe(ms);
  });

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY, 8.64e15 + 1, 1e300])('is null for %s', (value) => {
    expect(timestampToMs(value)).toBeNull();
  });
});
