import { describe, expect, it } from 'vitest';
import { viewOf } from '../../../../main/core/activity/sync/sync-entry.ts';
import type { ChainSync } from '../../../../shared/activity/types.ts';
import { neverSynced } from '../../testing/sample-world.ts';
import { coverageWords, progressWords, summarize, syncMark } from './sync-words.ts';

const whole = [{ fromBlock: '0', toBlock: '900' }];
const newer = [{ fromBlock: '700', toBlock: '900' }];
const gap = [...whole, { fromBlock: '950', toBlock: '990' }];
const sync = (parts: Partial<ChainSync>): ChainSync => ({ ...neverSynced, ...parts });
const unreadable = { code: 'bad-response', message: 'One entry could not be read.', issues: [] } as const;
const limited = { code: 'rate-limited', message: 'wait', retryAtMs: 1 } as const;

describe('the mark of a history', () => {
  it.each([
    [sync({}), 'Not fetched'],
    [sync({ state: 'running' }), 'Fetching'],
    [sync({ state: 'stopped' }), 'Stopped'],
    [sync({ state: 'failed', error: { code: 'timeout', message: '' } }), 'Failed'],
    [sync({ state: 'failed', error: limited }), 'Waiting'],
    [sync({ state: 'complete', reachedStart: true, covered: whole }), 'Complete'],
  ])('%o is %s', (value, word) => {
    expect(syncMark(value).word).toBe(word);
  });
});

describe('how much is known, in words', () => {
  it.each([
    [sync({}), 'not fetched yet'],
    [sync({ state: 'running' }), 'transactions may still be missing'],
    [sync({ state: 'stopped', covered: newer }), 'list lacks older transactions'],
    [
      sync({ state: 'stopped', covered: [...newer, { fromBlock: '950', toBlock: '990' }] }),
      'list lacks older transactions and has 1 gap',
    ],
    [
      sync({ state: 'complete', reachedStart: true, covered: whole }),
      'list complete back to the first transaction',
    ],
    [
      sync({ state: 'stopped', covered: newer, stoppedByUser: true }),
      'list lacks older transactions; stopped by you, so not checked for new activity',
    ],
    [
      sync({ state: 'failed', reachedStart: true, covered: whole, error: unreadable }),
      'list complete except for the newest transactions',
    ],
  ])('%o: %s', (value, words) => {
    expect(coverageWords(value)).toBe(words);
  });
});

it.each(['stopped', 'failed'] as const)(
  'a list with a gap that is %s lacks no older transactions',
  (state) => {
    const stored = {
      ...{ covered: gap, reachedStart: true, checkedAtMs: 1, rowCount: 9, stoppedByUser: false },
      ...{ owed: null, doubts: 0, newestTimestampMs: 2, oldestTimestampMs: 1 },
    };
    const view = viewOf({ stored, state, pagesFetched: 1, error: null, stoppedByUser: false });
    expect(coverageWords(view)).toBe('list reaches back to the first transaction and has 1 gap');
  },
);

describe('the progress line', () => {
  const done = sync({ state: 'complete', rowCount: 1_100, reachedStart: true, covered: whole });
  const running = sync({ state: 'running', rowCount: 100 });

  it('says what is being fetched', () => {
    expect(progressWords(summarize([running]), running)).toBe('fetching…');
    expect(progressWords(summarize([done, running]), null)).toBe('fetching 1 of 2 histories…');
  });

  it('claims completeness only when every history is whole', () => {
    expect(progressWords(summarize([done, done]), null)).toBe('list complete back to the first transaction');
    const failed = { ...done, state: 'failed' as const, error: unreadable };
    expect(progressWords(summarize([done, failed]), null)).toBe('1 of 2 histories complete');
    expect(progressWords(summarize([done, { ...done, covered: gap, reachedStart: false }]), null)).toBe(
      '1 of 2 histories complete',
    );
    const stopped = sync({ state: 'stopped', rowCount: 1 });
    expect(progressWords(summarize([done, stopped]), null)).toBe('1 of 2 histories complete');
    expect(progressWords(summarize([done, { ...stopped, stoppedByUser: true }]), null)).toBe(
      '1 of 2 histories complete, 1 stopped by you',
    );
  });

  it('says nothing about histories where there is none', () => {
    expect(progressWords(summarize([]), null)).toBe('');
  });
});
