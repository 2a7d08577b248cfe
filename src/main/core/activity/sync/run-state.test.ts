import { describe, expect, it } from 'vitest';
import { largestBlock } from '../../../../shared/activity/blocks.ts';
import type { StoredSync } from '../../activity-ports.ts';
import {
  answer,
  compared,
  erc20,
  goalOf,
  intervals,
  nowMs,
  pairsOf,
  plan,
  rows,
  shown,
  stored,
  walkGoal,
} from '../testing/run-pages.ts';
import { beginRun, nextGoal, type RunPlan, type RunState } from './run-state.ts';

describe('where a run begins', () => {
  const head = { aim: 'head', then: 'missing' } as const;
  it.each<[string, StoredSync | null, Partial<RunPlan>, ReturnType<typeof shown> | null]>([
    ['nothing is stored: all of it', null, {}, { ...head, range: [0, null], stopAt: 0, aim: 'range' }],
    [
      'nothing is stored, and older ones are wanted',
      null,
      { what: 'older' },
      { ...head, range: [0, null], stopAt: 0, aim: 'range' },
    ],
    ['nothing is stored, and holes are wanted', null, { what: 'holes' }, null],
    [
      'from 64 blocks below the newest',
      stored([[0, 1_000]]),
      {},
      { ...head, range: [935, null], stopAt: 999 },
    ],
    ['but not below the first', stored([[0, 64]]), {}, { ...head, range: [0, null], stopAt: 63 }],
    [
      'newer ones alone',
      stored([[500, 1_000]]),
      { what: 'newer' },
      { ...head, range: [935, null], stopAt: 999 },
    ],
    [
      'one block again',
      stored([[0, 1_000]]),
      { again: { from: 7n, to: 8n } },
      {
        ...head,
        range: [7, 8],
        stopAt: 7,
        aim: 'range',
        then: 'nothing',
      },
    ],
    ['it was just looked at, and nothing is missing', stored([[0, 1_000]]), { headFreshForMs: 90_000 }, null],
    [
      'it was just looked at, and older ones are missing',
      stored([[500, 1_000]]),
      { headFreshForMs: 90_000 },
      { range: [0, 500], stopAt: 0, aim: 'range', then: 'missing' },
    ],
    [
      'a long list without an order: the newest block alone',
      stored([[0, 1_000]], { rowCount: 9_000, newestTimestampMs: 9_000, oldestTimestampMs: 0 }),
      { isOrderPromised: false },
      { ...head, range: [999, null], stopAt: 999 },
    ],
    [
      'one with an order, however long',
      stored([[0, 1_000]], { rowCount: 9_000, newestTimestampMs: 9_000, oldestTimestampMs: 0 }),
      {},
      { ...head, range: [935, null], stopAt: 999 },
    ],
    [
      'holes, newest first',
      stored([
        [0, 100],
        [200, 300],
        [400, 500],
      ]),
      { what: 'holes' },
      { range: [300, 400], stopAt: 300, aim: 'range', then: 'missing' },
    ],
    [
      'older ones, not the holes',
      stored([
        [100, 200],
        [400, 500],
      ]),
      { what: 'older' },
      { range: [0, 100], stopAt: 0, aim: 'range', then: 'missing' },
    ],
  ])('%s', (_name, known, change, expected) => {
    const of = plan(change);
    const next = nextGoal(beginRun(rows, known, of.density), of, nowMs);
    expect(next === null ? null : shown(next.goal)).toEqual(expected);
  });

  it('with a range of the size that the density makes expect; the rest, and the block in doubt, become holes', () => {
    const density = { tip: 9_000n, transactionsPerMillionBlocks: 1_000_000n };
    const of = plan({ isOrderPromised: false, density });
    const begun = beginRun(erc20, stored([[0, 1_000]]), density);
    const { state, goal } = goalOf(begun, of);
    expect(shown(goal)).toEqual({
      range: [7_999, null],

      stopAt: 7_999,
      aim: 'range',
      then: 'missing',
    });
    expect(pairsOf(state.covered)).toEqual([[0, 999]]);
    // Where it fits in one go, it begins at the newest block.
    const near = plan({ isOrderPromised: false, density: { ...density, tip: 1_900n } });
    expect(shown(goalOf(begun, near).goal)).toMatchObject({ range: [935, null], aim: 'head' });
    const { goal: hole } = goalOf(
      { ...begun, phase: 'missing', covered: [{ from: 5_000n, to: 6_000n }] },
      of,
    );
    expect(shown(hole)).toMatchObject({ range: [3_999, 5_000] });
    expect(hole.walk.isOrdered).toBe(false);
  });
});

describe('a page', () => {
  it('of a first fetch proves what is above its oldest row', () => {
    const { state, goal } = goalOf(beginRun(rows, null, null), plan());
    const { taken } = walkGoal(state, goal, [[answer([50, 41, 40], 'next')], [answer([40, 30], null)]]);
    expect(taken.map(({ isEnd }) => isEnd)).toEqual([false, true]);
    expect(taken[0]?.sync).toEqual({
      covered: intervals([[41, 51]]),
      reachedStart: false,
      checkedAtMs: nowMs,
    });
    expect(taken[1]?.sync).toEqual({
      covered: intervals([[0, 51]]),
      reachedStart: true,
      checkedAtMs: nowMs,
    });
    expect(taken.map(({ proven }) => pairsOf(proven))).toEqual([[[41, 51]], [[0, 41]]]);
    // Nothing was stored that could be gone.
    expect(taken.map(({ sweep }) => sweep)).toEqual([[], []]);
  });

  it('of an empty history says so, and only its last', () => {
    const { state, goal } = goalOf(beginRun(rows, null, null), plan());
    const end = walkGoal(state, goal, [[answer([], null)]]);
    expect(end.taken[0]?.sync).toMatchObject({ covered: [], reachedStart: true });
    const more = walkGoal(state, goal, [[answer([], 'next')]]);
    expect(more.taken[0]?.sync).toMatchObject({ covered: [], reachedStart: false });
    const odd = walkGoal(state, goal, [[answer([null], null)]]);
    expect(odd.taken[0]?.sync).toMatchObject({ covered: [], reachedStart: false });
    expect(odd.state.unreadable).toBe(1);
  });

  it('of the newest blocks ends the walk when it has passed what was proven, and adds to the ledger what is new', () => {
    const { state, goal } = goalOf(beginRun(rows, stored([[0, 1_000]]), null), plan());
    const { taken } = walkGoal(state, goal, [[answer([1_020, 991, 990], 'next'), compared(990, 'same')]]);
    expect(taken[0]).toMatchObject({
      isEnd: true,
      sync: { covered: intervals([[0, 1_021]]), reachedStart: true },
    });
    expect(pairsOf(taken[0]?.proven ?? [])).toEqual([[1_000, 1_021]]);
    expect(taken[0]?.sweep).toEqual([{ fromBlock: '991', toBlock: String(largestBlock) }]);
  });

  it('counts what cannot be read, and proves nothing around it', () => {
    const { state, goal } = goalOf(beginRun(rows, null, null), plan());
    const { taken, state: after } = walkGoal(state, goal, [[answer([50, null, null, 40, null], null)]]);
    expect(after.unreadable).toBe(3);
    expect(taken[0]?.sync.covered).toEqual([]);
  });
});

describe('the size of ranges', () => {
  const density = { tip: 100_000n, transactionsPerMillionBlocks: 1_000_000n };
  const of = plan({ isOrderPromised: false, density, headFreshForMs: 90_000 });
  const next = (state: RunState) => goalOf(state, of);

  it('follows from what the one before has held, if that was of the planned size', () => {
    const begun = beginRun(erc20, stored([[50_000, 100_000]]), density);
    const { state, goal } = next(begun);
    expect(shown(goal).range).toEqual([48_999, 50_000]);
    const { state: sparse } = walkGoal(state, goal, [[answer([49_500, 49_400], null)]]);
    expect(sparse.rangeBlocks).toBe((1_001n * 1_000n) / 62n + 1n);
    expect(shown(next(sparse).goal).range).toEqual([48_999 - 16_146, 48_999]);
    // Each range is counted anew.
    const { state: again } = next(sparse);
    expect(again.rangeElements).toBe(0);
    const cut = { ...goal, walk: { ...goal.walk, from: 49_000n } };
    expect(walkGoal(state, cut, [[answer([], null)]]).state.rangeBlocks).toBe(1_001n);
    expect(walkGoal(beginRun(erc20, null, null), goal, [[answer([], null)]]).state.rangeBlocks).toBeNull();
  });

  it('a range walked once is not walked again by the same run', () => {
    const { state, goal } = next(beginRun(erc20, stored([[500, 100_000]]), density));
    expect(shown(goal).range).toEqual([0, 500]);
    const { state: after } = walkGoal(state, goal, [[answer([400, null], null)]]);
    expect(after).toMatchObject({ walkedTo: 0n, unreadable: 1 });
    expect(nextGoal(after, of, nowMs)).toBeNull();
    expect(nextGoal({ ...after, phase: 'nothing' }, of, nowMs)).toBeNull();
  });
});

it('pages carry how often proof had been taken back when the run began', () => {
  expect(beginRun(rows, stored([]), null).doubts).toBe(3);
  expect(beginRun(rows, null, null).doubts).toBe(0);
});
