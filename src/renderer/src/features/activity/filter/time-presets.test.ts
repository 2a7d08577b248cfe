import { describe, expect, it } from 'vitest';
import { setTimeZone } from '../../../ui/text/notation.svelte.ts';
import { monthOf, timePresets } from './time-presets.ts';

const nowMs = Date.UTC(2026, 0, 31, 23, 30);
const presetOf = (name: string) => timePresets(nowMs).find((preset) => preset.name === name)?.pill;

describe('stretches of time under a name', () => {
  it.each([
    ['This month', Date.UTC(2026, 0, 1), Date.UTC(2026, 1, 1)],
    ['Last month', Date.UTC(2025, 11, 1), Date.UTC(2026, 0, 1)],
    ['This year', Date.UTC(2026, 0, 1), Date.UTC(2027, 0, 1)],
    ['January 2026', Date.UTC(2026, 0, 1), Date.UTC(2026, 1, 1)],
    ['February 2025', Date.UTC(2025, 1, 1), Date.UTC(2025, 2, 1)],
  ])('%s', (name, fromMs, beforeMs) => {
    expect(presetOf(name)).toEqual({
      field: 'time',
      not: false,
      min: String(fromMs),
      max: String(beforeMs - 1),
    });
  });

  it('are the last twelve months, each by its name, in the zone that is shown', () => {
    for (const zone of ['utc', 'local'] as const) {
      setTimeZone(zone);
      const months = timePresets(nowMs).slice(3);
      expect(months).toHaveLength(12);
      for (const { name, pill } of months) expect(monthOf(pill)).toBe(name);
    }
  });

  it('a month is called by its name only if all of it is meant', () => {
    const march = { field: 'time' as const, not: false, min: String(Date.UTC(2026, 2, 1)), max: null };
    expect(monthOf({ ...march, max: String(Date.UTC(2026, 3, 1) - 1) })).toBe('March 2026');
    for (const max of [null, String(Date.UTC(2026, 3, 1)), String(Date.UTC(2026, 4, 1) - 1)])
      expect(monthOf({ ...march, max })).toBeNull();
  });
});
