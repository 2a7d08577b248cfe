import { expect, it } from 'vitest';
import { isYounger } from './age.ts';

it.each([
  [null, false],
  [1_000, true],
  [901, true],
  [900, false],
  // A clock that was set back: what is from the future is not known to be fresh.
  [1_001, false],
])('at 1,000, what happened at %s is younger than 100: %s', (atMs, isFresh) => {
  expect(isYounger(atMs, 1_000, 100)).toBe(isFresh);
});
