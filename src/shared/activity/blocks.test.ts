import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  holes,
  intersectBlocks,
  mergeBlocks,
  readIntervals,
  subtractBlocks,
  writeIntervals,
  type Blocks,
  proofsOf,
} from './blocks.ts';

const size = 24;

const ranges = fc.array(
  fc
    .tuple(fc.integer({ min: 0, max: size }), fc.integer({ min: 0, max: size }))
    .map(([a, b]): Blocks => ({ from: BigInt(a), to: BigInt(b) })),
  { maxLength: 8 },
);

/** The plain meaning of a list of ranges: which blocks are in it. */
function members(list: readonly Blocks[]): boolean[] {
  return Array.from({ length: size + 1 }, (_nothing, block) =>
    list.some(({ from, to }) => from <= BigInt(block) && BigInt(block) < to),
  );
}

function isNormal(list: readonly Blocks[]): boolean {
  return list.every((range, i) => {
    const next = list[i + 1];
    return range.from < range.to && (next === undefined || range.to < next.from);
  });
}

describe('ranges of blocks', () => {
  const blocks = (...spans: [number, number][]): Blocks[] =>
    spans.map(([from, to]) => ({ from: BigInt(from), to: BigInt(to) }));

  it('that touch are one, and what lies between is a hole, newest first', () => {
    expect(mergeBlocks(blocks([5, 9], [0, 5]))).toEqual(blocks([0, 9]));
    expect(holes(blocks([2, 3], [5, 6], [8, 9]))).toEqual(blocks([6, 8], [3, 5], [0, 2]));
  });

  it('merge to the same blocks, ascending, disjoint and not touching', () => {
    fc.assert(
      fc.property(ranges, (list) => {
        const merged = mergeBlocks(list);
        expect(members(merged)).toEqual(members(list));
        expect(isNormal(merged)).toBe(true);
      }),
    );
  });

  it('lose exactly what is subtracted', () => {
    fc.assert(
      fc.property(ranges, ranges, (list, removed) => {
        const [range = { from: 3n, to: 3n }] = removed;
        const left = subtractBlocks(mergeBlocks(list), range);
        const gone = members([range]);
        expect(members(left)).toEqual(members(list).map((isIn, block) => isIn && gone[block] !== true));
        expect(isNormal(left)).toBe(true);
      }),
    );
  });

  it('have in common exactly what is in both', () => {
    fc.assert(
      fc.property(ranges, ranges, (one, other) => {
        const others = members(other);
        const common = intersectBlocks(one, other);
        expect(members(common)).toEqual(members(one).map((isIn, block) => isIn && others[block] === true));
        expect(isNormal(common)).toBe(true);
      }),
    );
  });

  it('have holes wherever a block below the newest is missing, newest first', () => {
    fc.assert(
      fc.property(ranges, (list) => {
        const covered = mergeBlocks(list);
        const found = holes(covered);
        const newest = covered.at(-1)?.to ?? 0n;
        const missing = members(covered).map((isIn, block) => !isIn && BigInt(block) < newest);
        expect(members(found)).toEqual(missing);
        expect(isNormal([...found].reverse())).toBe(true);
      }),
    );
  });

  it('are written as decimal strings and read back', () => {
    const all = [{ from: 0n, to: 2n ** 63n }];
    expect(writeIntervals(all)).toEqual([{ fromBlock: '0', toBlock: '9223372036854775808' }]);
    expect(readIntervals(writeIntervals(all))).toEqual(all);
  });
});

describe('the ledger as it still holds', () => {
  const proof = (runId: string, provenAtMs: number, fromBlock: string, toBlock: string) => ({
    runId,
    provenAtMs,
    fromBlock,
    toBlock,
  });

  it.each<[string, [string, string][], ReturnType<typeof proof>[], ReturnType<typeof proof>[]]>([
    ['nothing is covered', [], [proof('a', 1, '0', '10')], []],
    ['nothing is proven', [['0', '10']], [], []],
    ['what was taken back is left out', [['5', '8']], [proof('a', 1, '0', '10')], [proof('a', 1, '5', '8')]],
    [
      'the newest proof of a block counts',
      [['0', '10']],
      [proof('a', 1, '0', '10'), proof('b', 2, '4', '6')],
      [proof('a', 1, '0', '4'), proof('b', 2, '4', '6'), proof('a', 1, '6', '10')],
    ],
    [
      'in order of blocks, as numbers',
      [['0', '1000']],
      [proof('b', 2, '90', '1000'), proof('a', 1, '0', '90')],
      [proof('a', 1, '0', '90'), proof('b', 2, '90', '1000')],
    ],
  ])('%s', (_name, covered, proofs, held) => {
    const intervals = covered.map(([fromBlock, toBlock]) => ({ fromBlock, toBlock }));
    expect(proofsOf(intervals, proofs)).toEqual(held);
  });
});
