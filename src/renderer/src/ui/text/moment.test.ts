import { afterEach, describe, expect, it, vi } from 'vitest';
import { readMoment } from './moment.ts';
import { setTimeZone } from './notation.svelte.ts';

/** A Wednesday, 14:05:07 UTC. */
const nowMs = Date.UTC(2026, 8, 16, 14, 5, 7);

afterEach(() => vi.unstubAllEnvs());

describe('a moment as it is typed', () => {
  it.each([
    ['2026-09-14 14:05', '2026-09-14T14:05:00Z'],
    ['2026-09-14T14:05:09', '2026-09-14T14:05:09Z'],
    ['2026-09-14', '2026-09-14T00:00:00Z'],
    ['yesterday 12:00', '2026-09-15T12:00:00Z'],
    ['Yesterday noon', '2026-09-15T12:00:00Z'],
    [' yesterday ', '2026-09-15T00:00:00Z'],
    ['today 9:30', '2026-09-16T09:30:00Z'],
    // The last one of that name.
    ['9:30', '2026-09-16T09:30:00Z'],
    ['15:00', '2026-09-15T15:00:00Z'],
    ['noon', '2026-09-16T12:00:00Z'],
  ])('%j is %s', (text, iso) => {
    expect(readMoment(text, nowMs)).toBe(Date.parse(iso));
  });

  it.each(['', '   ', 'midday', '25:00', '2026-02-31', '2026-13-01 10:00', '09/14/2026', '1969-12-31', '12'])(
    '%j is none',
    (text) => {
      expect(readMoment(text, nowMs)).toBeNull();
    },
  );

  it.each([
    ['2026-10-25T01:45:00Z', 'last', '2026-10-25T01:30:00Z'],
    ['2026-10-25T01:15:00Z', 'last', '2026-10-25T00:30:00Z'],
    ['2026-10-25T01:15:00Z', 'next', '2026-10-25T01:30:00Z'],
    ['2026-10-25T01:45:00Z', 'next', '2026-10-26T01:30:00Z'],
    ['2026-10-25T00:15:00Z', 'last', '2026-10-24T00:30:00Z'],
  ] as const)('where clocks are set back, at %s the %s 02:30 is %s', (now, alone, iso) => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    setTimeZone('local');
    expect(readMoment('02:30', Date.parse(now), alone)).toBe(Date.parse(iso));
  });

  it('is one of the zone that is shown', () => {
    setTimeZone('local');
    const local = readMoment('2026-01-10 12:00', nowMs);
    expect(local).toBe(new Date(2026, 0, 10, 12).getTime());
  });
});
