import { describe, expect, it } from 'vitest';
import { seriesOf } from './series.ts';

const day = 86_400;
const at = (days: number) => 20_000 * day + days * day;
const ms = (days: number) => at(days) * 1_000;
const page = (records: unknown[], fetchedAtMs = ms(1_000)) => ({ records, fetchedAtMs });
const points = (...days: number[]) => days.map((days_, value) => ({ timestamp: at(days_), value }));

describe('seriesOf', () => {
  it('puts points in order of time and fills missing buckets with gaps, never with zero', () => {
    const records = [
      { timestamp: at(4), value: '30' },
      { timestamp: at(1), value: '10' },
      { timestamp: at(0), value: '9007199254740993' },
    ];
    const data = seriesOf([page(records)], 'day');
    expect(data.gapCount).toBe(2);
    expect(data.series[0]?.points.map(({ exact }) => exact)).toEqual([
      '9007199254740993',
      '10',
      null,
      null,
      '30',
    ]);
  });

  it('judges each bucket by the time of its own page', () => {
    const old = page(points(0, 1), ms(1.5));
    expect(seriesOf([old], 'day').unfinishedMs).toEqual([ms(1)]);
    expect(seriesOf([page(points(0, 1), ms(2))], 'day').unfinishedMs).toEqual([]);
    // The next page came days later, with older points, and says nothing about the half day on the first.
    expect(seriesOf([old, page(points(-2, -1), ms(4.5))], 'day').unfinishedMs).toEqual([ms(1)]);
    const both = seriesOf([old, page(points(1, 4), ms(4.5))], 'day');
    expect(both.series[0]?.points.map(({ isUnfinished }) => isUnfinished)).toEqual([
      ...[false, false, false, false, true],
    ]);
  });

  it.each([
    ['days', 1],
    ['weeks', 14],
    ['months', 30],
  ])('does not take points that are %s apart for such buckets', (_, apart) => {
    const data = seriesOf([page(points(0, apart))], undefined);
    expect(data).toMatchObject({ interval: null, gapCount: 0, unfinishedMs: [] });
  });

  it('invents no gap beside a point within its day', () => {
    expect(seriesOf([page(points(0.5, 1, 2))], 'day').gapCount).toBe(0);
    expect(seriesOf([page(points(0.5, 2))], 'day').gapCount).toBe(1);
  });

  it('has gaps in a series of any length, and counts all of their buckets', () => {
    const hours = Array.from({ length: 30_000 }, (_, hour) => hour).filter((hour) => hour < 10 || hour >= 20);
    const records = hours.map((hour) => ({ timestamp: at(0) + hour * 3_600, value: 1 }));
    const data = seriesOf([page(records, ms(2_000))], 'hour');
    expect(data.gapCount).toBe(10);
    expect(data.series[0]?.points[10]).toMatchObject({ ms: ms(0) + 10 * 3_600_000, exact: null });
    // Without the millions of hours before a broken point.
    const far = seriesOf([page(points(0, 1_000_000))], 'hour');
    expect(far).toMatchObject({ gapCount: 23_999_999, series: [{ points: [{}, { exact: null }, {}] }] });
  });

  it('knows weeks from Monday, and months of different lengths', () => {
    const seconds = (...date: [number, number, number]) => Date.UTC(...date) / 1_000;
    const records = (...dates: number[]) => [page(dates.map((timestamp) => ({ timestamp, value: 1 })))];
    const months = [0, 1, 2, 4].map((month) => seconds(2026, month, 1));
    expect(seriesOf(records(...months), 'month').gapCount).toBe(1);
    // Mondays, and a Wednesday in the week after.
    expect(seriesOf(records(seconds(2026, 8, 7), seconds(2026, 8, 16)), 'week').gapCount).toBe(0);
    expect(seriesOf(records(seconds(2026, 8, 7), seconds(2026, 8, 21)), 'week').gapCount).toBe(1);
  });

  it('draws the newest of several values for one time, has the others, and counts them', () => {
    const older = page([{ timestamp: at(0), value: '5' }], ms(9));
    const newer = page([{ timestamp: at(0), value: '7' }], ms(10));
    for (const pages of [
      [older, newer],
      [newer, older],
    ]) {
      const data = seriesOf(pages, 'day');
      expect(data.conflictCount).toBe(1);
      expect(data.series[0]?.points).toMatchObject([{ exact: '7', others: ['5'] }]);
    }
    expect(seriesOf([older, older], 'day').conflictCount).toBe(0);
    const unknownField = ['a', 'b'].map((route, value) => ({ timestamp: at(0), value, route }));
    expect(seriesOf([page(unknownField)], 'day').conflictCount).toBe(1);
  });

  it('makes a series of each label, the largest first, and says how many are left out', () => {
    const records = Array.from({ length: 10 }, (_, index) => ({
      timestamp: at(0),
      value: index,
      srcBlockchainId: `chain-${index}`,
    }));
    const data = seriesOf([page(records)], 'day');
    expect(data.series).toHaveLength(8);
    expect(data.series[0]?.name).toBe('chain-9');
    expect(data.leftOut).toBe(2);
  });

  it('makes none of a text that the interface does not know', () => {
    const records = [0, 1].map((n) => ({
      timestamp: at(n),
      value: n,
      note: `odd ${n}`,
      srcBlockchainId: 'a',
    }));
    expect(seriesOf([page(records)], 'day').series).toMatchObject([{ name: 'a', points: [{}, {}] }]);
  });

  it('leaves out what is no point', () => {
    const odd = [null, {}, { timestamp: 'x', value: 1 }, { timestamp: 5 }];
    expect(seriesOf([page(odd)], 'day').series).toEqual([]);
  });
});
