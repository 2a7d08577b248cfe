import { describe, expect, it } from 'vitest';
import { seriesOf } from './series.ts';

const day = 86_400;
const at = (days: number) => 20_000 * day + days * day;
const ms = (days: number) => at(days) * 1_000;

describe('seriesOf', () => {
  it('puts points in order of time and fills missing buckets with gaps, never with zero', () => {
    const records = [
      { timestamp: at(4), value: '30' },
      { timestamp: at(1), value: '10' },
      { timestamp: at(0), value: '9007199254740993' },
    ];
    const data = seriesOf(records, undefined, ms(9));
    expect(data.interval).toBe('day');
    expect(data.gapCount).toBe(2);
    expect(data.series[0]?.points.map(({ exact }) => exact)).toEqual([
      '9007199254740993',
      '10',
      null,
      null,
      '30',
    ]);
  });

  it('tells whether the last bucket was over when it was fetched', () => {
    const records = [at(0), at(1)].map((timestamp) => ({ timestamp, value: 1 }));
    expect(seriesOf(records, 'day', ms(1.5)).unfinishedFromMs).toBe(ms(1));
    expect(seriesOf(records, 'day', ms(2)).unfinishedFromMs).toBeNull();
  });

  it('knows months of different lengths', () => {
    const months = [0, 1, 2, 4].map((month) => ({ timestamp: Date.UTC(2026, month, 1) / 1_000, value: 1 }));
    const data = seriesOf(months, undefined, Date.UTC(2026, 4, 20));
    expect(data).toMatchObject({ interval: 'month', gapCount: 1, unfinishedFromMs: Date.UTC(2026, 4, 1) });
  });

  it('makes a series of each label, the largest first, and says how many are left out', () => {
    const records = Array.from({ length: 10 }, (_, index) => ({
      timestamp: at(0),
      value: index,
      srcBlockchainId: `chain-${index}`,
    }));
    const data = seriesOf(records, 'day', ms(5));
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
    expect(seriesOf(records, 'day', ms(5)).series).toMatchObject([{ name: 'a', points: [{}, {}] }]);
  });

  it('leaves out what is no point', () => {
    expect(seriesOf([null, {}, { timestamp: 'x', value: 1 }, { timestamp: 5 }], 'day', 0).series).toEqual([]);
  });
});
