import { expect, it } from 'vitest';
import { heightOf } from './draw-chart.ts';

it.each([
  ['1500000000', 1e9, 1.5],
  ['0', 1, 0],
  [null, 1, null],
  // The axis of such a value was reckoned for ever, which froze the window.
  ['1.7e308', 1, null],
  ['9'.repeat(400), 1, null],
])('the point of %s, in units of %s, is drawn at %s', (exact, scale, height) => {
  expect(heightOf(exact, scale)).toBe(height);
});
