import { describe, expect, it } from 'vitest';
import type { CheckReport, CheckState, HealthReport } from '../../../../shared/health/types.ts';
import { compareAnswers } from './node-disagreement.ts';

type Short = Record<string, [state: CheckState, ranAtMs?: number | null]>;

const report = (healthy: boolean, checks: Short): HealthReport => ({
  healthy,
  notes: [],
  checks: Object.entries(checks).map(([name, [state, ranAtMs = 1]]): CheckReport => ({
    name,
    state,
    error: null,
    message: null,
    ranAtMs,
    durationNs: null,
    contiguousFailures: null,
    firstFailureAtMs: null,
  })),
});

describe('compareAnswers', () => {
  const truth: [string, HealthReport, HealthReport, string | null][] = [
    ['the same', report(true, { C: ['pass'] }), report(true, { C: ['pass'] }), null],
    [
      'the same without times',
      report(true, { C: ['pass', null] }),
      report(true, { C: ['pass', null] }),
      null,
    ],
    ['nothing at all', report(true, {}), report(true, {}), null],
    [
      'another word for the whole',
      report(true, { C: ['pass'] }),
      report(false, { C: ['pass'] }),
      'GET says healthy; JSON-RPC answers unhealthy.',
    ],
    [
      'another word for the whole that is unhealthy',
      report(false, { C: ['pass'] }),
      report(true, { C: ['pass'] }),
      'GET says unhealthy; JSON-RPC answers healthy.',
    ],
    [
      'another word, and a check more that may be why',
      report(true, { P: ['pass'] }),
      report(false, { P: ['pass'], C: ['fail'] }),
      'GET says healthy; JSON-RPC answers with C-Chain in addition.',
    ],
    [
      'another state of the same run',
      report(true, { C: ['pass'], P: ['pass'] }),
      report(false, { C: ['fail'], P: ['pass'] }),
      'GET says healthy; JSON-RPC answers unhealthy, C-Chain in another state.',
    ],
    [
      'a check that is missing',
      report(false, { C: ['fail'], P: ['pass'] }),
      report(true, { P: ['pass'] }),
      'GET says unhealthy; JSON-RPC answers without C-Chain.',
    ],
    [
      'a check more',
      report(true, { P: ['pass'] }),
      report(true, { P: ['pass'], C: ['pass'] }),
      'GET says healthy; JSON-RPC answers with C-Chain in addition.',
    ],
    ['a run in between', report(true, { C: ['pass', 1] }), report(false, { C: ['fail', 2] }), 'undecided'],
    [
      'a run of some in between',
      report(true, { C: ['pass', 1], P: ['pass'] }),
      report(false, { C: ['fail', 2], P: ['pass'] }),
      'undecided',
    ],
    [
      'our own judgement that a check does not run',
      report(true, { C: ['stalled'] }),
      report(true, { C: ['pass'] }),
      null,
    ],
  ];
  it.each(truth)('%s', (_what, byGet, byRpc, words) => {
    expect(compareAnswers(byGet, byRpc)).toBe(words === 'undecided' ? undefined : words);
  });
});
