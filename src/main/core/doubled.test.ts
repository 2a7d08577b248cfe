import { expect, it } from 'vitest';
import { doubledMs } from './doubled.ts';

it.each([
  // Where the rule stood four times, three halved the pause before any failure.
  [0, 10],
  [1, 10],
  [2, 20],
  [4, 80],
  [5, 100],
  [5_000, 100],
])('after %i failures: %i', (failures, pauseMs) => {
  expect(doubledMs(10, 100, failures)).toBe(pauseMs);
});
