import { describe, expect, it } from 'vitest';
import { setTimeZone } from '../../../ui/text/notation.svelte.ts';
import { everyIncident, filterOf, isBackwards, isNarrowed, type IncidentChoice } from './incident-words.ts';

const nowMs = Date.UTC(2026, 8, 16, 14, 5, 7);
const dayMs = 86_400_000;
const days = (fromDay: string, toDay: string): IncidentChoice => ({
  ...everyIncident,
  age: 'days',
  fromDay,
  toDay,
});

describe('the span of a filter of incidents', () => {
  it.each<[string, IncidentChoice, number | null, number | null]>([
    ['any time', everyIncident, null, null],
    ['the last week', { ...everyIncident, age: 'week' }, nowMs - 7 * dayMs, null],
    ['one day', days('2026-02-28', '2026-02-28'), Date.UTC(2026, 1, 28), Date.UTC(2026, 2, 1) - 1],
    ['over a new year', days('2025-12-31', '2026-01-01'), Date.UTC(2025, 11, 31), Date.UTC(2026, 0, 2) - 1],
    ['from a day on', days('2026-09-01', ''), Date.UTC(2026, 8, 1), null],
    ['up to a day', days('', '2026-09-01'), null, Date.UTC(2026, 8, 2) - 1],
    ['days that are none', days('2026-02-31x', 'soon'), null, null],
    [
      'days that were typed before another age was chosen',
      { ...days('2026-09-01', ''), age: 'any' },
      null,
      null,
    ],
  ])('%s', (_what, choice, fromMs, toMs) => {
    expect(filterOf(choice, null, nowMs)).toMatchObject({ fromMs, toMs });
  });

  it('begins and ends with the days of this computer where its time is shown', () => {
    setTimeZone('local');
    const { fromMs, toMs } = filterOf(days('2026-03-29', '2026-03-29'), null, nowMs);
    expect(fromMs).toBe(new Date(2026, 2, 29).getTime());
    expect(toMs).toBe(new Date(2026, 2, 30).getTime() - 1);
  });

  it('is said to be the wrong way round', () => {
    expect(isBackwards(days('2026-09-02', '2026-09-01'))).toBe(true);
    expect(isBackwards(days('2026-09-01', '2026-09-01'))).toBe(false);
    expect(isBackwards(days('2026-09-02', ''))).toBe(false);
    expect(isNarrowed(days('', ''))).toBe(true);
  });
});
