import type { StoredSync } from '../../activity-ports.ts';
import { readIntervals, type Blocks } from '../../../../shared/activity/blocks.ts';

/** How dense the transactions of an address lie on a chain. */
export interface Density {
  /** A block of which it is known that it exists. */
  tip: bigint;
  transactionsPerMillionBlocks: bigint;
}

/** About so many transactions of the address lie in one range: what an interruption may cost. */
const rangeTransactions = 1_000n;

/** The blocks below the newest that are looked at again take no longer than this, on any chain but the slowest. */
const lookBackMs = 15 * 60_000;

/** Elements that are taken to fit on a page together with what is new. */
const fewElements = 50;

/** What the list of transactions tells about how much there is to expect; null while nothing of it is covered. */
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

/** As much of the upper end of a range as is walked in one go; all of it where no density is known. */
export function upperPart(range: Blocks, density: Density | null): Blocks {
  if (density === null) return range;
  const blocks = (rangeTransactions * 1_000_000n) / density.transactionsPerMillionBlocks + 1n;
  return range.to - range.from <= blocks ? range : { from: range.to - blocks, to: range.to };
}

/** What of a list lies in the blocks that are looked at again fits on a page. */
export function isSparse({ rowCount, newestTimestampMs, oldestTimestampMs }: StoredSync): boolean {
  if (rowCount <= fewElements) return true;
  const spanMs = (newestTimestampMs ?? 0) - (oldestTimestampMs ?? 0);
  return (rowCount * lookBackMs) / Math.max(1, spanMs) <= fewElements;
}
