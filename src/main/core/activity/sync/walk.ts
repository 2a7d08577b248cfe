import type { SyncResume } from '../../activity-ports.ts';
import {
  largestBlock,
  mergeBlocks,
  subtractBlocks,
  type Blocks,
} from '../../../../shared/activity/blocks.ts';

/**
 * What a walk through a list proves. Where the service promises descending order of blocks, a page proves the blocks
 * above its oldest one: more elements of the oldest block may follow on the next page. An element that cannot be read has
 * an unknown block, so nothing is claimed between its readable neighbours. Without a promise, and when a promise turns
 * out not to be kept, only a walk to the very end that could read every element proves anything.
 */
export interface Walk {
  /** First block of the range that is asked for. */
  from: bigint;
  /** Exclusive end of the range; null for "up to the newest", whatever that is. */
  to: bigint | null;
  /** The oldest block seen so far; null before the first readable row. */
  oldest: bigint | null;
  /** Exclusive end of the proven stretch that is being extended downwards; null while there is none. */
  stretchTo: bigint | null;
  /** Exclusive end of all that this walk may claim: known after the first readable page. */
  top: bigint | null;
  /** The newest block seen so far; null before the first readable row. */
  newest: bigint | null;
  /** Descending order is promised, and the rows came in it so far. */
  isOrdered: boolean;
  /** Every row could be read so far, from the first page on. */
  isWhole: boolean;
}

/** What a page has led to. */
export interface WalkStep {
  walk: Walk;
  /** Of the whole list, with what the page proves. */
  covered: Blocks[];
  /** What the page proves that the pages before did not. */
  proven: Blocks[];
}

export interface WalkedPage {
  /** Blocks of the rows in the order of the answer; null for a row that could not be read. */
  blocks: readonly (bigint | null)[];
  /** No page follows. */
  isLast: boolean;
}

/**
 * `isPromised`: the list was asked for in descending order. `tip`: a block that existed before the walk; what is newer is
 * claimed only as far as the first page shows that it did, too.
 */
export function beginWalk(from: bigint, to: bigint | null, isPromised = true, tip = 0n): Walk {
  const top = to ?? (isPromised || tip <= from ? null : tip + 1n);
  return { from, to, oldest: null, newest: null, stretchTo: to, top, isOrdered: isPromised, isWhole: true };
}

/** Goes on with a walk that was saved together with the token of its next page. */
export function resumeWalk(resume: SyncResume): Walk {
  const provenTo = resume.provenTo === null ? null : BigInt(resume.provenTo);
  return {
    from: BigInt(resume.fromBlock ?? 0),
    to: resume.toBlock === null ? null : BigInt(resume.toBlock),
    oldest: resume.provenFrom === null ? null : BigInt(resume.provenFrom) - 1n,
    newest: null,
    stretchTo: provenTo,
    top: provenTo,
    isOrdered: true,
    isWhole: true,
  };
}

/**
 * The walk as it is saved; null once a row was odd or out of order: then it is not worth more than a new walk through
 * what is not covered.
 */
export function writeResume(walk: Walk, pageToken: string, receivedAtMs: number): SyncResume | null {
  if (!walk.isOrdered || !walk.isWhole || walk.stretchTo === null || walk.oldest === null) return null;
  return {
    pageToken,
    receivedAtMs,
    fromBlock: walk.from === 0n ? null : walk.from.toString(),
    toBlock: walk.to?.toString() ?? null,
    provenFrom: (walk.oldest + 1n).toString(),
    provenTo: walk.stretchTo.toString(),
  };
}

/** The walk after a page, the coverage with what the page proves, and what it proves that the pages before did not. */
export function walkPage(before: Walk, covered: readonly Blocks[], page: WalkedPage): WalkStep {
  const walk = { ...before };
  const proven: Blocks[] = [];
  for (const block of page.blocks) {
    if (block === null) {
      // The stretch ends above the last row that could be read.
      if (walk.stretchTo !== null && walk.oldest !== null) {
        proven.push({ from: walk.oldest + 1n, to: walk.stretchTo });
      }
      walk.stretchTo = null;
      walk.isWhole = false;
      continue;
    }
    if (walk.oldest !== null && block > walk.oldest) walk.isOrdered = false;
    // After a row without a known block, this one's block may hold it.
    walk.stretchTo ??= walk.isWhole ? block + 1n : block;
    walk.oldest = walk.oldest === null || block < walk.oldest ? block : walk.oldest;
    walk.newest = walk.newest === null || block > walk.newest ? block : walk.newest;
  }
  walk.top = topOf(before, walk);
  if (!walk.isOrdered) return afterDisorder(before, walk, covered, page.isLast);
  if (walk.stretchTo !== null) {
    if (page.isLast || (walk.oldest !== null && walk.oldest < walk.from)) {
      proven.push({ from: walk.from, to: walk.stretchTo });
    } else if (walk.oldest !== null) {
      proven.push({ from: walk.oldest + 1n, to: walk.stretchTo });
    }
  }
  return { walk, covered: mergeBlocks([...covered, ...proven]), proven: withoutStretch(proven, before) };
}

/** Blocks that only a page after the first shows may have come meanwhile, with others that were missed. */
function topOf(before: Walk, walk: Walk): bigint | null {
  if (walk.to !== null) return walk.to;
  if (before.oldest !== null || walk.newest === null) return before.top;
  // After a row without a known block, the newest one that is known may hold it.
  const shown = walk.isWhole ? walk.newest + 1n : walk.newest;
  return before.top !== null && before.top > shown ? before.top : shown;
}

/** What was not proven by the pages before already. */
function withoutStretch(proven: readonly Blocks[], before: Walk): Blocks[] {
  if (before.stretchTo === null || before.oldest === null) return mergeBlocks(proven);
  return subtractBlocks(proven, { from: before.oldest + 1n, to: before.stretchTo });
}

/**
 * Takes back what a promised order had seemed to prove, now that it is broken. A walk to the end that missed no row
 * proves its range all the same.
 */
function afterDisorder(before: Walk, walk: Walk, covered: readonly Blocks[], isLast: boolean): WalkStep {
  if (walk.top === null) return { walk, covered: [...covered], proven: [] };
  const range = { from: walk.from, to: walk.top };
  if (isLast && walk.isWhole) {
    return { walk, covered: mergeBlocks([...covered, range]), proven: mergeBlocks([range]) };
  }
  return { walk, covered: before.isOrdered ? subtractBlocks(covered, range) : [...covered], proven: [] };
}

/** The blocks of which a page, the last one of its walk or not, shows all elements: what else is stored of them is gone. */
export function sweptBlocks(start: Walk, { walk, proven }: WalkStep, isEnd: boolean): Blocks[] {
  let blocks = proven;
  if (start.to === null && start.oldest === null && isEnd && walk.isWhole) {
    // Above the newest element of all there is nothing any more.
    blocks = [...blocks, { from: walk.newest === null ? walk.from : walk.newest + 1n, to: largestBlock }];
  }
  // An earlier run, which has left its token, saw elements of this block.
  if (start.oldest !== null) blocks = subtractBlocks(blocks, { from: start.oldest, to: start.oldest + 1n });
  return mergeBlocks(blocks);
}

/** The same range again without a token, from the last block proven where the order allows it. */
export function restartWalk(walk: Walk): Walk {
  if (!walk.isOrdered || !walk.isWhole || walk.oldest === null || walk.stretchTo === null) {
    return { ...walk, oldest: null, newest: null, stretchTo: walk.to, isWhole: true };
  }
  return beginWalk(walk.from, walk.oldest + 1n);
}

/** All was read so far, and there was nothing. */
export function isEmptyWalk({ isWhole, oldest }: Walk): boolean {
  return isWhole && oldest === null;
}

/** Nothing from `block` on can follow: the rows have passed it. */
export function hasPassed(walk: Walk, block: bigint): boolean {
  return walk.isOrdered && walk.oldest !== null && walk.oldest < block;
}
