import { describe, expect, it } from 'vitest';
import type { ChainSync, SyncPlan, SyncWhat } from '../../../../shared/activity/types.ts';
import { callsFor, planOf, type PlanLimits } from './plan.ts';

const nowMs = 10_000_000;

function sync(covered: [number, number][], change: Partial<ChainSync> = {}): ChainSync {
  return {
    state: 'stopped',
    rowCount: 1_000,
    pagesFetched: 0,
    covered: covered.map(([from, to]) => ({ fromBlock: String(from), toBlock: String(to) })),
    reachedStart: covered[0]?.[0] === 0,
    newestTimestampMs: 1_000_000,
    oldestTimestampMs: 0,
    checkedAtMs: nowMs,
    error: null,
    stoppedByUser: false,
    ...change,
  };
}

const never = sync([], { rowCount: 0, reachedStart: false, checkedAtMs: null });
const empty = sync([], { rowCount: 0, reachedStart: true });
const complete = sync([[0, 1_000]]);
// 1,000 elements in 1,000 blocks: one a block.
const holed = sync([
  [500, 1_000],
  [2_000, 2_500],
]);

describe('the calls of a list', () => {
  it.each<[string, ChainSync, SyncWhat, number, number | null]>([
    ['never fetched: nothing is known', never, 'all', 1, null],
    ['never fetched, what is new', never, 'newer', 1, null],
    ['never fetched, older', never, 'older', 1, null],
    ['never fetched, holes: there are none', never, 'holes', 0, 0],
    ['known to be empty', empty, 'all', 1, 1],
    ['complete: the newest end alone', complete, 'all', 1, 1],
    ['complete, holes', complete, 'holes', 0, 0],
    ['complete, older', complete, 'older', 0, 0],
    [
      'complete, the newest end long ago: 1,000 a million ms',
      sync([[0, 1_000]], { checkedAtMs: nowMs - 250_000 }),
      'newer',
      1,
      3,
    ],
    [
      'the same pace, wherever it lies in time',
      sync([[0, 1_000]], {
        checkedAtMs: nowMs - 250_000,
        newestTimestampMs: 1_500_000,
        oldestTimestampMs: 500_000,
      }),
      'newer',
      1,
      3,
    ],
    ['never confirmed', sync([[0, 1_000]], { checkedAtMs: null }), 'newer', 1, null],
    ['a single time', sync([[0, 1_000]], { oldestTimestampMs: 1_000_000 }), 'newer', 1, 1],
    ['one hole of 1,000 blocks', holed, 'holes', 1, 10],
    ['500 blocks below', holed, 'older', 1, 5],
    ['all of it', holed, 'all', 3, 16],
    [
      'a short hole is a call all the same',
      sync([
        [0, 1_000],
        [1_001, 1_500],
      ]),
      'holes',
      1,
      1,
    ],
    ['no block is covered', sync([[500, 500]]), 'older', 1, null],
    [
      'a list without elements is taken to be empty elsewhere',
      sync([[500, 1_000]], { rowCount: 0 }),
      'older',
      1,
      1,
    ],
  ])('%s', (_name, list, what, leastCalls, estimatedCalls) => {
    expect(callsFor(list, what, nowMs)).toEqual({ leastCalls, estimatedCalls });
  });
});

describe('the plan', () => {
  const limits = (change: Partial<PlanLimits['share']> = {}): PlanLimits => ({
    share: {
      remainingThisMinute: null,
      limitPerMinute: null,
      remainingToday: null,
      limitPerDay: null,
      heldUntilMs: null,
      ...change,
    },
    callUnits: 20,
  });
  const part = (list: ChainSync) => ({
    address: '0x1',
    chainId: '1',
    list: 'transactions' as const,
    sync: list,
  });

  it('adds up, and says nothing where a part is not known', () => {
    const pace = { nowMs, callMs: 100 };
    expect(planOf([part(holed), part(complete)], 'all', limits(), pace)).toMatchObject({
      items: [
        { leastCalls: 3, estimatedCalls: 16 },
        { leastCalls: 1, estimatedCalls: 1 },
      ],
      leastCalls: 4,
      estimatedCalls: 17,
      estimatedMs: 1_700,
      share: null,
    });
    for (const parts of [
      [part(holed), part(never)],
      [part(never), part(holed)],
    ]) {
      expect(planOf(parts, 'all', limits({ limitPerDay: 1_000 }), pace)).toMatchObject({
        leastCalls: 4,
        estimatedCalls: null,
        estimatedMs: null,
        share: null,
      });
    }
    expect(planOf([], 'all', limits(), pace)).toMatchObject({
      leastCalls: 0,
      estimatedCalls: 0,
      estimatedMs: 0,
    });
  });

  it.each<[string, Partial<PlanLimits['share']>, number | null, number | null, SyncPlan['share']]>([
    ['nothing is known', {}, null, null, null],
    ['the pace alone', {}, 1_000, 16_000, null],
    [
      'within what is left of the minute',
      { limitPerMinute: 6_000, remainingThisMinute: 6_000 },
      null,
      0,
      { window: 'minute', part: 320 / 6_000 },
    ],
    [
      'beyond it',
      { limitPerMinute: 160, remainingThisMinute: 0 },
      null,
      120_000,
      { window: 'minute', part: 2 },
    ],
    [
      'the slower of the two',
      { limitPerMinute: 160, remainingThisMinute: 0 },
      10_000,
      160_000,
      { window: 'minute', part: 2 },
    ],
    ['a ban comes first', { heldUntilMs: nowMs + 5_000 }, 1_000, 21_000, null],
    ['a limit of nothing', { limitPerMinute: 0 }, 1_000, 16_000, null],
    [
      'a share of the day',
      { limitPerDay: 3_200, limitPerMinute: 160 },
      null,
      60_000,
      { window: 'day', part: 0.1 },
    ],
    [
      'a limit of nothing a day is none',
      { limitPerDay: 0, limitPerMinute: 160, remainingThisMinute: 160 },
      null,
      60_000,
      { window: 'minute', part: 2 },
    ],
    ['more than a day', { limitPerDay: 160 }, null, null, { window: 'day', part: 2 }],
  ])('time and share: %s', (_name, share, callMs, estimatedMs, shareOfIt) => {
    expect(planOf([part(holed)], 'all', limits(share), { nowMs, callMs })).toMatchObject({
      estimatedMs,
      share: shareOfIt,
    });
  });
});
