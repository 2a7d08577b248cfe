import { describe, expect, it } from 'vitest';
import { classifyAnswer, classifyFailure, noReport } from './no-report.ts';
import { isNetworkFailure, ownNetworkDownSince, wasAnswered } from './node-network.ts';
import { readReport } from './report.ts';

describe('ownNetworkDownSince', () => {
  const truth: [string, [host: string, failingSinceMs: number | null][], boolean, boolean][] = [
    ['the system knows that there is no network', [['a', null]], false, true],
    ['no node is elsewhere', [], true, false],
    ['the only node fails', [['a', 0]], true, false],
    [
      'two nodes fail together',
      [
        ['a', 1_000],
        ['b', 31_000],
      ],
      true,
      true,
    ],
    [
      'two nodes of one host fail together',
      [
        ['a', 1_000],
        ['a', 2_000],
      ],
      true,
      false,
    ],
    [
      'one of two fails',
      [
        ['a', 1_000],
        ['b', null],
      ],
      true,
      false,
    ],
    [
      'two of three fail',
      [
        ['a', 1_000],
        ['b', 2_000],
        ['c', null],
      ],
      true,
      false,
    ],
    [
      'one fails after another was dead for long',
      [
        ['a', 0],
        ['b', 3_600_000],
      ],
      true,
      false,
    ],
    [
      'two fail together after another was dead for long',
      [
        ['a', 0],
        ['b', 3_600_000],
        ['c', 3_610_000],
      ],
      true,
      true,
    ],
  ];
  it.each(truth)('%s', (_what, nodes, isOnline, isDown) => {
    const remote = nodes.map(([host, failingSinceMs]) => ({ host, failingSinceMs, answeredMs: null }));
    expect(ownNetworkDownSince(remote, isOnline, null) !== null).toBe(isDown);
  });

  it.each([
    ['never', null, true],
    ['long before', 90_000, true],
    ['more than 5 s before', 94_999, true],
    ['5 s before', 95_000, false],
    ['in the same seconds', 96_000, false],
    ['between the two', 110_000, false],
    ['afterwards', 200_000, false],
  ])('two nodes fail together, and something else answered %s', (_when, lastAnswerMs, isDown) => {
    const nodes = [
      { host: 'a', failingSinceMs: 100_000, answeredMs: 90_000 },
      { host: 'b', failingSinceMs: 120_000, answeredMs: 110_000 },
    ];
    expect(ownNetworkDownSince(nodes, true, lastAnswerMs)).toBe(isDown ? 100_000 : null);
    expect(ownNetworkDownSince(nodes, false, lastAnswerMs)).toBe(isDown ? 100_000 : Infinity);
  });
});

it.each([
  ['none has answered since', 90_000, 100_000],
  ['it has never answered', null, 100_000],
  ['it answered in that moment', 100_000, null],
  ['it answered after that', 130_000, null],
])(
  'two nodes fail together, and long after a third that is asked rarely: %s',
  (_what, answeredMs, sinceMs) => {
    const nodes = [
      { host: 'a', failingSinceMs: 100_000, answeredMs: 85_000 },
      { host: 'b', failingSinceMs: 120_000, answeredMs: 90_000 },
      { host: 'c', failingSinceMs: 600_000, answeredMs },
    ];
    expect(ownNetworkDownSince(nodes, true, null)).toBe(sinceMs);
  },
);

it.each([
  [150_000, true],
  [150_001, false],
])('two that fail within %i ms are one event: %s', (apartMs, isDown) => {
  const nodes = ['a', 'b'].map((host, index) => ({
    host,
    failingSinceMs: index * apartMs,
    answeredMs: null,
  }));
  expect(ownNetworkDownSince(nodes, true, null) !== null).toBe(isDown);
});

describe('isNetworkFailure', () => {
  it.each([
    ['dns', true],
    ['network', true],
    ['timeout', true],
    ['refused', false],
    ['reset', false],
    ['tls', true],
    ['too-large', false],
    ['redirect', false],
    ['bad-encoding', false],
    ['cancelled', false],
  ] as const)('%s: %s', (reason, expected) => {
    expect(isNetworkFailure(classifyFailure({ kind: 'failure', reason, detail: '' }))).toBe(expected);
  });

  it('is none when something answered, or nothing was asked', () => {
    expect(isNetworkFailure(classifyAnswer(502, '', null))).toBe(false);
    expect(isNetworkFailure(readReport(200, '{"checks":{},"healthy":true}'))).toBe(false);
    expect(isNetworkFailure(noReport({ code: 'keychain', message: 'locked' }))).toBe(false);
  });
});

describe('an answer', () => {
  const failure = (reason: Parameters<typeof classifyFailure>[0]['reason']) =>
    classifyFailure({ kind: 'failure', reason, detail: '' });

  it.each<[string, Parameters<typeof wasAnswered>[0], boolean]>([
    ['a report', { reading: readReport(200, '{"checks":{},"healthy":true}') }, true],
    ['a response of anybody', { reading: classifyAnswer(502, '', null), httpStatus: 502 }, true],
    ['a refusal', { reading: failure('refused'), httpStatus: 0 }, true],
    ['an answer that is too large', { reading: failure('too-large') }, true],
    ['silence', { reading: failure('timeout') }, false],
    ['a captive portal', { reading: failure('tls') }, false],
    ['no request', { reading: noReport({ code: 'keychain', message: 'locked' }) }, false],
  ])('was brought by a network: %s', (_what, answer, expected) => {
    expect(wasAnswered(answer)).toBe(expected);
  });
});
