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

it.each([
  ['Europe/Berlin', '2026-10-25', '02:30', '2026-10-25T00:30:00Z', '2026-10-25T01:30:59.999Z'],
  // By half an hour.
  ['Australia/Lord_Howe', '2026-04-05', '01:45', '2026-04-04T14:45:00Z', '2026-04-04T15:15:59.999Z'],
  ['Europe/Berlin', '2026-10-25', '03:00', '2026-10-25T02:00:00Z', '2026-10-25T02:00:59.999Z'],
])('in %s on %s, up to %s includes that minute each time that it is shown', (zone, day, time, from, to) => {
  vi.stubEnv('TZ', zone);
  setTimeZone('local');
  const typed = `${day} ${time}`;
  const range = readRange('time', { min: typed, max: typed });
  expect(range).toMatchObject({ min: String(Date.parse(from)), max: String(Date.parse(to)) });
});
