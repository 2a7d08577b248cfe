import {
  largestBlock,
  mergeBlocks,
  readIntervals,
  subtractBlocks,
  writeIntervals,
  type Blocks,
} from '../../../../shared/activity/blocks.ts';
import type { SyncState } from '../../activity-ports.ts';
import type { PagePart } from './page-writer.ts';
import { hasPassed, type Walk } from './walk.ts';

// What counts as proven where a walk meets what was proven before. Blocks are a chain: where the lowest one that was looked
// at is as it is stored, all below it is, too; where it is not, what lies below is in doubt.

/** So many blocks below a changed one are not taken to be proven until a page agrees with what is stored. */
const doubtBlocks = 1_000n;

/** A page of a range, as far as it matters to what was proven before. */
export interface MetPage {
  /** Down to what a range is walked; see `Goal` in run-state.ts. */
  stopAt: bigint;
  aim: 'range' | 'head' | 'doubted';
  walk: Walk;
  /** It is the first page of a walk from the newest end. */
  isFirstOfHead: boolean;
  isEnd: boolean;
  /** The page agrees with what is stored, or there is nothing below that it could agree with. */
  isSettled: boolean;
  /** The newest end has met something else than what is stored, or nothing at all where something was. */
  isDoubtful: boolean;
  /** All blocks from this one on are without any element; null while there are some. */
  emptyFrom: bigint | null;
}

/** What the run knows of the list from before. */
export interface Before {
  /** Proven when the run began: the ledger has it already. */
  coveredBefore: readonly Blocks[];
  /** The hashes of the blocks are stored, and a page shows the lowest ones that it has: they can be compared. */
  isCompared: boolean;
}

/** What counts as proven after a page; `covered` is all that pages have proven by themselves. */
export function coverageAfter(covered: Blocks[], page: MetPage, before: Before): Blocks[] {
  const { aim, stopAt, walk, isFirstOfHead, isEnd, isSettled, isDoubtful, emptyFrom } = page;
  const { newest, oldest } = walk;
  // Nothing is above the newest element of all any more, so the next run begins there.
  const isTop = isFirstOfHead && walk.isOrdered && walk.isWhole;
  const seen = isTop ? withoutAbove(covered, newest) : covered;
  // The block that was newest, and what it stands on, is in doubt until the walk has come down to it again.
  if (isFirstOfHead && !isEnd) return doubtBelow(before, seen, stopAt + 1n);
  if (aim === 'range' || !before.isCompared) return seen;
  if (aim === 'head') {
    if (!isEnd) return seen;
    // All that was there is gone.
    if (emptyFrom === 0n) return [];
    const reached = reachedBy(walk, stopAt);
    return isDoubtful ? doubtBelow(before, seen, reached) : trustBelow(before, seen, reached);
  }
  const isEmptyAbove = emptyFrom !== null;
  if (oldest === null) return isEmptyAbove && isEnd ? [] : seen;
  const left = isEmptyAbove ? withoutAbove(seen, newest) : seen;
  if (isSettled) return trustBelow(before, left, oldest + 1n);
  return isEnd ? left : doubtBelow(before, left, oldest + 1n);
}

/**
 * What lies below is not proven any more until it was looked at: a later run does so if this one cannot. Where nothing
 * can be compared that is the uppermost block alone.
 */
function doubtBelow({ isCompared }: Before, covered: readonly Blocks[], block: bigint): Blocks[] {
  const depth = isCompared ? doubtBlocks : 1n;
  return subtractBlocks(covered, { from: block > depth ? block - depth : 0n, to: block });
}

/** What lies below is as it was when it was proven. */
function trustBelow({ coveredBefore }: Before, covered: readonly Blocks[], block: bigint): Blocks[] {
  const trusted = subtractBlocks(coveredBefore, { from: block, to: largestBlock });
  return mergeBlocks([...covered, ...trusted]);
}

/** What is covered up to the newest element of a walk. */
function withoutAbove(covered: Blocks[], newest: bigint | null): Blocks[] {
  return newest === null ? covered : subtractBlocks(covered, { from: newest + 1n, to: largestBlock });
}

/** The lowest block that a walk has proven at its end. */
export function reachedBy(walk: Walk, stopAt: bigint): bigint {
  return hasPassed(walk, stopAt) ? (walk.oldest ?? 0n) + 1n : walk.from;
}

/** What is stored of a list once nothing from `block` on counts as proven any more. */
export function doubtFrom({ covered }: SyncState, block: bigint): PagePart {
  const left = subtractBlocks(readIntervals(covered), { from: block, to: largestBlock });
  const sync: SyncState = {
    covered: writeIntervals(left),
    reachedStart: left[0]?.from === 0n,
    resume: null,
    // The newest end is not known any more.
    checkedAtMs: null,
  };
  return { rows: [], records: [], sync, proof: null, sweep: null };
}
