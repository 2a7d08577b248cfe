import { afterEach, expect, it, vi } from 'vitest';
import { formatDay, formatMonth, formatSecond, zoneName } from './format.ts';
import { setNotation, setTimeZone } from './notation.svelte.ts';

afterEach(() => {
  setNotation(null);
  vi.restoreAllMocks();
});

it('a time is written in the zone of the computer, also after that has changed', () => {
  const ms = Date.UTC(2026, 8, 30, 20, 5, 7);
  const written = () => [formatSecond(ms), formatDay(ms), formatMonth(ms), zoneName(ms)];
  setTimeZone('local');
  setNotation('en-GB');
  written();
  // Tests have one zone; this is what a page sees of another.
  vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(-330);
  expect(written()).toEqual(['01/10/2026, 01:35:07', 'Thu, 1 Oct 2026', 'October 2026', 'UTC+05:30']);
});
