import type { StoredSync } from '../../activity-ports.ts';
import { readIntervals, type Blocks } from '../../../../shared/activity/blocks.ts';

/** How densely an address's transactions are spread over a chain's blocks. */
export interface Density {
  /** A block that is known to exist. */
  tip: bigint;
  transactionsPerMillionBlocks: bigint;
}

/** Size of a range in transactions: what an interruption may cost. */
const rangeTransactions = 1_000n;

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
    tip: last.to - 1n,
    transactionsPerMillionBlocks: (BigInt(transactions.rowCount) * 1_000_000n) / blocks + 1n,
  };
}

/** The upper part of a range that is walked in one go; all of it when no density is known. */
export function upperPart(range: Blocks, density: Density | null): Blocks {
  if (density === null) return range;
  const blocks = (rangeTransactions * 1_000_000n) / density.transactionsPerMillionBlocks + 1n;
  return range.to - range.from <= blocks ? range : { from: range.to - blocks, to: range.to };
}

/** Whether the elements of the look-back blocks fit on one page. */
export function isSparse({ rowCount, newestTimestampMs, oldestTimestampMs }: StoredSync): boolean {
  if (rowCount <= fewElements) return true;
  const spanMs = (newestTimestampMs ?? 0) - (oldestTimestampMs ?? 0);
  return (rowCount * lookBackMs) / Math.max(1, spanMs) <= fewElements;
}
