import { describe, expect, it } from 'vitest';
import type { Forecast, Uptime } from '../../../../../shared/health/types.ts';
import {
  differenceInShort,
  differenceWords,
  forecastWords,
  formatLong,
  formatMegabytes,
  isProgress,
  lastedWords,
  percentOfPpm,
  periodWords,
  slowWords,
  uptimeWords,
} from './past-words.ts';

const dayMs = 86_400_000;

describe('uptime in words', () => {
  it.each([
    [1_000_000, '100%'],
    [999_999, '99.999%'],
    [999_820, '99.982%'],
    [990_000, '99%'],
    [995_000, '99.5%'],
    [0, '0%'],
    [9, '0%'],
    [12, '0.001%'],
  ])('%i ppm is %s', (ppm, words) => {
    expect(percentOfPpm(ppm)).toBe(words);
  });

  const uptime = (part: Partial<Uptime>): Uptime => ({
    scope: 'node',
    name: '',
    upMs: 0,
    downMs: 0,
    unreachableMs: 0,
    unknownMs: 0,
    runs: 0,
    failedRuns: 0,
    uptimePpm: null,
    ...part,
  });

  it('always has the share that is not known, and never rounds it to nothing or all', () => {
    const words = uptimeWords(
      uptime({ upMs: 995_000, downMs: 1_000, unreachableMs: 0, unknownMs: 4_000, uptimePpm: 999_820 }),
    );
    expect(`${words.up}, ${words.unknown}`).toBe('99.982% up, 0.4% unknown');
    expect(uptimeWords(uptime({ upMs: 1e9, unknownMs: 1, uptimePpm: 1e6 })).unknown).toBe('< 0.1% unknown');
    const hardlyKnown = { upMs: 5_671, downMs: 6_329, unknownMs: 3_588_000, uptimePpm: null };
    expect(uptimeWords(uptime(hardlyKnown))).toMatchObject({ up: 'only 12 s of data', unknown: null });
    expect(uptimeWords(uptime({ unknownMs: 5 })).up).toBe('unknown');
    expect(uptimeWords(uptime({ upMs: 1, unknownMs: 1e9, uptimePpm: 1e6 })).unknown).toBe('> 99.9% unknown');
    expect(uptimeWords(uptime({ upMs: 1, uptimePpm: 1e6 })).unknown).toBeNull();
  });

  it('has a share of its own for a node that did not answer', () => {
    const words = uptimeWords(uptime({ upMs: 500, unreachableMs: 500, uptimePpm: 500_000 }));
    expect(words).toMatchObject({ up: '50% up', unreachable: '50% unreachable', unknown: null });
    expect(words.detail).toContain('unreachable 0 s');
    expect(uptimeWords(uptime({ upMs: 1, uptimePpm: 1e6 })).unreachable).toBeNull();
  });

  it('claims nothing where nothing is known', () => {
    const words = uptimeWords(uptime({ unknownMs: dayMs }));
    expect(words).toMatchObject({ up: 'unknown', unknown: null });
    expect(uptimeWords(uptime({})).up).toBe('unknown');
  });
});

describe('spans', () => {
  it.each([
    [0, '0 s'],
    [999, '0 s'],
    [12_500, '12 s'],
    [3_600_000, '1 h'],
    [90_061_000, '1 d 1 h'],
    [-5, '0 s'],
  ])('%i ms is %s', (ms, words) => {
    expect(formatLong(ms)).toBe(words);
  });

  it('tells what lasts from what has lasted', () => {
    expect(lastedWords(0, 5_400_000, 9e9)).toBe('1 h 30 min');
    expect(lastedWords(0, null, 5_400_000)).toBe('for 1 h now');
    expect(lastedWords(10, 5, 0)).toBe('0 s');
  });
});

describe('a change of a field', () => {
  it('has both values, or says that it came or went', () => {
    const field = { check: 'network', field: 'message.connectedPeers' };
    expect(differenceWords({ ...field, before: '48', after: '3' })).toBe('connectedPeers 48 → 3');
    expect(differenceWords({ ...field, before: null, after: '3' })).toBe('connectedPeers none → 3');
    expect(differenceWords({ ...field, before: '48', after: null })).toBe('connectedPeers 48 → none');
  });

  it('is short where there is little room', () => {
    const id = '2QxN5pLZ8mEu7mWJqHb1YyqQ6mTz7oXv1LQb4VbDdYwZ7o1A3b';
    expect(
      differenceInShort({
        ...{ check: 'C', field: 'message.engine.lastAcceptedID', label: 'last accepted ID' },
        ...{ before: id, after: id },
      }),
    ).toBe('last accepted ID 2QxN5pLZ8mEu7mWJ…7o1A3b → 2QxN5pLZ8mEu7mWJ…7o1A3b');
  });

  it.each([
    ['message.engine.consensus.lastAcceptedHeight', '1', '2', true],
    ['message.engine.consensus.lastAcceptedID', 'a', 'b', true],
    ['message.connectedPeers', '48', '3', false],
    ['message.lastAcceptedHeight', '1', null, false],
    ['error', 'invalid', 'height', false],
  ])('%s from %s to %s is mere progress: %s', (field, before, after, expected) => {
    expect(isProgress({ check: 'C', field, label: '', before, after })).toBe(expected);
  });
});

describe('a forecast', () => {
  const forecast = (at: number, earliest: number, latest: number): Forecast => ({
    check: 'diskspace',
    field: 'x',
    label: 'x',
    now: '',
    threshold: '',
    atMs: at,
    earliestMs: earliest,
    latestMs: latest,
  });

  it.each([
    [9.2 * dayMs, 6.1 * dayMs, 14.3 * dayMs, 'in about 9 days (6 to 14)'],
    [3 * 3_600_000, 2 * 3_600_000, 26 * 3_600_000, 'in about 3 hours (2 to 26)'],
    [60_000, 60_000, 60_000, 'in about 1 minute'],
    [-dayMs, -2 * dayMs, 0, 'in about 0 minutes'],
    [4_000 * dayMs, 3_000 * dayMs, 5_000 * dayMs, 'in about 4,000 days (3,000 to 5,000)'],
  ])('%d ms', (at, earliest, latest, words) => {
    expect(forecastWords(forecast(at, earliest, latest), 0)).toBe(words);
  });
});

describe('the rhythm of a node', () => {
  const node = { intervalMs: null } as Parameters<typeof periodWords>[0]['node'];

  it('is what was learned, and what the user chose', () => {
    expect(periodWords({ periodMs: null, node })).toBe('unknown so far');
    expect(periodWords({ periodMs: 29_980, node })).toBe('every 30 s');
    expect(periodWords({ periodMs: 7_250, node: { ...node, intervalMs: 300_000 } })).toBe(
      'every 7.3 s; polled every 5 min',
    );
    expect(periodWords({ periodMs: 30_100, node: { ...node, intervalMs: 30_000 } })).toBe(
      'at least every 30.1 s; polled every 30 s',
    );
  });
});

it('says a slow check with what is usual', () => {
  expect(slowWords({ check: 'C', nowMs: 5_200, usualMs: 310 }, new Map())).toBe(
    'C-Chain took 5.2 s, usually 0.3 s',
  );
});

it('writes room in megabytes', () => {
  expect(formatMegabytes(12_400_000)).toBe('12.4 MB');
  expect(formatMegabytes(10)).toBe('< 0.1 MB');
});
