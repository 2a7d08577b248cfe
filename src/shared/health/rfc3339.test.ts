import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isZeroTime, parseRfc3339 } from './rfc3339.ts';

describe('parseRfc3339', () => {
  it.each([
    ['2026-09-01T12:00:00Z', Date.UTC(2026, 8, 1, 12)],
    ['2026-09-01t12:00:00z', Date.UTC(2026, 8, 1, 12)],
    ['2026-09-01T12:00:00.1Z', Date.UTC(2026, 8, 1, 12, 0, 0, 100)],
    ['2026-09-01T12:00:00.123456789Z', Date.UTC(2026, 8, 1, 12, 0, 0, 123)],
    ['2026-09-01T12:00:00.999999999+05:30', Date.UTC(2026, 8, 1, 6, 30, 0, 999)],
    ['2026-09-01T00:30:00-11:45', Date.UTC(2026, 8, 1, 12, 15)],
    ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
    ['2016-12-31T23:59:60Z', Date.UTC(2017, 0, 1)],
    ['1969-12-31T23:59:59.5Z', -500],
    ['9999-12-31T23:59:59Z', Date.UTC(9999, 11, 31, 23, 59, 59)],
  ])('%s', (text, ms) => {
    expect(parseRfc3339(text)).toBe(ms);
  });

  it.each([
    '',
    '2026-09-01',
    '2026-09-01 12:00:00Z',
    '2026-09-01T12:00:00',
    '2026-09-01T12:00:00.Z',
    '2026-09-01T12:00:00.1234567890Z',
    '2026-09-01T12:00:00+0530',
    '2026-13-01T12:00:00Z',
    '2026-00-01T12:00:00Z',
    '2026-02-29T12:00:00Z',
    '2100-02-29T12:00:00Z',
    '2026-04-31T12:00:00Z',
    '2026-09-00T12:00:00Z',
    '2026-09-01T24:00:00Z',
    '2026-09-01T12:60:00Z',
    '2026-09-01T12:00:61Z',
    '2026-09-01T12:00:00+24:00',
    '12026-09-01T12:00:00Z',
    '2026-09-01T12:00:00Z ',
    '0001-01-01T00:00:00Z',
    '0001-01-01T01:24:00+01:24',
    '0000-12-31T22:00:00-02:00',
  ])('%j is no time', (text) => {
    expect(parseRfc3339(text)).toBeNull();
  });

  it('agrees with the calendar of the runtime on every day', () => {
    const range = { min: new Date('0100-01-01T00:00:00Z'), max: new Date('9999-12-30T00:00:00Z') };
    fc.assert(
      fc.property(
        fc.date({ ...range, noInvalidDate: true }),
        fc.integer({ min: -1439, max: 1439 }),
        (date, zone) => {
          expect(parseRfc3339(date.toISOString())).toBe(date.getTime());
          const local = new Date(date.getTime() + zone * 60_000).toISOString().slice(0, -1);
          const digits = (value: number): string => String(value).padStart(2, '0');
          const size = Math.abs(zone);
          const offset = `${zone < 0 ? '-' : '+'}${digits(Math.floor(size / 60))}:${digits(size % 60)}`;
          expect(parseRfc3339(local + offset)).toBe(date.getTime());
        },
      ),
    );
  });
});

describe('isZeroTime', () => {
  it('knows the zero time in any zone, and nothing else', () => {
    expect(isZeroTime('0001-01-01T00:00:00Z')).toBe(true);
    expect(isZeroTime('0001-01-01T01:24:00+01:24')).toBe(true);
    expect(isZeroTime('0001-01-01')).toBe(false);
    expect(isZeroTime('2001-01-01T00:00:00Z')).toBe(false);
  });
});
