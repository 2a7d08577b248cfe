import { describe, expect, it } from 'vitest';
import type { CheckReport, CheckState, HealthReport } from '../../../../shared/health/types.ts';
import { judgeTags, noSubnetTag, tagsToLearn, unmatchedTags, withTagChecks } from './tag-view.ts';

const report = (states: Record<string, CheckState>): HealthReport => {
  const checks = Object.entries(states).map(([name, state]): CheckReport => ({
    name,
    state,
    error: null,
    message: null,
    ranAtMs: null,
    durationNs: null,
    contiguousFailures: null,
    firstFailureAtMs: null,
  }));
  return { healthy: checks.every(({ state }) => state === 'pass'), checks, notes: [] };
};

const learned = [
  { tag: noSubnetTag, checks: ['network'] },
  { tag: 'subnet', checks: ['network', 'C'] },
  { tag: 'typo', checks: ['network'] },
];

describe('unmatchedTags', () => {
  const truth: [string, string[], typeof learned, string[], string[]][] = [
    ['a tag that selects a check of its own', ['subnet'], learned, ['network', 'C'], []],
    ['a tag that selects only global checks', ['typo'], learned, ['network', 'C'], ['typo']],
    ['both', ['subnet', 'typo'], learned, ['network', 'C'], ['typo']],
    ['a tag that was not asked for yet', ['new'], learned, ['network', 'C'], []],
    ['global checks that are not known yet', ['typo'], learned.slice(1), ['network', 'C'], []],
    ['a node whose checks are all global', ['typo'], learned, ['network'], []],
    [
      'a node that ignores tags',
      ['typo'],
      [
        { tag: noSubnetTag, checks: ['network', 'C'] },
        { tag: 'typo', checks: ['network', 'C'] },
      ],
      ['network', 'C'],
      [],
    ],
    [
      'a node without checks',
      ['typo'],
      [
        { tag: noSubnetTag, checks: [] },
        { tag: 'typo', checks: [] },
      ],
      [],
      [],
    ],
    ['no tags', [], learned, ['network', 'C'], []],
  ];
  it.each(truth)('%s', (_what, tags, known, all, unmatched) => {
    expect(unmatchedTags(tags, known, all)).toEqual(unmatched);
  });
});

describe('judgeTags', () => {
  const truth: [string, HealthReport, boolean, string][] = [
    [
      'all pass',
      report({ network: 'pass', C: 'pass', D: 'pass' }),
      true,
      'the node is healthy for your subnets',
    ],
    [
      'an unselected check fails',
      report({ network: 'pass', C: 'pass', D: 'fail' }),
      true,
      'the node is healthy for your subnets; 1 other check fails: D-Chain',
    ],
    [
      'two unselected checks fail',
      report({ network: 'pass', C: 'pass', D: 'fail', E: 'fail' }),
      true,
      'the node is healthy for your subnets; 2 other checks fail: D-Chain and E-Chain',
    ],
    [
      'a selected check fails',
      report({ network: 'pass', C: 'fail', D: 'pass' }),
      false,
      'the node is unhealthy for your subnets: 1 check fails: C-Chain',
    ],
    [
      'both fail',
      report({ network: 'fail', C: 'fail', D: 'fail' }),
      false,
      'the node is unhealthy for your subnets: 2 checks fail: Network and C-Chain; 1 other check fails: D-Chain',
    ],
    [
      'a check of the selection has not run',
      report({ network: 'pass', C: 'pending', D: 'pass' }),
      false,
      'the node is unhealthy for your subnets, although none of their checks fail',
    ],
  ];
  it.each(truth)('%s', (_what, all, selectedHealthy, words) => {
    expect(judgeTags(['subnet'], all, learned)).toMatchObject({
      selectedHealthy,
      unmatchedTags: [],
      words,
    });
  });

  it('says nothing while it is not known what a tag selects', () => {
    expect(judgeTags(['subnet', 'new'], report({ network: 'pass' }), learned)).toBeNull();
  });

  it('calls out a tag that may be mistyped beside a result that looks like health', () => {
    const view = judgeTags(['typo'], report({ network: 'pass', C: 'fail' }), learned);
    expect(view).toEqual({
      selectedHealthy: true,
      unmatchedTags: ['typo'],
      words:
        'the node is healthy for your subnets; 1 other check fails: C-Chain; 1 subnet id returns only global checks and may be mistyped: typo',
    });
  });
});

describe('learning what tags select', () => {
  it('begins with what is not known, a few at a time, and ends when all was asked', () => {
    const tags = ['a', 'b', 'c', 'd', 'e'];
    expect(tagsToLearn([], learned, new Set())).toEqual([]);
    expect(tagsToLearn(tags, [], new Set())).toEqual([noSubnetTag, 'a', 'b', 'c']);
    expect(tagsToLearn(tags, [{ tag: 'a', checks: [] }], new Set([noSubnetTag]))).toEqual([
      'b',
      'c',
      'd',
      'e',
    ]);
    expect(tagsToLearn(tags, [{ tag: 'a', checks: [] }], new Set(['b', 'c']))).toEqual([
      noSubnetTag,
      'd',
      'e',
      'a',
    ]);
    expect(tagsToLearn(['a'], [], new Set([noSubnetTag, 'a']))).toEqual([]);
  });

  it('keeps what is new, and forgets tags that are watched no more', () => {
    const known = withTagChecks(learned, ['subnet'], { tag: 'subnet', checks: ['network', 'C', 'D'] });
    expect(known).toEqual([
      { tag: noSubnetTag, checks: ['network'] },
      { tag: 'subnet', checks: ['network', 'C', 'D'] },
    ]);
    expect(withTagChecks(known, [], null)).toEqual([{ tag: noSubnetTag, checks: ['network'] }]);
    expect(withTagChecks([], ['a'], null)).toEqual([]);
  });
});
