import { afterEach, describe, expect, it } from 'vitest';
import { shortHash } from '../../../../shared/text.ts';
import {
  formatAge,
  formatCount,
  formatCountdown,
  formatDay,
  formatMinute,
  formatPlural,
  formatSecond,
  formatShort,
  formatSpan,
  formatTime,
  groupDigits,
  isoTime,
  isSameDay,
  localNumbers,
} from './format.ts';
import { setNotation, setTimeZone } from './notation.svelte.ts';

describe('times', () => {
  const ms = Date.UTC(2026, 8, 6, 4, 5, 7);

  it('writes a moment with every figure padded', () => {
    expect(formatMinute(ms)).toBe('2026-09-06 04:05');
  });

  it('writes a day and a time of the day apart', () => {
    expect(formatDay(ms)).toBe('Sun 6 Sept 2026');
    expect(formatTime(ms, 'clock')).toBe('04:05:07');
  });

  it.each(['utc', 'local'] as const)('tells days apart in %s', (zone) => {
    setTimeZone(zone);
    const noon = zone === 'utc' ? Date.UTC(2026, 8, 6, 12) : new Date(2026, 8, 6, 12).getTime();
    expect(isSameDay(noon, noon + 11 * 3_600_000)).toBe(true);
    expect(isSameDay(noon, noon + 13 * 3_600_000)).toBe(false);
    expect(isSameDay(noon, noon - 365 * 86_400_000)).toBe(false);
  });

  it('leaves the date out only on the same day', () => {
    expect(formatShort(ms, ms + 3_600_000)).toBe('04:05');
    expect(formatShort(ms, ms + 86_400_000)).toBe('2026-09-06 04:05');
  });

  it.each([
    [0, 'just now'],
    [29_999, 'just now'],
    [-60_000, 'just now'],
    [30_000, '30 s ago'],
    [59_999, '30 s ago'],
    [60_000, '1 min ago'],
    [3_600_000, '1 h ago'],
    [86_400_000 * 40, '40 d ago'],
  ])('says that %i ms ago is %s', (age, words) => {
    expect(formatAge(ms - age, ms)).toBe(words);
  });

  it('counts down to zero and not below', () => {
    expect(formatCountdown(65_000)).toBe('1:05 min');
    expect(formatCountdown(1)).toBe('1 s');
    expect(formatCountdown(-5)).toBe('0 s');
  });

  it('names spans by their largest unit', () => {
    expect(formatSpan(7_500_000)).toBe('2 h');
  });
});

describe('in the notation of a place', () => {
  afterEach(() => setNotation(null));
  const ms = Date.UTC(2026, 8, 6, 16, 5, 7);

  it.each([
    ['de-DE', '06.09.2026, 16:05', '06.09.2026, 16:05:07', 'So., 6. Sept. 2026', '1.204', '1.204,80 MB'],
    ['en-US', '09/06/2026, 04:05 PM', '09/06/2026, 04:05:07 PM', 'Sun, Sep 6, 2026', '1,204', '1,204.80 MB'],
    ['no place', '2026-09-06 16:05', '2026-09-06 16:05:07', 'Sun 6 Sept 2026', '1,204', '1,204.80 MB'],
  ])('%s', (place, minute, second, day, count, size) => {
    setNotation(place);
    // Blanks that do not break are blanks here.
    const plain = (text: string) => text.replace(/\s/g, ' ');
    expect(plain(formatMinute(ms))).toBe(minute);
    expect(plain(formatSecond(ms))).toBe(second);
    expect(plain(formatDay(ms))).toBe(day);
    expect(formatCount(1_204)).toBe(count);
    expect(groupDigits('1204')).toBe(count);
    expect(localNumbers('1,204.80 MB')).toBe(size);
  });

  it('has the common digits and calendar where others are usual', () => {
    setNotation('fa-IR');
    expect(formatMinute(ms)).toMatch(/2026/);
    expect(groupDigits('1204')).toMatch(/^1.?204$/);
  });

  it('keeps every digit, and what only looks like a number', () => {
    setNotation('de-DE');
    expect(groupDigits('1234567890123456789012')).toBe('1.234.567.890.123.456.789.012');
    expect(localNumbers('1,234,567,890,123,456,789.000000000000000001')).toBe(
      '1.234.567.890.123.456.789,000000000000000001',
    );
    for (const text of [
      '10.0.0.1',
      'v1.14.2',
      '1.14.2',
      '12345',
      '2026',
      '54m47.7s',
      '0x1,234',
      '1.2.3.4:80',
    ])
      expect(localNumbers(text)).toBe(text);
    expect(localNumbers('54 min 47.7 s')).toBe('54 min 47,7 s');
    expect(localNumbers('< 0.01%.')).toBe('< 0,01%.');
  });

  it('says a time that no calendar has, and fills a field for a time as that wants it', () => {
    setNotation('de-DE');
    expect(formatMinute(9e15)).toBe('????-??-?? ??:??');
    expect(isoTime(ms, 'minute')).toBe('2026-09-06 16:05');
    expect(formatShort(ms, ms + 1)).toBe('16:05');
  });
});

describe('figures and hashes', () => {
  it('groups digits of any length without touching other text', () => {
    expect(groupDigits('1234567890123456789012')).toBe('1,234,567,890,123,456,789,012');
    expect(groupDigits('-1234')).toBe('-1,234');
    expect(groupDigits('12.5')).toBe('12.5');
  });

  it('agrees in number', () => {
    expect(formatPlural(1, 'transaction')).toBe('1 transaction');
    expect(formatPlural(1_204, 'transaction')).toBe('1,204 transactions');
    expect(formatPlural(0, 'history', 'histories')).toBe('0 histories');
  });

  it('shortens what is long and keeps what is short', () => {
    expect(shortHash('0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045')).toBe('0xd8dA6B…6045');
    expect(shortHash('43114')).toBe('43114');
  });
});
