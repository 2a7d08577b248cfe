import { afterEach, expect, it, vi } from 'vitest';
import { setTimeZone } from '../../../ui/text/notation.svelte.ts';
import { readRange } from './range-input.ts';

afterEach(() => vi.unstubAllEnvs());

it.each([
  ['America/Santiago', '2026-04-04', 25],
  ['America/Santiago', '2026-09-06', 23],
  ['Europe/Berlin', '2026-10-25', 25],
  ['UTC', '2026-10-25', 24],
])('a day of %s, %s, is all of its %i hours', (zone, day, hours) => {
  vi.stubEnv('TZ', zone);
  setTimeZone('local');
  const range = readRange('time', { min: day, max: day });
  expect(range.ok && (Number(range.max) + 1 - Number(range.min)) / 3_600_000).toBe(hours);
});
