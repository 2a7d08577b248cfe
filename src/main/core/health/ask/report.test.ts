import { describe, expect, it } from 'vitest';
import type { CheckState, HealthReport, NodeState } from '../../../../shared/health/types.ts';
import { reportedNodeId } from './no-report.ts';
import { judgeReport, problemOf, readReport, type Reading } from './report.ts';
import type { NodeReport } from './node-clock.ts';

const ran = { timestamp: '2026-09-01T12:00:00Z', duration: 1_000 };
const failing = { ...ran, error: 'down', contiguousFailures: 1, timeOfFirstFailure: ran.timestamp };

function read(status: number, body: unknown): Reading {
  return readReport(status, typeof body === 'string' ? body : JSON.stringify(body));
}

function reportOf(reading: Reading): NodeReport {
  if (reading.kind !== 'report') throw new Error(`no report: ${reading.reason}`);
  return reading.report;
}

function made(
  healthy: boolean,
  states: Record<string, CheckState>,
  message: HealthReport['checks'][0]['message'] = null,
): HealthReport {
  const checks = Object.entries(states).map(([name, state]) => ({
    name,
    state,
    error: null,
    message,
    ranAtMs: 1,
    durationNs: null,
    contiguousFailures: null,
    firstFailureAtMs: null,
  }));
  return { healthy, checks, notes: [] };
}

describe('state of a node', () => {
  // What the node says × what its checks say; `b` stands for `bootstrapped`, the others for any check.
  const table: [string, boolean, Record<string, CheckState>, NodeState][] = [
    ['says yes, no checks', true, {}, 'healthy'],
    ['says yes, all pass', true, { C: 'pass', P: 'pass' }, 'healthy'],
    ['says yes, one not run', true, { C: 'pass', P: 'pending' }, 'healthy'],
    ['says yes, one unreadable', true, { C: 'pass', P: 'unknown' }, 'healthy'],
    ['says yes, none readable', true, { C: 'unknown' }, 'unknown'],
    ['says yes, one fails', true, { C: 'pass', P: 'fail' }, 'unhealthy'],
    ['says yes, b fails', true, { bootstrapped: 'fail', P: 'pass' }, 'starting'],
    ['says yes, one not running', true, { C: 'stalled', P: 'pass' }, 'stalled'],
    ['says yes, none running', true, { C: 'stalled', P: 'stalled' }, 'stalled'],
    ['says yes, one not running and one not run yet', true, { C: 'stalled', P: 'pending' }, 'stalled'],
    ['says yes, one not running and one fails', true, { C: 'stalled', P: 'fail' }, 'unhealthy'],
    ['says yes, one not running and b fails', true, { C: 'stalled', bootstrapped: 'fail' }, 'starting'],
    ['says no, one not running', false, { C: 'stalled', P: 'pass' }, 'unhealthy'],
    ['says no, one not running and one not run yet', false, { C: 'stalled', P: 'pending' }, 'starting'],
    ['says no, no checks', false, {}, 'unhealthy'],
    ['says no, all pass', false, { C: 'pass' }, 'unhealthy'],
    ['says no, one fails', false, { C: 'fail', P: 'pass' }, 'unhealthy'],
    ['says no, one fails and one not run', false, { C: 'fail', P: 'pending' }, 'unhealthy'],
    ['says no, b and one other fail', false, { bootstrapped: 'fail', C: 'fail' }, 'unhealthy'],
    ['says no, b fails', false, { bootstrapped: 'fail', C: 'pass' }, 'starting'],
    ['says no, b fails and one not run', false, { bootstrapped: 'fail', C: 'pending' }, 'starting'],
    ['says no, some not run', false, { C: 'pending', P: 'pass' }, 'starting'],
    ['says no, none run', false, { C: 'pending', bootstrapped: 'pending' }, 'starting'],
    ['says no, one unreadable', false, { C: 'unknown', P: 'pass' }, 'unhealthy'],
    ['says no, one unreadable and one not run', false, { C: 'unknown', P: 'pending' }, 'unhealthy'],
    ['says no, b fails and one unreadable', false, { bootstrapped: 'fail', C: 'unknown' }, 'unhealthy'],
  ];
  it.each(table)('%s', (_case, healthy, states, state) => {
    const judged = judgeReport(made(healthy, states));
    expect(judged.state).toBe(state);
    expect(judged.reason).toMatch(/^[A-Z0-9][^\n]*\.$/);
  });

  it.each([
    [true, { C: 'pass', P: 'pass' }, 'All 2 checks pass.'],
    [true, { C: 'pass' }, 'The only check passes.'],
    [
      true,
      { C: 'unknown', P: 'pass' },
      'The node reports that it’s healthy; the app couldn’t read 1 of 2 checks: C-Chain.',
    ],
    [true, { C: 'unknown' }, 'The node reports that it’s healthy; the app couldn’t read any check: C-Chain.'],
    [false, { C: 'fail', P: 'pass' }, '1 of 2 checks fails: C-Chain.'],
    [false, { C: 'fail', P: 'fail', X: 'pass' }, '2 of 3 checks fail: C-Chain and P-Chain.'],
    [
      false,
      { a: 'fail', b: 'fail', c: 'fail', d: 'fail', e: 'fail' },
      '5 of 5 checks fail: a, b, c and 2 more.',
    ],
    [false, { 'a\u0000\n': 'fail' }, '1 of 1 check fails: a\uFFFD.'],
    [false, { C: 'pending', P: 'pass' }, 'The node is starting; 1 of 2 checks has not run yet: C-Chain.'],
    [
      false,
      { bootstrapped: 'fail', C: 'pending' },
      'The node is bootstrapping; 1 of 2 checks has not run yet: C-Chain.',
    ],
    [false, { C: 'pass' }, 'The node reports that it’s unhealthy, although its only check passes.'],
    [false, { C: 'pass', P: 'pass' }, 'The node reports that it’s unhealthy, although all 2 checks pass.'],
    [
      false,
      { C: 'pass', P: 'stalled' },
      'The node reports that it’s unhealthy, although all 2 checks pass and not all of them run.',
    ],
    [
      false,
      { C: 'unknown' },
      'The node reports that it’s unhealthy; the app couldn’t read 1 check: C-Chain.',
    ],
    [false, {}, 'The node reports that it’s unhealthy and reports no checks.'],
    [true, {}, 'The node reports that it’s healthy and reports no checks.'],
    [
      true,
      { C: 'pass', P: 'pending' },
      'The node reports that it’s healthy; 1 of 2 checks has not run yet: P-Chain.',
    ],
    [true, { C: 'stalled' }, 'The node reports that it’s healthy, but its only check isn’t running.'],
    [
      true,
      { C: 'stalled', P: 'stalled' },
      'The node reports that it’s healthy, but none of its 2 checks is running.',
    ],
    [
      true,
      { C: 'stalled', P: 'pass' },
      'The node reports that it’s healthy, but 1 of 2 checks is not running: C-Chain.',
    ],
    [
      true,
      { C: 'stalled', P: 'stalled', X: 'pass' },
      'The node reports that it’s healthy, but 2 of 3 checks are not running: C-Chain and P-Chain.',
    ],
  ] as const)('%s %j: %s', (healthy, states, reason) => {
    expect(judgeReport(made(healthy, states)).reason).toBe(reason);
  });

  it('says how many subnets are still to come', () => {
    const report = made(false, { bootstrapped: 'fail', C: 'pass' }, ['2S9a', '3T8b']);
    expect(judgeReport(report).reason).toBe('The node is bootstrapping, 2 subnets to go.');
    const [own, other] = report.checks;
    const checks = [{ ...other, name: 'C', state: 'pass' as const, message: null }, ...(own ? [own] : [])];
    expect(judgeReport({ healthy: false, checks }).reason).toMatch(/, 2 subnets to go\.$/);
    const none = made(false, { bootstrapped: 'fail' }, []);
    expect(judgeReport(none).reason).toBe('The node is bootstrapping.');
  });
});

describe('readReport', () => {
  it('takes 200 and 503 with a report as the node’s own word', () => {
    expect(read(200, { checks: { C: ran }, healthy: true })).toMatchObject({
      kind: 'report',
      state: 'healthy',
      report: { healthy: true, notes: [], checks: [{ name: 'C', state: 'pass' }] },
    });
    expect(read(503, { checks: { C: failing, P: ran }, healthy: false })).toMatchObject({
      kind: 'report',
      state: 'unhealthy',
      report: { healthy: false, notes: [] },
    });
    expect(read(200, { checks: {}, healthy: true })).toMatchObject({ kind: 'report', state: 'healthy' });
    expect(read(200, { checks: null, healthy: true })).toMatchObject({ kind: 'report', state: 'healthy' });
  });

  it('notes what contradicts itself', () => {
    expect(read(200, { checks: { C: failing }, healthy: true })).toMatchObject({
      state: 'unhealthy',
      report: { notes: ['The node reports that it’s healthy, although 1 check failed.'] },
    });
    expect(read(503, { checks: { C: ran }, healthy: true })).toMatchObject({
      state: 'healthy',
      report: { notes: ['The HTTP status is 503, but the report says healthy. The app goes by the report.'] },
    });
    expect(reportOf(read(200, { checks: { C: ran }, healthy: false })).notes).toEqual([
      'The node reports that it’s unhealthy, although every check passes.',
      'The HTTP status is 200, but the report says unhealthy. The app goes by the report.',
    ]);
    expect(reportOf(read(200, { checks: { C: null }, healthy: true })).notes).toEqual([
      'C-Chain: not a check result, so the state is unknown; kept as received.',
      'The node reports that it’s healthy, although 1 check hadn’t passed yet.',
    ]);
  });

  it.each([
    [42, '42'],
    ['fine', '"fine"'],
    [[1, { a: 2 }], '[1,{"a":2}]'],
    [false, 'false'],
  ])('keeps a check whose value is %j as it came', (value, kept) => {
    const report = reportOf(read(200, { checks: { C: value, P: ran }, healthy: true }));
    expect(report.checks[0]).toMatchObject({ name: 'C', state: 'unknown' });
    expect(JSON.stringify(report.checks[0]?.message)).toBe(kept);
  });

  it.each([[[{ name: 'C', error: 'x' }]], [[]], ['none'], [7]])(
    'keeps checks given as %j as they came',
    (checks) => {
      const reading = read(200, { checks, healthy: true });
      expect(reading).toMatchObject({ kind: 'report', state: 'unknown' });
      expect(reportOf(reading).checks).toMatchObject([{ name: 'checks', state: 'unknown', message: checks }]);
      expect(reportOf(reading).notes[0]).toBe(
        'checks: not an object with a result for each check, so all states are unknown; kept as received.',
      );
      expect(read(503, { checks, healthy: false })).toMatchObject({ kind: 'report', state: 'unhealthy' });
    },
  );

  it('says what could not be read, as far as it is short', () => {
    const report = reportOf(
      read(200, { checks: { C: { ...ran, timestamp: 'x'.repeat(500), duration: -1 } }, healthy: true }),
    );
    expect(report.notes).toEqual([
      `C-Chain: an unreadable time ("${'x'.repeat(78)}…).`,
      'C-Chain: an impossible duration (-1).',
    ]);
  });

  it('says once of each check what could not be read', () => {
    const odd = { error: 'x', timestamp: 'bad', timeOfFirstFailure: 'bad' };
    const { notes } = reportOf(read(503, { checks: { C: odd, P: odd }, healthy: false }));
    expect(notes).toEqual(['C-Chain and P-Chain: an unreadable time ("bad").']);
    const huge = ['x'.repeat(140_000)];
    expect(reportOf(read(200, { checks: huge, healthy: true })).notes).toContain(
      'checks: the message is too large and was left out.',
    );
  });

  it('does not say that every check passes where there is none', () => {
    expect(reportOf(read(503, { checks: {}, healthy: false })).notes).toEqual([]);
  });

  it('keeps every digit of a message', () => {
    const body = `{"checks":{"C":{"message":{"weight":12345678901234567890,"rate":1e-05},"timestamp":"${ran.timestamp}"}},"healthy":true}`;
    expect(reportOf(read(200, body)).checks[0]?.message).toEqual({
      weight: '12345678901234567890',
      rate: 0.000_01,
    });
  });

  it('reads a report of 5,000 checks, and no more of a larger one', () => {
    const many = (count: number): unknown => ({
      healthy: false,
      checks: Object.fromEntries(Array.from({ length: count }, (_, index) => [`c${index}`, { error: 'x' }])),
    });
    const report = reportOf(read(503, many(5_000)));
    expect(report.checks).toHaveLength(5_000);
    expect(report.notes).toEqual(['c0, c1, c2 and 4997 more: the time of the last run is missing.']);
    const larger = reportOf(read(503, many(5_001)));
    expect(larger.checks).toHaveLength(5_000);
    expect(larger.notes[0]).toBe('The report has 5001 checks; the app reads only the first 5000.');
  });

  it('keeps odd names apart, and as they came as far as a store can hold them', () => {
    const long = 'x'.repeat(1_000);
    const names = ['', '__proto__', 'constructor', 'a\u0000b', '<b>', 'half \uD83D', `${long}1`, `${long}2`];
    const checks = names.map((name) => `${JSON.stringify(name)}:${JSON.stringify(ran)}`).join(',');
    const report = reportOf(read(200, `{"checks":{${checks}},"healthy":true}`));
    expect(report.checks.map((check) => check.name)).toEqual([
      '(no name)',
      ...names.slice(1, 5),
      'half \uFFFD',
      long,
    ]);
    expect(report.notes).toEqual([
      'Checks with the same name, or the same first 1,000 characters, are read as one.',
    ]);
  });

  it('takes a message a megabyte deep, exact numbers included', () => {
    const deep = '['.repeat(500_000) + ']'.repeat(500_000);
    const body = `{"checks":{"C":{"message":${deep},"timestamp":"${ran.timestamp}","duration":1e3},"P":{"message":1234567890123456789}},"healthy":true}`;
    const report = reportOf(read(200, body));
    expect(report.notes).toContain('Some deeply nested parts of the report were left out.');
    expect(report.checks[0]).toMatchObject({ name: 'C', state: 'pass', durationNs: '1000' });
    expect(report.checks[1]?.message).toBe('1234567890123456789');
    expect(JSON.stringify(report.checks[0]?.message).length).toBeLessThan(200);
  });

  it.each([
    ['an empty body', 200, '', 'The response is empty.'],
    [
      'a web page',
      200,
      '<!doctype html><title>Hi</title>',
      'The response is a web page, not a health report.',
    ],
    ['a cut report', 200, '{"checks":{"C":{"err', 'The health report is cut off or broken.'],
    ['a cut report under 503', 503, '{"checks":{"C":{"err', 'The health report is cut off or broken.'],
    ['other JSON', 200, '{"status":"UP"}', 'The response isn’t a health report.'],
    ['a JSON text', 200, '"healthy"', 'The response isn’t a health report.'],
    ['null', 200, 'null', 'The response isn’t a health report.'],
    ['an array', 200, '[]', 'The response isn’t a health report.'],
    ['no `healthy`', 200, '{"status":1,"checks":{}}', 'The response isn’t a health report.'],
    ['no `checks`', 200, '{"ok":1,"healthy":true}', 'The response isn’t a health report.'],
    [
      '`healthy` as a text',
      200,
      '{"ok":1,"checks":{},"healthy":"yes"}',
      'The response isn’t a health report.',
    ],
  ])('%s under %i is no report', (_what, status, body, reason) => {
    expect(read(status, body)).toMatchObject({
      kind: 'no-report',
      state: 'unknown',
      reason,
      error: { code: 'bad-response', message: reason, issues: [expect.any(String)] },
    });
  });

  it.each([199, 300, 500])('believes no report under %i, which a node does not use', (status) => {
    expect(read(status, { checks: { C: ran }, healthy: true })).toMatchObject({
      kind: 'no-report',
      error: { code: 'upstream', status },
    });
    expect(read(299, { checks: { C: ran }, healthy: true }).kind).toBe('report');
  });

  it('tells what is wrong with a body, but not with the app', () => {
    expect(read(200, { healthy: true })).toMatchObject({ error: { issues: ['there are no `checks`'] } });
    const bug = new TypeError('a bug');
    expect(() => problemOf(bug)).toThrow(bug);
  });
});

describe('reportedNodeId', () => {
  it('reads the header that names the node', () => {
    expect(reportedNodeId({ 'node-id': ' NodeID-abc ' })).toBe('NodeID-abc');
    expect(reportedNodeId({ 'node-id': '' })).toBeNull();
    expect(reportedNodeId({})).toBeNull();
  });
});

describe('a report of megabytes', () => {
  it('keeps its states, and of messages and errors what fits into one', () => {
    const noise = 'n'.repeat(100_000);
    const checks = Object.fromEntries(
      Array.from({ length: 80 }, (_, index) => [`c${index}`, { message: noise, error: 'e'.repeat(5_000) }]),
    );
    const reading = readReport(503, JSON.stringify({ healthy: false, checks }));
    if (reading.kind !== 'report') throw new Error(reading.reason);
    expect(JSON.stringify(reading.report).length).toBeLessThan(1_200_000);
    expect(reading.report.checks).toHaveLength(80);
    expect(reading.report.checks.every(({ state, error }) => state === 'fail' && error !== null)).toBe(true);
    expect(reading.report.checks[0]?.message).toBe(noise);
    expect(reading.report.checks[79]).toMatchObject({ message: null, error: 'e'.repeat(200) });
    expect(reading.report.notes).toContainEqual(expect.stringMatching(/^c9, .*too large/));
  });

  it('keeps messages and errors of 1,048,576 characters whole, and nothing of a message beyond', () => {
    // As JSON each message has 131,072.
    const full = Array.from({ length: 8 }, (_, index) => [
      `c${index}`,
      { ...ran, message: 'm'.repeat(131_070) },
    ]);
    const checks = { ...Object.fromEntries(full), none: ran, beyond: { ...ran, message: 1 } };
    const report = reportOf(read(200, { checks, healthy: true }));
    expect(report.checks.map(({ message }) => message !== null)).toEqual([
      ...full.map(() => true),
      false,
      false,
    ]);
    expect(report.notes).toEqual([
      expect.stringMatching(/^beyond: all messages and errors together are too large/),
    ]);
    expect(report.checks.at(-1)?.error).toBeNull();
  });
});
