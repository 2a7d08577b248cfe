import { describe, expect, it } from 'vitest';
import { coverageAfter, reachedBy, type MetPage } from './coverage.ts';
import { beginWalk, type Walk } from './walk.ts';

type Pairs = [from: number, to: number][];

const blocks = (pairs: Pairs) => pairs.map(([from, to]) => ({ from: BigInt(from), to: BigInt(to) }));

/** A walk from the newest end that has seen blocks from `newest` down to `oldest`. */
const walked = (newest: number | null, oldest: number | null, fields: Partial<Walk> = {}): Walk => ({
  ...beginWalk(4_936n, null),
  newest: newest === null ? null : BigInt(newest),
  oldest: oldest === null ? null : BigInt(oldest),
  shownFrom: oldest === null ? null : BigInt(oldest) + 1n,
  ...fields,
});

const page = (fields: Partial<MetPage>): MetPage => ({
  stopAt: 4_999n,
  aim: 'head',
  walk: walked(5_010, 4_990),
  isFirstOfHead: false,
  isEnd: true,
  isSettled: false,
  isDoubtful: false,
  emptyFrom: null,
  ...fields,
});

/** Proven before the run: all up to 4999, without a hole in [2000, 3000). */
const before: Pairs = [
  [0, 2_000],
  [3_000, 5_000],
];

type Case = [name: string, page: Partial<MetPage>, covered: Pairs, expected: Pairs];

function check(cases: Case[], isCompared: boolean) {
  it.each(cases)('%s', (_name, fields, covered, expected) => {
    const after = coverageAfter(blocks(covered), page(fields), {
      coveredBefore: blocks(before),
      isCompared,
    });
    expect(after.map(({ from, to }) => [Number(from), Number(to)])).toEqual(expected);
  });
}

/** What the page by itself has proven, together with what was proven before. */
const withHead: Pairs = [
  [0, 2_000],
  [3_000, 5_011],
];

describe('the first page from the newest end', () => {
  const first = { isFirstOfHead: true } as const;
  check(
    [
      ['ends what is covered at its newest element', first, [[0, 9_000]], [[0, 5_011]]],
      [
        'ends it below where it was asked from when it shows nothing, in any order',
        { ...first, walk: walked(null, null, { isOrdered: false }), emptyFrom: 4_936n },
        [[0, 5_000]],
        [[0, 4_936]],
      ],
      [
        'ends nothing when a row could not be read: it may have been newer',
        { ...first, walk: walked(5_010, 4_990, { isWhole: false }) },
        [[0, 9_000]],
        [[0, 9_000]],
      ],
      [
        'nor when rows were not in order',
        { ...first, walk: walked(5_010, 4_990, { isOrdered: false }) },
        [[0, 9_000]],
        [[0, 9_000]],
      ],
      ['nor without a row', { ...first, walk: walked(null, null) }, [[0, 9_000]], [[0, 9_000]]],
      [
        'ends nothing when it is a later page',
        { isFirstOfHead: false, walk: walked(5_010, 4_990) },
        [[0, 9_000]],
        [[0, 9_000]],
      ],
    ],
    false,
  );
  const more = { ...first, isEnd: false };
  describe('that is not the last one, with hashes', () => {
    check(
      [
        [
          'leaves a thousand blocks below in doubt, with the one that was newest',
          more,
          withHead,
          [
            [0, 2_000],
            [3_000, 4_000],
            [5_000, 5_011],
          ],
        ],
        ['down to the first block', { ...more, stopAt: 300n }, [[0, 400]], [[301, 400]]],
        ['to the first but one', { ...more, stopAt: 1_000n }, [[0, 1_001]], [[0, 1]]],
        ['and to the first', { ...more, stopAt: 999n }, [[0, 1_001]], [[1_000, 1_001]]],
      ],
      true,
    );
  });
  describe('that is not the last one, without hashes', () => {
    check(
      [
        [
          'leaves the block that was newest in doubt',
          more,
          [[0, 5_011]],
          [
            [0, 4_999],
            [5_000, 5_011],
          ],
        ],
        ['also the very first block', { ...more, stopAt: 0n }, [[0, 1]], []],
      ],
      false,
    );
  });
});

describe('the end of the newest blocks', () => {
  const doubtful = { isDoubtful: true } as const;
  check(
    [
      [
        'that agree with the store: what was proven below is trusted',
        {},
        [[4_991, 5_011]],
        [
          [0, 2_000],
          [3_000, 5_011],
        ],
      ],
      [
        'that go down to the start of the range: what was proven below that is trusted',
        { walk: walked(5_010, 5_000) },
        [[4_936, 5_011]],
        [
          [0, 2_000],
          [3_000, 5_011],
        ],
      ],
      [
        'that differ: a thousand blocks below are in doubt',
        doubtful,
        withHead,
        [
          [0, 2_000],
          [3_000, 3_991],
          [4_991, 5_011],
        ],
      ],
      ['of a history that is empty now: nothing is covered', { emptyFrom: 0n }, [[0, 5_000]], []],
      [
        'that are empty: what was proven below is trusted',
        { emptyFrom: 4_936n, walk: walked(null, null) },
        [[0, 100]],
        [
          [0, 2_000],
          [3_000, 4_936],
        ],
      ],
      ['before it: nothing is decided', { ...doubtful, isEnd: false, emptyFrom: 0n }, withHead, withHead],
    ],
    true,
  );
  describe('without hashes', () => {
    check(
      [['nothing is compared', { isDoubtful: true, emptyFrom: 0n }, [[4_991, 5_011]], [[4_991, 5_011]]]],
      false,
    );
  });
});

describe('a range between', () => {
  const range = { aim: 'range', stopAt: 2_500n, walk: walked(2_900, 2_400) } as const;
  check(
    [
      ['is added as it is', range, [[2_500, 3_000]], [[2_500, 3_000]]],
      [
        'that differs from what is stored puts what is below in doubt',
        { ...range, isDoubtful: true },
        [[0, 3_000]],
        [
          [0, 1_500],
          [2_500, 3_000],
        ],
      ],
      ['but only at its end', { ...range, isDoubtful: true, isEnd: false }, [[0, 3_000]], [[0, 3_000]]],
    ],
    true,
  );
});

describe('a page below a changed block', () => {
  const doubted = { aim: 'doubted', stopAt: 0n, walk: walked(3_900, 3_500) } as const;
  check(
    [
      [
        'that agrees: what was proven below it is trusted, and no more than that',
        { ...doubted, isSettled: true },
        [[4_000, 5_000]],
        [
          [0, 2_000],
          [3_000, 3_501],
          [4_000, 5_000],
        ],
      ],
      [
        'that does not: a thousand blocks below it are in doubt',
        { ...doubted, isEnd: false },
        [[0, 5_000]],
        [
          [0, 2_501],
          [3_501, 5_000],
        ],
      ],
      ['that is the last: all below was walked', { ...doubted, isEnd: true }, [[0, 5_000]], [[0, 5_000]]],
      [
        'without a row decides nothing',
        { ...doubted, walk: walked(null, null), isEnd: true },
        [[0, 5_000]],
        [[0, 5_000]],
      ],
      [
        'without a row, where there is none above either: the history is empty',
        { ...doubted, walk: walked(null, null), isEnd: true, emptyFrom: 3_900n },
        [[0, 5_000]],
        [],
      ],
      [
        'without a row, and others follow: it may not be',
        { ...doubted, walk: walked(null, null), isEnd: false, emptyFrom: 3_900n },
        [[0, 5_000]],
        [[0, 5_000]],
      ],
      [
        'where there is nothing above: the chain ends at its newest element',
        { ...doubted, isSettled: true, emptyFrom: 4_000n },
        [[0, 5_000]],
        [[0, 3_901]],
      ],
      [
        'where there is nothing above, and that does not agree',
        { ...doubted, isEnd: false, emptyFrom: 4_000n },
        [[0, 5_000]],
        [
          [0, 2_501],
          [3_501, 3_901],
        ],
      ],
    ],
    true,
  );
});

it('a walk has reached what is above its oldest block once that is below the end of the range, else its start', () => {
  expect(reachedBy(walked(5_010, 4_990), 4_999n)).toBe(4_991n);
  expect(reachedBy(walked(5_010, 4_998), 4_999n)).toBe(4_999n);
  expect(reachedBy(walked(5_010, 4_999), 4_999n)).toBe(4_936n);
  expect(reachedBy(walked(null, null), 4_999n)).toBe(4_936n);
  expect(reachedBy(walked(5_010, 4_990, { isOrdered: false }), 4_999n)).toBe(4_936n);
});
