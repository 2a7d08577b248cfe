import { describe, expect, it } from 'vitest';
import type { Blocks } from '../../../../shared/activity/blocks.ts';
import { beginWalk, hasPassed, restartWalk, walkPage } from './walk.ts';

const newest = beginWalk(0n, null);

describe('blocks of one second come in any order, and whether all of them were shown is not known before an older one', () => {
  const walked = (...pages: [rows: ([block: number, timeMs: number] | null)[], isLast?: boolean][]) => {
    let [walk, covered] = [newest, [] as Blocks[]];
    for (const [rows, isLast = false] of pages) {
      const page = {
        blocks: rows.map((row) => row && BigInt(row[0])),
        timesMs: rows.map((row) => row?.[1] ?? null),
        isLast,
      };
      ({ walk, covered } = walkPage(walk, covered, page));
    }
    return { walk, covered: covered.map(({ from, to }) => [Number(from), Number(to)]) };
  };

  it.each<[string, Parameters<typeof walked>[0][], number[][]]>([
    [
      'none but those of one second',
      [
        [
          [
            [50, 9],
            [40, 9],
          ],
        ],
      ],
      [],
    ],
    [
      'an older one',
      [
        [
          [
            [50, 9],
            [40, 8],
          ],
        ],
      ],
      [[50, 51]],
    ],
    [
      'others of the oldest second',
      [
        [
          [
            [50, 9],
            [41, 8],
            [40, 8],
          ],
        ],
      ],
      [[50, 51]],
    ],
    [
      'those on the next page, in any order',
      [
        [
          [
            [50, 9],
            [40, 8],
          ],
        ],
        [
          [
            [42, 8],
            [41, 8],
            [39, 7],
          ],
        ],
      ],
      [[40, 51]],
    ],
    [
      'those of the first second, in any order',
      [
        [
          [
            [49, 9],
            [50, 9],
            [40, 8],
          ],
        ],
      ],
      [[49, 51]],
    ],
    [
      'a list that has the same time everywhere, and other blocks later',
      [
        [
          [
            [30, 9],
            [50, 9],
          ],
        ],
        [[[60, 9]], true],
      ],
      [[0, 51]],
    ],
    [
      'the last page',
      [
        [
          [
            [50, 9],
            [40, 8],
          ],
        ],
        [[[41, 8]], true],
      ],
      [[0, 51]],
    ],
  ])('%s', (_name, pages, covered) => {
    const seen = walked(...pages);
    expect(seen.covered).toEqual(covered);
    expect(seen.walk.isOrdered).toBe(true);
  });

  it.each<[string, ([number, number] | null)[], number[][]]>([
    [
      'below it',
      [[50, 9], [40, 8], null, [41, 8], [20, 7], [10, 6]],
      [
        [0, 21],
        [50, 51],
      ],
    ],
    ['as the first', [null, [50, 9], [49, 9], [40, 8]], [[0, 41]]],
    ['before the last second', [[50, 9], null, [40, 8], [41, 8]], []],
    ['as the last', [[50, 9], [40, 8], null], [[50, 51]]],
  ])(
    'a row that cannot be read may be in any block of the second of the next one: %s',
    (_name, rows, covered) => {
      expect(walked([rows, true]).covered).toEqual(covered);
      // One page or two are the same.
      const split = rows.indexOf(null) + 1;
      expect(walked([rows.slice(0, split)], [rows.slice(split), true]).covered).toEqual(covered);
    },
  );

  it.each<[string, [number, number][]]>([
    [
      'a later time',
      [
        [50, 9],
        [40, 8],
        [41, 9],
      ],
    ],
    [
      'the same time above what was all there is',
      [
        [50, 9],
        [40, 8],
        [60, 8],
      ],
    ],
  ])('%s breaks the promise', (_name, rows) => {
    expect(walked([rows])).toMatchObject({ covered: [], walk: { isOrdered: false } });
  });

  it('a range is passed with a block that is older, and a walk begins again with the second that it was in', () => {
    const { walk } = walked([
      [
        [50, 9],
        [40, 8],
      ],
    ]);
    expect([hasPassed(walk, 50n), hasPassed(walk, 49n)]).toEqual([true, false]);
    expect(restartWalk(walk)).toEqual(beginWalk(0n, 50n));
  });

  it('of which more may follow, what was proven before counts no longer', () => {
    const after = (isLast: boolean) => {
      const page = { blocks: [50n, 40n], timesMs: [9, 8], isLast };
      return walkPage(newest, [{ from: 0n, to: 100n }], page).covered;
    };
    expect(after(false)).toEqual([
      { from: 0n, to: 41n },
      { from: 50n, to: 100n },
    ]);
    expect(after(true)).toEqual([{ from: 0n, to: 100n }]);
  });
});
