import { describe, expect, it } from 'vitest';
import { largestBlock, type Blocks } from '../../../../shared/activity/blocks.ts';
import { beginWalk, hasPassed, isEmptyWalk, restartWalk, sweptBlocks, walkPage, type Walk } from './walk.ts';

type Page = [blocks: (number | null)[], isLast: boolean];

/** Walks the pages one after the other, from nothing covered. */
function walkAll(start: Walk, pages: readonly Page[], coveredBefore: Blocks[] = []) {
  let walk = start;
  let covered = coveredBefore;
  for (const [blocks, isLast] of pages) {
    const page = { blocks: blocks.map((block) => (block === null ? null : BigInt(block))), isLast };
    ({ walk, covered } = walkPage(walk, covered, page));
  }
  return { walk, covered: covered.map(({ from, to }) => [Number(from), Number(to)]) };
}

const newest = beginWalk(0n, null);
const range = beginWalk(10n, 100n);

describe('what pages prove', () => {
  it.each<[string, Walk, Page[], number[][]]>([
    [
      'a page that is not the last proves the blocks above its oldest',
      newest,
      [[[50, 49, 40], false]],
      [[41, 51]],
    ],
    [
      'the next page goes on below',
      newest,
      [
        [[50, 40], false],
        [[40, 30], false],
      ],
      [[31, 51]],
    ],
    [
      'the last page proves the rest',
      newest,
      [
        [[50, 40], false],
        [[40, 30], true],
      ],
      [[0, 51]],
    ],
    ['a single page proves everything up to its newest', newest, [[[50], true]], [[0, 51]]],
    ['a page of one block that is not the last proves nothing', newest, [[[50, 50], false]], []],
    ['an empty history proves nothing about blocks to come', newest, [[[], true]], []],
    ['an empty page with a token proves nothing', newest, [[[], false]], []],
    [
      'an empty last page proves the rest',
      newest,
      [
        [[50, 40], false],
        [[], true],
      ],
      [[0, 51]],
    ],
    ['a range is proven up to its end', range, [[[50, 40], false]], [[41, 100]]],
    ['an empty range is proven', range, [[[], true]], [[10, 100]]],
    ['a range is proven down to its first block only', range, [[[50, 40], true]], [[10, 100]]],
    [
      'rows below the range end it',
      range,
      [
        [[50, 12], false],
        [[9, 8], false],
      ],
      [[10, 100]],
    ],
    ['rows above the range prove nothing there', range, [[[120, 50], false]], [[51, 100]]],
    // Unreadable rows: their block lies somewhere between their neighbours.
    ['an unreadable row leaves a hole', newest, [[[50, null, 40, 30], true]], [[0, 40]]],
    [
      'an unreadable row in the middle',
      newest,
      [[[50, 45, null, 40, 30], true]],
      [
        [0, 40],
        [46, 51],
      ],
    ],
    [
      'several unreadable rows',
      newest,
      [[[50, 45, null, null, 40, 30, null, 20], true]],
      [
        [0, 20],
        [31, 40],
        [46, 51],
      ],
    ],
    ['an unreadable first row', newest, [[[null, 40, 30], true]], [[0, 40]]],
    ['an unreadable first row of a range', range, [[[null, 40, 30], true]], [[10, 40]]],
    ['an unreadable last row of the history', newest, [[[50, 40, null], true]], [[41, 51]]],
    [
      'an unreadable last row of a page',
      newest,
      [
        [[50, 40, null], false],
        [[35, 30], true],
      ],
      [
        [0, 35],
        [41, 51],
      ],
    ],
    [
      'a page of unreadable rows',
      newest,
      [
        [[50, 40], false],
        [[null, null], false],
        [[35, 30], true],
      ],
      [
        [0, 35],
        [41, 51],
      ],
    ],
    ['nothing but unreadable rows', newest, [[[null, null], true]], []],
    // Disorder: the order proves nothing, only the end does.
    ['rows out of order', newest, [[[40, 50, 30], false]], []],
    [
      'rows out of order to the very end',
      newest,
      [
        [[40, 50], false],
        [[30, 45], true],
      ],
      [[0, 51]],
    ],
    [
      'a later page above an earlier one takes back what it had proven',
      newest,
      [
        [[50, 40], false],
        [[45, 30], false],
      ],
      [],
    ],
    ['disorder with an unreadable row, to the end', newest, [[[40, null, 50], true]], []],
    ['disorder in a range, to the end', range, [[[40, 50], true]], [[10, 100]]],
  ])('%s', (_name, start, pages, covered) => {
    expect(walkAll(start, pages).covered).toEqual(covered);
  });

  // Lists for which the service promises no order.
  const unpromised = beginWalk(0n, null, false);
  const unpromisedRange = beginWalk(10n, 100n, false);
  it.each<[string, Walk, Page[], number[][]]>([
    ['newest first proves nothing before the end', unpromised, [[[50, 40], false]], []],
    [
      'newest first, to the end',
      unpromised,
      [
        [[50, 40], false],
        [[30], true],
      ],
      [[0, 51]],
    ],
    ['a range, to the end', unpromisedRange, [[[40, 20, 50], true]], [[10, 100]]],
    ['an empty range', unpromisedRange, [[[], true]], [[10, 100]]],
    ['a range before its end', unpromisedRange, [[[40, 20, 50], false]], []],
    [
      'up to what the first page shows: later ones may have come meanwhile',
      unpromised,
      [
        [[30, 40], false],
        [[35, 60], true],
      ],
      [[0, 41]],
    ],
    [
      'up to a block that is known to be older than the walk',
      beginWalk(0n, null, false, 55n),
      [
        [[30, 40], false],
        [[35, 60], true],
      ],
      [[0, 56]],
    ],
    ['nothing but a block that is known', beginWalk(5n, null, false, 55n), [[[], true]], [[5, 56]]],
    ['one that cannot be read', unpromised, [[[30, null, 50], true]], []],
  ])('without a promise: %s', (_name, start, pages, covered) => {
    expect(walkAll(start, pages).covered).toEqual(covered);
  });

  it('tells of each page what it adds', () => {
    const first = walkPage(newest, [], { blocks: [50n, 40n], isLast: false });
    const second = walkPage(first.walk, first.covered, { blocks: [40n, 30n], isLast: false });
    const third = walkPage(second.walk, second.covered, { blocks: [], isLast: true });
    expect([first.proven, second.proven, third.proven]).toEqual([
      [{ from: 41n, to: 51n }],
      [{ from: 31n, to: 41n }],
      [{ from: 0n, to: 31n }],
    ]);
  });

  it('disorder takes back nothing that other walks have proven', () => {
    const before = [
      { from: 0n, to: 10n },
      { from: 100n, to: 200n },
    ];
    expect(
      walkAll(
        range,
        [
          [[50, 40], false],
          [[45], false],
        ],
        before,
      ).covered,
    ).toEqual([
      [0, 10],
      [100, 200],
    ]);
  });

  it('of a list without an order, no page takes back what was proven in its range', () => {
    const before = [{ from: 20n, to: 30n }];
    expect(walkAll(beginWalk(10n, 100n, false), [[[50, 40], false]], before).covered).toEqual([[20, 30]]);
  });

  it('knows when nothing of the range can follow', () => {
    expect(hasPassed(walkAll(range, [[[50, 10], false]]).walk, 10n)).toBe(false);
    expect(hasPassed(walkAll(range, [[[50, 9], false]]).walk, 10n)).toBe(true);
    // Out of order an old row says nothing about what follows.
    expect(hasPassed(walkAll(range, [[[9, 50], false]]).walk, 10n)).toBe(false);
  });
});

describe('what a page shows to be gone', () => {
  const swept = (start: Walk, [blocks, isLast]: Page, isEnd = isLast) => {
    const page = { blocks: blocks.map((block) => (block === null ? null : BigInt(block))), isLast };
    const found = sweptBlocks(start, walkPage(start, [], page), isEnd);
    return found.map(({ from, to }) => [Number(from), to === largestBlock ? 'newest' : Number(to)]);
  };
  it.each<[string, Walk, Page, boolean, (number | string)[][]]>([
    ['a page before the end: what it proves', newest, [[50, 40], false], false, [[41, 51]]],
    ['the end of the newest: also what is above', newest, [[50, 40], true], true, [[0, 'newest']]],
    ['an end that other blocks follow', newest, [[50, 40], false], true, [[41, 'newest']]],
    ['an empty list: all from its start on', beginWalk(30n, null), [[], true], true, [[30, 'newest']]],
    ['nothing above where a row cannot be read', newest, [[null, 40, 30], true], true, [[0, 40]]],
    ['a range: nothing above it', range, [[50, 40], true], true, [[10, 100]]],
  ])('%s', (_name, start, page, isEnd, blocks) => {
    expect(swept(start, page, isEnd)).toEqual(blocks);
  });
});

describe('a walk that begins again without its token', () => {
  it('goes on below what is proven', () => {
    const { walk } = walkAll(range, [[[50, 40], false]]);
    expect(restartWalk(walk)).toEqual(beginWalk(10n, 41n));
    // An order that was kept so far is promised.
    expect(restartWalk(walk).isOrdered).toBe(true);
  });

  it.each<[string, Walk, Page[]]>([
    ['nothing was seen', range, [[[], false]]],
    ['a row could not be read', range, [[[50, null, 40], false]]],
    ['rows were out of order', range, [[[40, 50], false]]],
    ['nothing is proven', newest, [[[], false]]],
  ])('goes through the whole range again where %s', (_name, start, pages) => {
    const { walk } = walkAll(start, pages);
    const { from, to, top, isOrdered } = walk;
    expect(restartWalk(walk)).toEqual({ ...beginWalk(from, to), top, isOrdered });
  });
});

it('a walk is empty when it has seen nothing, not even what cannot be read', () => {
  expect(isEmptyWalk(newest)).toBe(true);
  expect(isEmptyWalk(walkAll(newest, [[[null], true]]).walk)).toBe(false);
  expect(isEmptyWalk(walkAll(newest, [[[5], true]]).walk)).toBe(false);
});

it('without an order and without a row nothing is known of what a walk could prove', () => {
  const step = walkPage(beginWalk(0n, null, false), [{ from: 1n, to: 2n }], { blocks: [], isLast: true });
  expect(step).toMatchObject({ covered: [{ from: 1n, to: 2n }], proven: [], walk: { top: null } });
});

it('the newest and the oldest block of a walk are those of all its pages', () => {
  const { walk } = walkAll(beginWalk(0n, null, false), [
    [[30, 40, 35], false],
    [[20, 25, 60], false],
  ]);
  expect(walk).toMatchObject({ oldest: 20n, newest: 60n, top: 41n });
  // Equal blocks are in order.
  expect(walkAll(newest, [[[50, 50, 49], false]]).walk).toMatchObject({
    isOrdered: true,
    newest: 50n,
    oldest: 49n,
  });
});
