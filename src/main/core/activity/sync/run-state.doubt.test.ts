import { describe, expect, it } from 'vitest';
import type { StoredSync } from '../../activity-ports.ts';
import {
  answer,
  compared,
  erc20,
  goalOf,
  intervals,
  nowMs,
  plan,
  rows,
  shown,
  stored,
  walkGoal,
  type Pairs,
} from '../testing/run-pages.ts';
import { beginRun, nextGoal, rowToCompare, type Compared, type RunState } from './run-state.ts';

describe('the newest end', () => {
  /** The phase after a page of the newest blocks. */
  const after = (
    match: Compared | null,
    blocks: (number | null)[] = [1_020, 990],
    covered: Pairs = [[0, 1_000]],
  ) => {
    const { state, goal } = goalOf(beginRun(rows, stored(covered), null), plan());
    return walkGoal(state, goal, [[answer(blocks, 'next'), match]]).state;
  };

  it.each<[string, Compared | null, RunState['phase']]>([
    ['is as it was', compared(990, 'same'), 'missing'],
    ['is in another block', compared(990, 'changed'), 'doubted'],
    ['has a hash that was not known', compared(990, 'unknown'), 'missing'],
    ['was gone', compared(990, 'gone'), 'doubted'],
    ['a detail has moved there', compared(990, 'moved-by-detail'), 'doubted'],
    ['is at another height', compared(990, 'moved'), 'doubted'],
    ['is not stored', compared(990, 'absent'), 'doubted'],
    ['has nothing to compare', null, 'doubted'],
  ])('%s', (_name, match, phase) => {
    expect(after(match).phase).toBe(phase);
  });

  it('has nothing to compare because it cannot be read: that is no change', () => {
    expect(after(null, [1_020, null, 990]).phase).toBe('missing');
  });

  it('that goes down to the first block needs no walk below', () => {
    expect(after(compared(1, 'changed'), [60, 2, 1], [[0, 40]]).phase).toBe('doubted');
    const { state, goal } = goalOf(beginRun(rows, stored([[0, 40]]), null), plan());
    expect(walkGoal(state, goal, [[answer([60, 39], null), compared(39, 'changed')]]).state.phase).toBe(
      'missing',
    );
  });

  it('is not compared for other lists, nor where nothing is stored', () => {
    const phase = (ref: typeof rows | typeof erc20, known: StoredSync) => {
      const { state, goal } = goalOf(beginRun(ref, known, null), plan());
      const page = answer([1_020, 990], 'next');
      expect(rowToCompare(state, goal, page)).toBeNull();
      return walkGoal(state, goal, [[page]]).state.phase;
    };
    expect(phase(erc20, stored([[0, 1_000]]))).toBe('missing');
    expect(phase(rows, stored([[0, 1_000]], { rowCount: 0 }))).toBe('missing');
    expect(phase(rows, stored([]))).toBe('missing');
  });

  it('ends what is covered at its newest row, and at none where the history is empty now', () => {
    const { state, goal } = goalOf(beginRun(rows, stored([[0, 1_000]]), null), plan());
    const lower = walkGoal(state, goal, [[answer([950, 901, 900], 'next'), compared(900, 'same')]]);
    expect(lower.taken[0]?.sync.covered).toEqual(intervals([[0, 951]]));
    const { state: small, goal: all } = goalOf(beginRun(rows, stored([[0, 40]]), null), plan());
    const empty = walkGoal(small, all, [[answer([], null)]]);
    expect(empty.taken[0]?.sync).toMatchObject({ covered: [], reachedStart: true });
    expect(empty.state.phase).toBe('missing');
    expect(empty.taken[0]?.sweep[0]).toMatchObject({ fromBlock: '0' });
  });

  it('does not forget that there was nothing above while it goes on below', () => {
    const { state, goal } = goalOf(beginRun(rows, stored([[0, 1_000]]), null), plan());
    const empty = walkGoal(state, goal, [[answer([], null)]]);
    expect(empty.state).toMatchObject({ phase: 'doubted', emptyFrom: 935n });
    const { state: doubted, goal: below } = goalOf(empty.state, plan());
    expect(shown(below)).toEqual({
      range: [0, 935],
      stopAt: 0,
      aim: 'doubted',
      then: 'missing',
    });
    const { taken, state: after } = walkGoal(doubted, below, [
      [answer([500, 401, 400], 'next'), compared(400, 'same')],
    ]);
    expect(taken[0]).toMatchObject({ isEnd: true, sync: { covered: intervals([[0, 501]]) } });
    expect(after).toMatchObject({ phase: 'missing', walkedTo: 501n });
    const gone = walkGoal(doubted, below, [[answer([], null)]]);
    expect(gone.taken[0]?.sync).toMatchObject({ covered: [], reachedStart: true });
    expect(gone.state.walkedTo).toBe(0n);
  });
});

describe('below a changed block', () => {
  const begun = () => {
    const { state, goal } = goalOf(beginRun(rows, stored([[0, 5_000]]), null), plan());
    const { state: after } = walkGoal(state, goal, [
      [answer([5_010, 4_981, 4_980], 'next'), compared(4_980, 'changed')],
    ]);
    return goalOf(after, plan());
  };

  it('the walk goes down until a page agrees', () => {
    const { state, goal } = begun();
    expect(shown(goal)).toEqual({
      range: [0, 4_981],
      stopAt: 0,
      aim: 'doubted',
      then: 'missing',
    });
    const { taken, state: after } = walkGoal(state, goal, [
      [answer([4_980, 4_901, 4_900], 'a'), compared(4_900, 'changed')],
      [answer([4_890, 4_801, 4_800], 'b'), compared(4_800, 'same')],
    ]);
    expect(taken.map(({ isEnd }) => isEnd)).toEqual([false, true]);
    expect(taken.map(({ sync }) => sync.covered)).toEqual([
      intervals([
        [0, 3_901],
        [4_901, 5_011],
      ]),
      intervals([[0, 5_011]]),
    ]);
    expect(after).toMatchObject({ phase: 'missing', walkedTo: 4_981n, changedFrom: 4_900n });
    expect(nextGoal(after, plan(), nowMs)).toBeNull();
  });

  it('the walk ends where nothing was proven before', () => {
    const { state, goal } = begun();
    const low = { ...state, coveredBefore: [{ from: 4_895n, to: 5_000n }] };
    const { taken } = walkGoal(low, goal, [[answer([4_980, 4_895, 4_894], 'a'), compared(4_900, 'changed')]]);
    expect(taken[0]?.isEnd).toBe(true);
    const { taken: still } = walkGoal(low, goal, [[answer([4_980, 4_895], 'a'), compared(4_900, 'changed')]]);
    expect(still[0]?.isEnd).toBe(false);
  });

  it('rows at or above what is known to have changed, or was not proven before, are not compared', () => {
    const { state, goal } = begun();
    const lowest = (blocks: number[], change: Partial<RunState> = {}) =>
      Number(rowToCompare({ ...state, ...change }, goal, answer(blocks, null))?.blockNumber);
    expect(lowest([4_980, 4_979, 4_970])).toBe(4_970);
    expect(lowest([4_990, 4_980])).toBeNaN();
    expect(lowest([4_979, 100], { coveredBefore: [{ from: 200n, to: 5_000n }] })).toBe(4_979);
    expect(lowest([4_979, 4_970], { coveredBefore: [{ from: 0n, to: 4_970n }] })).toBeNaN();
    expect(lowest([4_979, 4_969], { changedFrom: null, coveredBefore: [{ from: 4_979n, to: 4_980n }] })).toBe(
      4_979,
    );
  });

  it('a hole that a run before left in doubt, and that has changed, puts what is below it in doubt', () => {
    const known = stored([
      [0, 4_000],
      [5_000, 6_000],
    ]);
    const of = plan({ headFreshForMs: 90_000 });
    const { state, goal } = goalOf(beginRun(rows, known, null), of);
    expect(shown(goal)).toMatchObject({ range: [4_000, 5_000], aim: 'range' });
    const page = answer([4_900, 4_100], null);
    expect(rowToCompare(state, goal, page)?.blockNumber).toBe(4_100n);
    const { taken, state: after } = walkGoal(state, goal, [[page, compared(4_100, 'changed')]]);
    expect(taken[0]?.sync.covered).toEqual(
      intervals([
        [0, 3_000],
        [4_000, 6_000],
      ]),
    );
    expect(after).toMatchObject({ phase: 'doubted', walkedTo: 4_000n });
    expect(walkGoal(state, goal, [[page, compared(4_100, 'same')]]).state.phase).toBe('missing');
    expect(walkGoal(state, goal, [[page]]).state.phase).toBe('missing');
  });
});
