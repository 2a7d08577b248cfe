import { describe, expect, it } from 'vitest';
import type { StoredSync } from '../../activity-ports.ts';
import { densityOf, isSparse, nextRangeBlocks, rangeBlocksOf, upperPart } from './range-size.ts';

function stored(change: Partial<StoredSync>): StoredSync {
  return {
    covered: [],
    reachedStart: false,
    checkedAtMs: null,
    rowCount: 0,
    stoppedByUser: false,
    owed: null,
    doubts: 0,
    newestTimestampMs: null,
    oldestTimestampMs: null,
    ...change,
  };
}

const covered = (...ranges: [string, string][]) =>
  ranges.map(([fromBlock, toBlock]) => ({ fromBlock, toBlock }));

describe('the size of a range', () => {
  it.each<[string, StoredSync | null, [number, number]]>([
    ['nothing is known of the transactions', null, [0, 9_000_000]],
    ['none is covered', stored({ reachedStart: true }), [0, 9_000_000]],
    // One transaction in a hundred blocks: 1,000 in 100,000.
    [
      'some are',
      stored({ covered: covered(['0', '1000'], ['5000', '6000']), rowCount: 20 }),
      [8_900_009, 9_000_000],
    ],
    ['there are none', stored({ covered: covered(['0', '1000']) }), [0, 9_000_000]],
  ])('%s', (_name, sync, [from, to]) => {
    expect(upperPart({ from: 0n, to: 9_000_000n }, rangeBlocksOf(densityOf(sync)))).toEqual({
      from: BigInt(from),
      to: BigInt(to),
    });
  });

  it('a range that is short enough is walked whole', () => {
    const density = rangeBlocksOf({ tip: 5n, transactionsPerMillionBlocks: 1_000_000n });
    expect(upperPart({ from: 7n, to: 1_008n }, density)).toEqual({ from: 7n, to: 1_008n });
    expect(upperPart({ from: 900n, to: 1_000n }, density)).toEqual({ from: 900n, to: 1_000n });
    expect(upperPart({ from: 7n, to: 1_009n }, density)).toEqual({ from: 8n, to: 1_009n });
    expect(densityOf(stored({ covered: covered(['0', '1000']) }))?.tip).toBe(935n);
    expect(densityOf(stored({ covered: covered(['0', '64']) }))?.tip).toBe(0n);
    expect(densityOf(stored({ covered: covered(['0', '66']) }))?.tip).toBe(1n);
  });

  it.each([
    ['as many as planned', 1_000, 10_001],
    ['half', 500, 20_001],
    ['twice', 2_000, 5_001],
    ['few', 70, 142_858],
    ['hardly any', 62, 161_291],
    ['none', 0, 161_291],
    ['far too many', 1_000_000, 626],
  ])(
    'after one of 10,000 blocks with %s follows one of as many as should hold a thousand',
    (_name, had, next) => {
      expect(nextRangeBlocks(10_000n, had)).toBe(BigInt(next));
    },
  );
});

it.each<[number, number | null, number | null, boolean]>([
  [0, null, null, true],
  [50, 1, 0, true],
  [51, 1, 0, false],
  [51, null, null, false],
  // 50 in a quarter of an hour.
  [5_000, 90_000_000, 0, true],
  [5_001, 90_000_000, 0, false],
  [5_000, 91_000_000, 1_000_000, true],
  [5_001, 91_000_000, 1_000_000, false],
])('%i elements between %j and %j are few: %s', (rowCount, newestTimestampMs, oldestTimestampMs, few) => {
  expect(isSparse(stored({ rowCount, newestTimestampMs, oldestTimestampMs }))).toBe(few);
});
