import { expect, it } from 'vitest';
import { columnsOf, rowOf, usualColumns } from './result-rows.ts';

it('of thousands of columns the first are shown, and all of them are found at once', () => {
  const keys = Array.from({ length: 5_000 }, (_, index) => `key${index}`);
  const row = rowOf({ message: Object.fromEntries(keys.map((key) => [key, { a: 1, b: 2 }])) }, 0);
  const before = process.cpuUsage();
  const columns = columnsOf([row]);
  // Each column was compared with each other one: five seconds.
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000);
  expect(columns.map(({ label }) => label).slice(0, 3)).toEqual(['key0.a', 'key0.b', 'key1.a']);
  expect(columns).toHaveLength(10_000);
  expect(usualColumns(columns)).toHaveLength(60);
});
