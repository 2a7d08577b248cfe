import { describe, expect, it } from 'vitest';
import type { Json } from '../json.ts';
import { forecastSample, forecastsOf as forecastsOfSamples } from './forecast.ts';
import type { CheckReport, HealthReport } from './types.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const startMs = 1_700_000_000_000;
const gib = 1_073_741_824;

const check = (name: string, message: Json, fields: Partial<CheckReport> = {}): CheckReport => ({
  name,
  state: 'pass',
  error: null,
  message,
  ranAtMs: null,
  durationNs: null,
  contiguousFailures: null,
  firstFailureAtMs: null,
  ...fields,
});

interface DatedReport {
  atMs: number;
  report: HealthReport;
}

const forecastsOf = (reports: readonly DatedReport[]) =>
  forecastsOfSamples(reports.map(({ atMs, report }) => forecastSample(atMs, JSON.stringify(report))));

/** One report an hour. */
const reports = (hours: number, messageAt: (hour: number) => Json, name = 'disk'): DatedReport[] =>
  Array.from({ length: hours }, (_, hour) => ({
    atMs: startMs + hour * hourMs,
    report: { healthy: true, checks: [check(name, messageAt(hour))], notes: [] },
  }));

describe('forecastsOf', () => {
  it('says when a disk of known size reaches the warning, with a range for what is not known exactly', () => {
    // A disk of 1,000 GiB loses 24 GiB a day; at the end 316 GiB are free, 216 more than the threshold: nine days.
    const history = reports(169, (hour) => {
      const bytes = (484 - hour) * gib;
      return { availableDiskBytes: bytes, availableDiskPercentage: Math.floor(bytes / (10 * gib)) };
    });
    const [forecast, ...others] = forecastsOf(history);
    expect(others).toEqual([]);
    expect(forecast).toMatchObject({
      check: 'disk',
      field: 'availableDiskBytes',
      label: 'available disk',
      now: '316.0 GiB',
    });
    expect(forecast?.threshold).toMatch(/^10[0-2]\.\d GiB$/);
    const lastMs = startMs + 168 * hourMs;
    const days = (ms: number | undefined): number => ((ms ?? 0) - lastMs) / dayMs;
    expect(days(forecast?.atMs)).toBeGreaterThan(8.8);
    expect(days(forecast?.atMs)).toBeLessThan(9.1);
    expect(days(forecast?.earliestMs)).toBeLessThan(9);
    expect(days(forecast?.latestMs)).toBeGreaterThan(9);
    expect(days(forecast?.latestMs)).toBeLessThan(10);
  });

  it.each<[string, (hour: number) => Json, object | null]>([
    ['free bytes alone', (hour) => ({ availableDiskBytes: (200 - hour) * gib }), { threshold: '0 B' }],
    ['a percentage alone', (hour) => ({ availableDiskPercentage: 60 - hour / 5 }), { threshold: '10%' }],
    ['peers', (hour) => ({ connectedPeers: 300 - hour }), { label: 'connected peers', threshold: '0' }],
    ['peers, spelled otherwise', (hour) => ({ peers: 300 - hour }), { label: 'peers', threshold: '0' }],
    [
      'free bytes, spelled otherwise',
      (hour) => ({ freeDiskBytes: (200 - hour) * gib }),
      { threshold: '0 B' },
    ],
    [
      'a disk of known size, spelled otherwise',
      (hour) => ({ free_disk_bytes: (484 - hour) * gib, free_disk_percent: (484 - hour) / 10 }),
      { field: 'free_disk_bytes', threshold: '100.0 GiB' },
    ],
    ['failed sends', (hour) => ({ sendFailRate: hour / 1_000 }), { threshold: '25%' }],
    [
      'blocks in process',
      (hour) => ({ engine: { consensus: { processingBlocks: hour } } }),
      { field: 'engine.consensus.processingBlocks', now: '168', threshold: '256' },
    ],
    ['a figure without a threshold', (hour) => ({ lastAcceptedHeight: 1_000 - hour, gasPrice: hour }), null],
    ['figures that grow better', (hour) => ({ connectedPeers: hour, availableDiskBytes: hour * gib }), null],
    ['figures that stay', () => ({ connectedPeers: 48, availableDiskBytes: gib }), null],
    ['texts in the place of figures', () => ({ connectedPeers: 'many', availableDiskBytes: 'some' }), null],
    ['no message', () => null, null],
    [
      'percentages that cannot be',
      (hour) => ({ availableDiskBytes: (200 - hour) * gib, availableDiskPercentage: 0 }),
      { threshold: '0 B' },
    ],
    [
      'percentages of more than a whole disk',
      (hour) => ({ availableDiskBytes: (200 - hour) * gib, availableDiskPercentage: 150 }),
      { threshold: '0 B' },
    ],
  ])('%s', (_, messageAt, expected) => {
    expect(forecastsOf(reports(169, messageAt))).toMatchObject(expected === null ? [] : [expected]);
  });

  const falling = (hour: number): Json => ({ connectedPeers: 300 - hour });

  it('counts only reports in which all is green', () => {
    const history = reports(169, (hour) => (hour % 5 === 0 ? { connectedPeers: 0 } : falling(hour)));
    const mixed = history.map(({ atMs, report }, hour) =>
      hour % 5 === 0 ? { atMs, report: { ...report, healthy: false } } : { atMs, report },
    );
    expect(forecastsOf(mixed)).toMatchObject([{ now: '132' }]);
  });

  it.each<[string, Partial<CheckReport>]>([
    ['fails', { state: 'fail' }],
    ['stands still', { state: 'stalled' }],
    ['cannot be seen', { state: 'unknown' }],
    ['has not run yet', { state: 'pending' }],
  ])('is silent while a check %s', (_, fields) => {
    const history = reports(169, falling);
    const last = {
      atMs: startMs + 169 * hourMs,
      report: { healthy: true, notes: [], checks: [check('x', 1, fields)] },
    };
    expect(forecastsOf(history)).toHaveLength(1);
    expect(forecastsOf([...history, last])).toEqual([]);
  });

  it('is silent about a figure that is not there any more', () => {
    const last = {
      atMs: startMs + 169 * hourMs,
      report: { healthy: true, notes: [], checks: [check('x', 1)] },
    };
    expect(forecastsOf([...reports(169, falling), last])).toEqual([]);
  });

  it('sees the last two days where the pace has changed', () => {
    const history = reports(169, (hour) => ({ connectedPeers: hour < 110 ? 400 : 400 - 3 * (hour - 110) }));
    const [forecast] = forecastsOf(history);
    expect(((forecast?.atMs ?? 0) - startMs) / hourMs).toBeCloseTo(110 + 400 / 3, 0);
  });

  it('takes reports in any order, and none', () => {
    expect(forecastsOf(reports(169, falling).reverse())).toEqual(forecastsOf(reports(169, falling)));
    expect(forecastsOf([])).toEqual([]);
  });

  it('makes few of them, however many figures a node names', () => {
    const percents = (count: number, hour: number): Json =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`available${index}Percentage`, 60 - hour / 5]),
      );
    expect(forecastsOf(reports(169, (hour) => percents(50, hour)))).toHaveLength(8);
    const many = Array.from({ length: 30 }, (_, hour) => ({
      atMs: startMs + hour * hourMs,
      report: {
        healthy: true,
        notes: [],
        checks: Array.from({ length: 100 }, (_, index) => check(`c${index}`, percents(4, 5 * hour))),
      },
    }));
    expect(forecastsOf(many)).toHaveLength(64);
  });
});
