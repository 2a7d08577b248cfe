import {
  largestBlock,
  mergeBlocks,
  subtractBlocks,
  type Blocks,
} from '../../../../shared/activity/blocks.ts';

/**
 * What a walk through a list proves. If the service promises rows in descending order of their times, a page proves the
 * blocks that are later than its oldest one, which may have more elements on the next page, as may others of the same
 * second: blocks of one second come in any order. The block of an unreadable element is unknown, so
 * nothing between its readable neighbours is proven. Without the promise, or when it is broken, only a walk to the very
 * end without unreadable elements proves anything.
 */
export interface Walk {
  /** First block of the requested range. */
  from: bigint;
  /** Exclusive end of the range; null for "up to the newest". */
  to: bigint | null;
  /** The oldest block seen so far, and its time; null before the first readable row. */
  oldest: bigint | null;
  oldestMs: number | null;
  /** From this block on the rows seen so far are all there are; null before that can be said of any. */
  shownFrom: bigint | null;
  /** Exclusive end of the proven range that is being extended downwards; null while there is none. */
  stretchTo: bigint | null;
  /** The time of the first readable row after an unreadable one, which may be of the same second; null for none. */
  openMs: number | null;
  /** Exclusive end of what this walk can prove; known after the first readable page. */
  top: bigint | null;
  /** The newest block seen so far; null before the first readable row. */
  newest: bigint | null;
  /** Descending order is promised, and rows came in it so far. */
  isOrdered: boolean;
  /** Every row so far could be read. */
  isWhole: boolean;
}

export interface WalkStep {
  walk: Walk;
  /** The list's coverage including what the page proves. */
  covered: Blocks[];
  /** What the page proves beyond the pages before it. */
  proven: Blocks[];
}

export interface WalkedPage {
  /** Blocks of the rows in the order of the answer; null for a row that could not be read. */
  blocks: readonly (bigint | null)[];
  /** Their times; without these, no two blocks have the same. */
  timesMs?: readonly (number | null)[];
  /** No page follows. */
  isLast: boolean;
}

const nothingSeen = { oldest: null, oldestMs: null, shownFrom: null, newest: null, openMs: null };

/**
 * `isPromised`: the list was requested in descending order. `tip`: a block that existed before the walk; newer blocks
 * can be proven only as far as the first page shows that they existed too.
 */
export function beginWalk(from: bigint, to: bigint | null, isPromised = true, tip = 0n): Walk {
  const top = to ?? (isPromised || tip <= from ? null : tip + 1n);
  return { from, to, ...nothingSeen, stretchTo: to, top, isOrdered: isPromised, isWhole: true };
}

export function walkPage(before: Walk, covered: readonly Blocks[], page: WalkedPage): WalkStep {
  const walk = { ...before };
  const proven: Blocks[] = [];
  for (const [place, block] of page.blocks.entries()) {
    if (block === null) {
      // The proven range ends above the last readable row.
      if (walk.stretchTo !== null && walk.shownFrom !== null)
        proven.push({ from: walk.shownFrom, to: walk.stretchTo });
      walk.stretchTo = null;
      walk.openMs = null;
      walk.isWhole = false;
      continue;
    }
    const timeMs = page.timesMs?.[place] ?? null;
    const isOfSameTime = timeMs !== null && timeMs === walk.oldestMs;
    const wasShown = walk.shownFrom !== null && block >= walk.shownFrom;
    if (walk.oldest !== null && block > walk.oldest && (wasShown || !isOfSameTime)) walk.isOrdered = false;
    // An unreadable row before it may belong to the same block, or to any of the same second.
    if (walk.isWhole || (walk.openMs !== null && timeMs !== walk.openMs)) walk.stretchTo ??= block + 1n;
    else if (timeMs === null) walk.stretchTo ??= block;
    else walk.openMs = timeMs;
    if (walk.oldest === null || block < walk.oldest) {
      if (timeMs === null) walk.shownFrom = block + 1n;
      else if (!isOfSameTime) walk.shownFrom = walk.oldest;
      walk.oldest = block;
      walk.oldestMs = timeMs;
    }
    walk.newest = walk.newest === null || block > walk.newest ? block : walk.newest;
  }
  // The first page may have its newest block anywhere in its first second.
  if (walk.to === null && walk.isWhole && before.newest === null && walk.newest !== null)
    walk.stretchTo = walk.newest + 1n;
  walk.top = topOf(before, walk);
  if (!walk.isOrdered) return afterDisorder(before, walk, covered, page.isLast);
  if (walk.stretchTo !== null) {
    if (page.isLast || hasPassed(walk, walk.from)) {
      proven.push({ from: walk.from, to: walk.stretchTo });
    } else if (walk.shownFrom !== null) proven.push({ from: walk.shownFrom, to: walk.stretchTo });
  }
  // Rows of these blocks may follow on the next page, so what was proven of them before counts no more.
  const { oldest, shownFrom } = walk;
  const isOpen = !page.isLast && oldest !== null && shownFrom !== null;
  const left = isOpen ? subtractBlocks(covered, { from: oldest + 1n, to: shownFrom }) : covered;
  return { walk, covered: mergeBlocks([...left, ...proven]), proven: withoutStretch(proven, before) };
}

/** Blocks first seen on a later page may be newer than the walk, which may then have missed others. */
function topOf(before: Walk, walk: Walk): bigint | null {
  if (walk.to !== null) return walk.to;
  if (before.oldest !== null || walk.newest === null) return before.top;
  // An unreadable row before it may belong to the same block.
  const shown = walk.isWhole ? walk.newest + 1n : walk.newest;
  return before.top !== null && before.top > shown ? before.top : shown;
}

/** Leaves out what the pages before had already proven. */
function withoutStretch(proven: readonly Blocks[], before: Walk): Blocks[] {
  if (before.stretchTo === null || before.shownFrom === null) return mergeBlocks(proven);
  return subtractBlocks(proven, { from: before.shownFrom, to: before.stretchTo });
}

/** Withdraws what the broken order had proven. A complete walk without unreadable rows proves its range. */
function afterDisorder(before: Walk, walk: Walk, covered: readonly Blocks[], isLast: boolean): WalkStep {
  if (walk.top === null) return { walk, covered: [...covered], proven: [] };
  const range = { from: walk.from, to: walk.top };
  if (isLast && walk.isWhole)
    return { walk, covered: mergeBlocks([...covered, range]), proven: mergeBlocks([range]) };
  return { walk, covered: before.isOrdered ? subtractBlocks(covered, range) : [...covered], proven: [] };
}

/** Blocks of which a page shows all elements: anything else stored of them is gone. */
export function sweptBlocks(start: Walk, { walk, proven }: WalkStep, isEnd: boolean): Blocks[] {
  let blocks = proven;
  if (start.to === null && isEnd && walk.isWhole) {
    // There is nothing above the newest element.
    blocks = [...blocks, { from: walk.newest === null ? walk.from : walk.newest + 1n, to: largestBlock }];
  }
  return mergeBlocks(blocks);
}

/** The same range without a token, from the last proven block where the order allows that. */
export function restartWalk(walk: Walk): Walk {
  if (!walk.isOrdered || !walk.isWhole || walk.shownFrom === null || walk.stretchTo === null)
    return { ...walk, ...nothingSeen, stretchTo: walk.to, isWhole: true };
  return beginWalk(walk.from, walk.shownFrom);
}

export const isEmptyWalk = ({ isWhole, oldest }: Walk): boolean => isWhole && oldest === null;

/** True when the rows have passed `block`, so that none of it can follow. */
export const hasPassed = (walk: Walk, block: bigint): boolean =>
  walk.isOrdered && walk.shownFrom !== null && walk.shownFrom <= block;
