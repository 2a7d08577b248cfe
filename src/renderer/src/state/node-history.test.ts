import { describe, expect, it } from 'vitest';
import { err, ok } from '../../../shared/errors.ts';
import type { Uptime } from '../../../shared/health/types.ts';
import { FakeBridge, installBridge } from '../testing/fake-bridge.ts';
import { fullWorld } from '../testing/sample-world.ts';
import { lastCell, rangeOptions, rangeSpan, rangeWith, usualRange } from './node-history.ts';

const nowMs = Date.UTC(2026, 8, 16, 14, 5, 7);
const hourMs = 3_600_000;

describe('the span of a range', () => {
  it.each([
    ['hour', 0, Date.UTC(2026, 8, 16, 14, 6), 1],
    ['day', 0, Date.UTC(2026, 8, 16, 14, 15), 24],
    ['week', 0, Date.UTC(2026, 8, 16, 16), 7 * 24],
    ['month', 0, Date.UTC(2026, 8, 16, 16), 30 * 24],
    ['year', 0, Date.UTC(2026, 8, 17), 365 * 24],
    ['year', 2 * hourMs, Date.UTC(2026, 8, 16, 22), 365 * 24],
    ['year', -11 * hourMs, Date.UTC(2026, 8, 17, 11), 365 * 24],
  ] as const)('%s at an offset of %i ms ends with the cell that is now', (range, offsetMs, toMs, hours) => {
    const span = rangeSpan(range, nowMs, offsetMs);
    expect(span).toMatchObject({ toMs, fromMs: toMs - hours * hourMs });
  });
});

it('the days of a year begin at midnight, also those in the other half of the year', () => {
  // As in Berlin, where clocks are set forward on 29 March 2026 and back on 25 October.
  const summer = [Date.UTC(2026, 2, 29, 1), Date.UTC(2026, 9, 25, 1)] as const;
  const offsetAt = (ms: number) => (ms >= summer[0] && ms < summer[1] ? 2 * hourMs : hourMs);
  for (const [now, nightAt, hours] of [
    [Date.UTC(2026, 8, 16, 14), Date.UTC(2026, 2, 28, 23), 23],
    [Date.UTC(2026, 11, 16, 14), Date.UTC(2026, 9, 24, 22), 25],
    // Within the day itself.
    [Date.UTC(2026, 2, 29, 0, 30), Date.UTC(2026, 2, 28, 23), 23],
    [Date.UTC(2026, 9, 25, 23, 30) - hourMs, Date.UTC(2026, 9, 24, 22), 25],
  ] as const) {
    const { fromMs, toMs, starts = [] } = rangeSpan('year', now, offsetAt(now), offsetAt);
    const edges = [...starts, toMs];
    expect([starts.length, fromMs, toMs > now]).toEqual([365, starts[0], true]);
    expect(edges.every((ms) => (ms + offsetAt(ms)) % (24 * hourMs) === 0)).toBe(true);
    const at = starts.indexOf(nightAt);
    expect((edges[at + 1] ?? 0) - nightAt).toBe(hours * hourMs);
  }
});

describe('the cell that is now', () => {
  it('begins at a whole cell of its range', () => {
    expect(lastCell('day', nowMs, 0)).toBe(Date.UTC(2026, 8, 16, 14));
    expect(lastCell('week', nowMs, 0)).toBe(Date.UTC(2026, 8, 16, 14));
    expect(lastCell('day', nowMs + 1_800_000, 0)).toBe(Date.UTC(2026, 8, 16, 14, 30));
  });
});

describe('the range that is chosen', () => {
  it('is one of an hour to a year', () => {
    expect(rangeOptions).toEqual({ hour: '1 h', day: '24 h', week: '7 d', month: '30 d', year: '1 y' });
  });

  it.each([
    [0, 'hour', 'hour'],
    [0, 'week', 'week'],
    [2, 'hour', 'day'],
    [25, 'hour', 'week'],
    [400 * 24, 'hour', 'year'],
  ] as const)('for a moment of %i hours ago, from %s on, is %s', (hoursAgo, least, range) => {
    expect(rangeWith(nowMs - hoursAgo * hourMs, nowMs, least)).toBe(range);
  });

  it('includes the moment at its very beginning', () => {
    const { fromMs } = rangeSpan('day', nowMs, 0);
    expect([fromMs, fromMs - 1].map((atMs) => rangeWith(atMs, nowMs, 'hour'))).toEqual(['day', 'week']);
  });
});

describe('the range that is shown where none was chosen', () => {
  /** What is known of the newest so many hours, in hours; null: the store cannot be read. */
  function know(knownHours: (hours: number) => number | null) {
    const bridge = new FakeBridge(fullWorld(nowMs));
    bridge.answer('nodes.uptime', ({ fromMs, toMs }) => {
      const hours = (toMs - fromMs) / hourMs;
      const known = knownHours(hours);
      if (known === null) return err({ code: 'storage', message: '' });
      const sums = { upMs: known * hourMs, downMs: 0, unreachableMs: 0, unknownMs: (hours - known) * hourMs };
      const rest = { runs: 1, failedRuns: 0, uptimePpm: null };
      const of = (scope: Uptime['scope'], name: string): Uptime => ({ scope, name, ...sums, ...rest });
      return ok([{ ...of('check', 'C'), unknownMs: 0 }, of('node', '')]);
    });
    installBridge(bridge);
    return bridge;
  }
  const usual = (watchedHours: number) =>
    usualRange({ id: 'n1', sinceMs: nowMs - watchedHours * hourMs, endMs: nowMs });

  it.each([
    ['all the time', 0, 'hour'],
    ['half an hour ago', 0.5, 'hour'],
    ['longer ago', 0.6, 'day'],
    ['half a day ago', 12, 'day'],
    ['two days ago', 48, 'week'],
    ['a week ago', 168, 'month'],
    ['a month ago', 720, 'year'],
    ['so long ago that nothing of a year is known by half', 5_000, 'hour'],
  ] as const)(
    'is the shortest that is half known, where the app last looked %s',
    async (_when, agoHours, range) => {
      know((hours) => Math.max(0, hours - agoHours));
      expect(await usual(9_000)).toBe(range);
    },
  );

  it('is an hour of a node that was just added, of which nothing has to be asked', async () => {
    const bridge = know(() => 0);
    expect(await usual(0.01)).toBe('hour');
    expect(bridge.argsOf('nodes.uptime')).toEqual([]);
  });

  it('is not one that was not watched for half of it', async () => {
    const bridge = know(() => 0);
    expect(await usual(12)).toBe('hour');
    expect(bridge.argsOf('nodes.uptime').map(({ fromMs, toMs }) => (toMs - fromMs) / hourMs)).toEqual([
      1, 24,
    ]);
  });

  it('is an hour where the store cannot be read', async () => {
    know(() => null);
    expect(await usual(9_000)).toBe('hour');
  });
});
