import { describe, expect, it } from 'vitest';
import { parseStoredReport } from './stored.ts';
import type { HealthReport } from './types.ts';

const report: HealthReport = {
  healthy: false,
  checks: [
    {
      name: 'C\u0000',
      state: 'fail',
      error: 'down',
      message: { a: [1, null, { b: 'c' }] },
      ranAtMs: 1,
      durationNs: '9223372036854775807',
      contiguousFailures: 3,
      firstFailureAtMs: 0,
    },
    {
      name: 'network',
      state: 'pending',
      error: null,
      message: null,
      ranAtMs: null,
      durationNs: null,
      contiguousFailures: null,
      firstFailureAtMs: null,
    },
    {
      name: 'P',
      state: 'stalled',
      error: null,
      message: 'fine',
      ranAtMs: 5,
      durationNs: '0',
      contiguousFailures: null,
      firstFailureAtMs: null,
    },
  ],
  notes: ['odd'],
};

describe('parseStoredReport', () => {
  it('reads back what was stored', () => {
    expect(parseStoredReport(JSON.stringify(report))).toEqual(report);
  });

  it.each([
    '',
    '{"healthy":true',
    'null',
    '[]',
    '{}',
    '{"healthy":true,"checks":[]}',
    '{"healthy":1,"checks":[],"notes":[]}',
    JSON.stringify(report).replace('"fail"', '"failed"'),
    JSON.stringify(report).replace('"9223372036854775807"', '"-1"'),
  ])('%s is none', (text) => {
    expect(parseStoredReport(text)).toBeNull();
  });
});
