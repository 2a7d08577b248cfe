import { describe, expect, it } from 'vitest';
import type { HealthReport } from '../../../../shared/health/types.ts';
import { boundNames, type CheckNames } from './check-names.ts';
import { readReport } from './report.ts';
import { asOurs } from '../testing/clocks.ts';

const hourMs = 3_600_000;

function reportOf(names: readonly string[]): HealthReport {
  const checks = Object.fromEntries(
    names.map((name) => [name, { error: 'down', timestamp: '2026-01-01T00:00:00Z' }]),
  );
  const reading = asOurs(readReport(503, JSON.stringify({ healthy: false, checks })));
  if (reading.kind !== 'report') throw new Error(reading.reason);
  return reading.report;
}

const fresh = (poll: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `made-up-${poll}-${index}`);

describe('the names of the checks of a node', () => {
  it('are bounded within a day, and the note says how many are left out', () => {
    let names: CheckNames = new Map();
    const kept: number[] = [];
    const notes: string[] = [];
    for (let poll = 0; poll < 6; poll += 1) {
      const step = boundNames(names, reportOf(['network', ...fresh(poll, 2_500)]), poll * hourMs);
      names = step.names;
      kept.push(step.report.checks.length);
      notes.push(...step.report.notes);
    }
    expect(kept).toEqual([2_501, 2_501, 2_501, 2_500, 1, 1]);
    expect(names.size).toBe(10_000);
    expect(notes).toEqual([
      expect.stringMatching(/10,000 different check names.*; 1 check with other names is left out\.$/),
      expect.stringMatching(/; 2500 checks with other names are left out\.$/),
      expect.stringMatching(/; 2500 checks/),
    ]);
    // A day later the oldest have made room; what is reported all the time has never been left out.
    const later = boundNames(names, reportOf(['network', ...fresh(9, 2_600)]), 24 * hourMs);
    expect(later.report.checks).toHaveLength(2_501);
    expect(later.report.checks[0]?.name).toBe('network');
  });

  it('of a node that behaves leave its report as it is', () => {
    const report = reportOf(['network', 'C']);
    const step = boundNames(new Map(), report, 0);
    expect(step.report).toBe(report);
    expect(boundNames(step.names, report, hourMs).names).toEqual(
      new Map([
        ['network', hourMs],
        ['C', hourMs],
      ]),
    );
  });
});
