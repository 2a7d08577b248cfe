import {
  doubtfulFrom,
  largestBlock,
  mergeBlocks,
  subtractBlocks,
  type Blocks,
} from '../../../../shared/activity/blocks.ts';
import { hasPassed, type Walk } from './walk.ts';

// How coverage proven earlier changes when a walk reaches it. Blocks form a chain: if the lowest block compared is
// unchanged, so are all blocks below it; if it has changed, what lies below is in doubt.

/** A page of a range, as far as it concerns coverage proven earlier. */
export interface MetPage {
  /** The range is walked down to this block; see `Goal` in run-state.ts. */
  stopAt: bigint;
  aim: 'range' | 'head' | 'doubted';
  walk: Walk;
  /** First page of a walk from the newest end. */
  isFirstOfHead: boolean;
  isEnd: boolean;
  /** The page agrees with the store, or there is nothing below that it could be compared with. */
  isSettled: boolean;
  /** What is below the range is in doubt, if this is its end. */
  isDoubtful: boolean;
  /** From this block on there are no elements; null while there are some. */
  emptyFrom: bigint | null;
}

/** What the store had of the list before the run. */
export interface Before {
  /** Blocks proven when the run began; the ledger has them already. */
  coveredBefore: readonly Blocks[];
  /** Whether pages can be compared with the store: only where hashes of blocks are stored. */
  isCompared: boolean;
}

/** The coverage after a page; `covered` is what the pages by themselves have proven. */
export function coverageAfter(covered: Blocks[], page: MetPage, before: Before): Blocks[] {
  const { aim, stopAt, walk, isFirstOfHead, isEnd, isSettled, isDoubtful, emptyFrom } = page;
  const { newest, oldest } = walk;
  // The chain ends at the newest element, so nothing above it stays covered and the next run begins there. Where the list
  // shows none of what it had, it ends below; it may be behind only, and show it again.
  const isTop = isFirstOfHead && walk.isWhole && (walk.isOrdered || emptyFrom !== null);
  const top = newest ?? (emptyFrom === null ? null : emptyFrom - 1n);
  const seen = isTop ? withoutAbove(covered, top) : covered;
  // The block that was newest, and those below it, are in doubt until the walk has reached them again.
  if (isFirstOfHead && !isEnd) return doubtBelow(before, seen, stopAt + 1n);
  if (!before.isCompared) return seen;
  if (aim === 'range') return isEnd && isDoubtful ? doubtBelow(before, seen, stopAt) : seen;
  if (aim === 'head') {
    if (!isEnd) return seen;
    // All earlier elements are gone.
    if (emptyFrom === 0n) return [];
    const reached = reachedBy(walk, stopAt);
    return isDoubtful ? doubtBelow(before, seen, reached) : trustBelow(before, seen, reached);
  }
  const isEmptyAbove = emptyFrom !== null;
  if (oldest === null) return isEmptyAbove && isEnd ? [] : seen;
  const left = isEmptyAbove ? withoutAbove(seen, newest) : seen;
  const shownFrom = walk.shownFrom ?? oldest + 1n;
  if (isSettled) return trustBelow(before, left, shownFrom);
  return isEnd ? left : doubtBelow(before, left, shownFrom);
}

/** The blocks below are unproven until they were walked; where nothing is compared, only the uppermost. */
const doubtBelow = ({ isCompared }: Before, covered: readonly Blocks[], block: bigint): Blocks[] =>
  subtractBlocks(covered, { from: isCompared ? doubtfulFrom(block) : block - 1n, to: block });

/** The blocks below are unchanged, so their earlier proof holds. */
function trustBelow({ coveredBefore }: Before, covered: readonly Blocks[], block: bigint): Blocks[] {
  const trusted = subtractBlocks(coveredBefore, { from: block, to: largestBlock });
  return mergeBlocks([...covered, ...trusted]);
}

/** The coverage up to the newest element of a walk, or a lower block; null for all of it. */
const withoutAbove = (covered: Blocks[], newest: bigint | null): Blocks[] =>
  newest === null ? covered : subtractBlocks(covered, { from: newest + 1n, to: largestBlock });

/** The lowest block that a finished walk has proven. Elements below its range, which nobody asked for, prove nothing. */
export function reachedBy(walk: Walk, stopAt: bigint): bigint {
  const below = hasPassed(walk, stopAt) ? (walk.shownFrom ?? 0n) : walk.from;
  return below > walk.from ? below : walk.from;
}
