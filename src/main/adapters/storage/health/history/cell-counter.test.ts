import { expect, test } from 'vitest';
import { CellCounter, quarterMs } from './cell-counter.ts';

test('a failure that a node reported later has the words of this version, also in a day that an earlier one packed', () => {
  const counter = new CellCounter(0, quarterMs, 2);
  const failed = { check: 'C', state: 'fail', length: 1 } as const;
  counter.addQuarters(
    { ...failed, start: 0, count: 0, firstError: 'As the node said afterwards; nobody saw it.' },
    0,
    () => false,
  );
  counter.addQuarters({ ...failed, start: 1, count: 3, firstError: 'timeout' }, 0, () => false);
  expect(counter.counted().map(({ firstError }) => firstError)).toEqual([
    'Reported by the node later, not observed.',
    'timeout',
  ]);
});
