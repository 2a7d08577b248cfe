import { describe, expect, it } from 'vitest';
import { readBound, readRange, writeBound } from './range-input.ts';

describe('one end of a range', () => {
  it.each([
    ['amount', '', null],
    ['amount', ' 1250.5 ', '1250.5'],
    ['amount', '1,250.5', '1250.5'],
    ['value', '-3', '-3'],
    ['block', '51,204,331', '51204331'],
    ['block', '007', '7'],
    ['block', '0', '0'],
  ] as const)('%s %s', (field, text, bound) => {
    expect(readBound(field, text, 'min')).toEqual({ ok: true, bound });
  });

  it.each([
    ['amount', 'much'],
    ['amount', '1,25'],
    ['block', '-1'],
    ['block', '1.5'],
    ['time', 'yesterday'],
    ['time', '09/16/2026 14:05'],
    ['time', '2026-02-31'],
    ['time', '2026-09-16 25:00'],
  ] as const)('refuses %s %s', (field, text) => {
    expect(readBound(field, text, 'min').ok).toBe(false);
  });

  it('takes a minute with all of its milliseconds, and writes it back', () => {
    const min = readBound('time', '2026-09-16T14:05', 'min');
    const max = readBound('time', '2026-09-16T14:05', 'max');
    expect(min).toEqual({ ok: true, bound: String(Date.UTC(2026, 8, 16, 14, 5)) });
    expect(max).toEqual({ ok: true, bound: String(Date.UTC(2026, 8, 16, 14, 5, 59, 999)) });
    expect(writeBound('time', min.ok ? min.bound : null)).toBe('2026-09-16 14:05');
    expect(writeBound('amount', null)).toBe('');
  });
});

describe('a date alone', () => {
  it('is from its first to its last minute', () => {
    expect(readRange('time', { min: '2026-03-01', max: '2026-03-31' })).toEqual({
      ...{ ok: true, min: String(Date.UTC(2026, 2, 1)), max: String(Date.UTC(2026, 3, 1) - 1) },
    });
  });
});

describe('both ends', () => {
  const range = (min: string, max: string) => readRange('amount', { min, max });

  it('keeps every digit of numbers that no double holds', () => {
    const huge = '340282366920938463463374607431768211455.000000000000000001';
    expect(range('', huge)).toEqual({ ok: true, min: null, max: huge });
    expect(range(huge, huge).ok).toBe(true);
    expect(range(huge, huge.replace(/1$/, '0')).ok).toBe(false);
  });

  it('refuses no ends, and ends in the wrong order', () => {
    expect(range('', '')).toMatchObject({ ok: false });
    expect(range('10', '9.99')).toMatchObject({ ok: false });
    expect(range('1e3', '1000').ok).toBe(true);
    expect(range('x', '1')).toMatchObject({ ok: false });
    expect(readRange('time', { min: '2026-02-01', max: '2026-01-31' })).toMatchObject({
      problem: '“From” can’t be after “To”.',
    });
  });
});
