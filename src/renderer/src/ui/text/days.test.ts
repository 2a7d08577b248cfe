import { expect, it } from 'vitest';
import { dayMs } from '../../../../shared/time.ts';
import { spanOfDays } from './days.ts';

it.each([
  ['2026-09-10', '2026-09-12', Date.UTC(2026, 8, 10), Date.UTC(2026, 8, 13)],
  ['20255-01-01', '20255-01-01', Date.UTC(20_255, 0, 1), Date.UTC(20_255, 0, 2)],
  ['', '9999-12-31', null, Date.UTC(10_000, 0, 1)],
  ['275760-09-12', '275760-09-13', 8.64e15 - dayMs, null],
  ['', '', null, null],
])(
  'is from %j to the end of %j, as a date field writes them, also after a slip in the year',
  (from, to, fromMs, beforeMs) => {
    expect(spanOfDays(from, to)).toEqual({ fromMs, beforeMs });
  },
);
