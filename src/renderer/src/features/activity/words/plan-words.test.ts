import { describe, expect, it } from 'vitest';
import type { SyncPlan } from '../../../../../shared/activity/types.ts';
import { completionCost, planWords } from './plan-words.ts';

const item = {
  address: '0x1',
  chainId: '7',
  list: 'transactions' as const,
  leastCalls: 1,
  estimatedCalls: 12,
};
const plan: SyncPlan = {
  items: [item, item],
  leastCalls: 2,
  estimatedCalls: 1_204,
  estimatedMs: 301_000,
  share: { window: 'day', part: 0.0201 },
};
const unknown = {
  remainingThisMinute: null,
  limitPerMinute: null,
  remainingToday: null,
  limitPerDay: null,
  heldUntilMs: null,
};

describe('what fetching would cost', () => {
  it('tells calls, time and the share of the day', () => {
    expect(planWords(plan)).toEqual([
      'About 1,204 calls for 2 lists (at least 2).',
      'About 5 min at the current limits.',
      'Needs 2% of what the service allows per day.',
    ]);
  });

  it('says what is not known instead of guessing', () => {
    const never = { ...item, estimatedCalls: null };
    const unknown = { estimatedCalls: null, estimatedMs: null, share: null };
    expect(planWords({ ...plan, ...unknown, items: [never, never] })).toEqual([
      'At least 2 calls for 2 lists.',
      'The number of calls isn’t known until the first page arrives.',
      'The duration isn’t known until then.',
    ]);
    expect(planWords({ ...plan, ...unknown, leastCalls: 1, items: [never] }).slice(0, 2)).toEqual([
      'At least 1 call for 1 list.',
      'The number of calls isn’t known until the first page arrives.',
    ]);
    expect(planWords({ ...plan, ...unknown, leastCalls: 3, items: [item, never, item] }).slice(0, 2)).toEqual(
      [
        'At least 3 calls for 3 lists.',
        'The number of calls for 1 list isn’t known until its first page arrives. The others need about 24 calls.',
      ],
    );
    expect(planWords({ ...plan, estimatedMs: null })[1]).toBe('We don’t know yet how long a call takes.');
  });

  it('knows nothing to do, moments, and slivers of a day', () => {
    expect(planWords({ ...plan, items: [] })).toEqual(['There’s nothing to fetch.']);
    expect(planWords({ ...plan, estimatedMs: 250, share: { window: 'day', part: 0.0001 } }).slice(1)).toEqual(
      ['Takes less than a second.', 'Needs less than 1% of what the service allows per day.'],
    );
  });

  it.each<[SyncPlan['share'], string]>([
    [{ window: 'minute', part: 0.35 }, 'Needs 35% of what the service allows per minute.'],
    [{ window: 'minute', part: 4.04 }, 'Needs 4 times what the service allows per minute.'],
    [{ window: 'day', part: 1.25 }, 'Needs 1.3 times what the service allows per day.'],
  ])('%j is %s', (share, words) => {
    expect(planWords({ ...plan, share }).at(-1)).toBe(words);
  });

  it('counts a call for each row to complete', () => {
    expect(completionCost(1_204, unknown)).toBe(
      '1,204 calls (one per transaction), using about 24,080 units.',
    );
    const ofMinute = { ...unknown, remainingThisMinute: 5_900, limitPerMinute: 6_000 };
    expect(completionCost(1_204, ofMinute)).toBe(
      '1,204 calls (one per transaction), using about 24,080 units. 5,900 of 6,000 units are left this minute.',
    );
    expect(completionCost(1, { ...unknown, remainingToday: 900, limitPerDay: 1_000 })).toBe(
      '1 call (one per transaction), using about 20 units. 900 of 1,000 units are left today.',
    );
  });
});
