import { describe, expect, it } from 'vitest';
import { isQuiet, tomorrowMs, type QuietHours } from './quiet.ts';

/** Berlin: clocks go forward on 29 March 2026 at 2:00, and back on 25 October at 3:00. */
function inBerlin(atMs: number) {
  const parts = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone: 'Europe/Berlin', hourCycle: 'h23' },
    ...{ weekday: 'short', hour: '2-digit', minute: '2-digit' },
  }).formatToParts(atMs);
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  const weekday = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'].indexOf(of('weekday'));
  return { weekday, minute: Number(of('hour')) * 60 + Number(of('minute')) };
}

const everyDay = [0, 1, 2, 3, 4, 5, 6];
const night: QuietHours = { days: everyDay, fromMinute: 22 * 60, toMinute: 7 * 60 };
const noon: QuietHours = { days: [6], fromMinute: 12 * 60, toMinute: 13 * 60 };

describe('quiet hours', () => {
  it.each([
    ['before a night', night, '2026-03-28T20:59Z', false],
    ['at its begin', night, '2026-03-28T21:00Z', true],
    ['before the clocks go forward', night, '2026-03-29T00:59Z', true],
    ['after they went forward', night, '2026-03-29T01:00Z', true],
    ['at its end, an hour earlier than yesterday', night, '2026-03-29T05:00Z', false],
    ['just before that', night, '2026-03-29T04:59Z', true],
    [
      'in the hour that is there twice',
      { ...night, fromMinute: 150, toMinute: 170 },
      '2026-10-25T00:40Z',
      true,
    ],
    ['in the same hour again', { ...night, fromMinute: 150, toMinute: 170 }, '2026-10-25T01:40Z', true],
    ['on a day that has none', noon, '2026-03-29T10:30Z', false],
    ['on its day', noon, '2026-03-28T11:30Z', true],
    ['in the morning after its day', { ...night, days: [6] }, '2026-03-29T03:00Z', true],
    ['in the morning of its day', { ...night, days: [6] }, '2026-03-28T03:00Z', false],
    ['without days', { ...night, days: [] }, '2026-03-28T23:00Z', false],
  ])('%s', (_when, quiet, at, expected) => {
    expect(isQuiet(quiet, Date.parse(at), inBerlin)).toBe(expected);
  });

  it('tomorrow is the next morning at 8:00', () => {
    const at = new Date(tomorrowMs(new Date(2026, 11, 31, 23, 59).getTime()));
    expect([at.getFullYear(), at.getDate(), at.getHours(), at.getMinutes()]).toEqual([2027, 1, 8, 0]);
  });
});
