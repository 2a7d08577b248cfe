import { describe, expect, it } from 'vitest';
import { SampleRuns } from '../../../testing/sample-runs.ts';
import { budgetLong, budgetShort, fetchingWords, formatBytes, paramsLine, stateWords } from './run-words.ts';

const unknown = {
  remainingThisMinute: null,
  limitPerMinute: null,
  remainingToday: null,
  limitPerDay: null,
  heldUntilMs: null,
};

describe('the words of the budget', () => {
  it('say that it is unknown', () => {
    expect(budgetShort(unknown, 0)).toBeNull();
    expect(budgetLong('Chain metrics', unknown, 0)).toBe('Chain metrics: we don’t know its rate limits yet.');
  });

  it('say what is left, and never more than it is', () => {
    const share = { ...unknown, remainingThisMinute: 7_999, limitPerMinute: 8_000, remainingToday: 12_000 };
    expect(budgetShort(share, 0)).toBe('99%');
    expect(budgetLong('Chain data', share, 0)).toBe(
      'Chain data: 7,999 of 8,000 units left this minute, 12,000 units left today.',
    );
  });

  it('count down while nothing may be sent', () => {
    expect(budgetShort(unknown, 12_000)).toBe('paused for 12 s');
    expect(budgetShort(unknown, 0)).toBeNull();
  });

  it('say that a number without its limit is one of units, of which a call takes several', () => {
    expect(budgetShort({ ...unknown, remainingToday: 12_000 }, 0)).toBe('12,000 units');
  });
});

it('writes sizes as people say them', () => {
  expect([512, 12_345, 4_000_000].map(formatBytes)).toEqual(['512 B', '12.3 KB', '4.0 MB']);
});

it('says how far and how fast pages are fetched, by the times of the pages', () => {
  const run = new SampleRuns(0, () => undefined).start(
    { kind: 'node', nodeId: 'n', callId: 'c', tags: [] },
    'one',
  );
  const since = { ...run, pageCount: 1, byteLength: 50_000, fetched: { fromMs: 0, toMs: 1_000 } };
  const now = { ...run, pageCount: 41, byteLength: 2_000_000, fetched: { fromMs: 0, toMs: 31_000 } };
  expect(fetchingWords(now, since)).toBe('41 pages, 2.0 MB, 80 pages/min');
  expect(fetchingWords(since, since)).toBe('1 page, 50.0 KB');
});

it('writes every parameter with its name, the token of a page too', () => {
  const params = {
    ...{ chainId: '43114', address: `0x${'ab'.repeat(20)}`, pageSize: '50', pageToken: 't' },
    groupBy: 'srcBlockchainId-destBlockchainId',
  };
  const target = { kind: 'endpoint', endpointId: 'address-transactions', params } as const;
  expect(paramsLine({ ...target, params: { ...params } }, String)).toBe(
    'chainId 43114 · address 0xababab…abab · pageSize 50 · pageToken t · groupBy srcBlockchainId-destBlockchainId',
  );
  expect(paramsLine({ kind: 'node', nodeId: 'n', callId: 'c', tags: ['s'] }, () => 'Harbor')).toBe(
    'Harbor · tag s',
  );
});

it('tells a list with more to come from one whose rest cannot be asked for, and from none', () => {
  const target = { kind: 'node', nodeId: 'n', callId: 'c', tags: [] as string[] } as const;
  const run = new SampleRuns(0, () => undefined).start({ ...target, tags: [] }, 'one');
  expect(stateWords({ ...run, state: 'partial', hasMore: true })).toBe('More pages available');
  expect(stateWords({ ...run, state: 'partial', hasMore: false })).toBe('Incomplete');
  expect(stateWords({ ...run, state: 'partial', hasMore: false, pageCount: 0 })).toBe('Stopped');
});
