import type { StoredSync } from '../../activity-ports.ts';
import { readIntervals, type Blocks } from '../../../../shared/activity/blocks.ts';

/** How densely an address's transactions are spread over a chain's blocks. */
export interface Density {
  /** A block that is known to exist, for so long that every list has it. */
  tip: bigint;
  transactionsPerMillionBlocks: bigint;
}

/** Size of a range in elements: what an interruption may cost. */
const rangeElements = 1_000n;

/** A range that holds fewer elements than planned is followed by one up to so many times as long, and vice versa. */
const mostGrowth = 16n;

/** The lists of a service may be some blocks behind each other. */
const mostLagBlocks = 64n;

/** The look-back blocks span no more than this time, on all but the slowest chains. */
const lookBackMs = 15 * 60_000;

/** So many elements are sure to fit on a page along with new ones. */
const fewElements = 50;

/** Density of the list of transactions, an estimate for the others; null while nothing of it is covered. */
export function densityOf(transactions: StoredSync | null): Density | null {
  const covered = readIntervals(transactions?.covered ?? []);
  const blocks = covered.reduce((sum, { from, to }) => sum + (to - from), 0n);
  const last = covered.at(-1);
  if (transactions === null || last === undefined || blocks === 0n) return null;
  return {
    tip: last.to > mostLagBlocks ? last.to - 1n - mostLagBlocks : 0n,
    transactionsPerMillionBlocks: (BigInt(transactions.rowCount) * 1_000_000n) / blocks + 1n,
  };
}

/** The number of blocks to walk in one go by that density; null for all of them. */
export const rangeBlocksOf = (density: Density | null): bigint | null =>
  density === null ? null : (rangeElements * 1_000_000n) / density.transactionsPerMillionBlocks + 1n;

/** The number of blocks for the next range, after one of `blocks` has had so many elements. */
export function nextRangeBlocks(blocks: bigint, elements: number): bigint {
  const fewest = rangeElements / mostGrowth;
  const most = rangeElements * mostGrowth;
  const had = BigInt(elements);
  const counted = had < fewest ? fewest : had > most ? most : had;
  return (blocks * rangeElements) / counted + 1n;
}

/** The upper part of a range that is walked in one go. */
export const upperPart = (range: Blocks, blocks: bigint | null): Blocks =>
  blocks === null || range.to - range.from <= blocks ? range : { from: range.to - blocks, to: range.to };

/** Whether the elements of the look-back blocks fit on one page. */
export function isSparse({ rowCount, newestTimestampMs, oldestTimestampMs }: StoredSync): boolean {
  if (rowCount <= fewElements) return true;
  const spanMs = (newestTimestampMs ?? 0) - (oldestTimestampMs ?? 0);
  return (rowCount * lookBackMs) / Math.max(1, spanMs) <= fewElements;
}
