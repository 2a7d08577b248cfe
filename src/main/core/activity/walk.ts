import type { SyncResume } from '../ports.ts';
import { mergeBlocks, subtractBlocks, type Blocks } from './coverage.ts';

/**
 * What a walk through a list proves. In descending order of blocks a page proves those above its oldest one: more
 * elements of the oldest block may follow on the next page. In ascending order it proves those below its newest one. An
 * element that cannot be read has an unknown block, so nothing is claimed between its readable neighbours. In no order
 * at all only a walk to the very end proves anything. The service promises an order for the list of transactions alone.
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
  /** The rows came in descending order so far. */
  isOrdered: boolean;
  /** No order is promised, and the rows came in ascending order so far. While `isOrdered` too, the order is not known. */
  isAscending: boolean;
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

/** `isPromised`: the list was asked for in descending order. */
export function beginWalk(from: bigint, to: bigint | null, isPromised = true): Walk {
  return {
    from,
    to,
    oldest: null,
    newest: null,
    stretchTo: to,
    top: to,
    isOrdered: true,
    isAscending: !isPromised,
    isWhole: true,
  };
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
    // Only a walk in descending order is saved.
    isAscending: false,
    isWhole: true,
  };
}

/**
 * The walk as it is saved; null once a row was odd or out of order: then it is not worth more than a new walk through
 * what is not covered.
 */
export function writeResume(walk: Walk, pageToken: string, receivedAtMs: number): SyncResume | null {
  if (!isDescending(walk) || !walk.isWhole || walk.stretchTo === null || walk.oldest === null) return null;
  return {
    pageToken,
    receivedAtMs,
    fromBlock: walk.from === 0n ? null : walk.from.toString(),
    toBlock: walk.to?.toString() ?? null,
    provenFrom: (walk.oldest + 1n).toString(),
    provenTo: walk.stretchTo.toString(),
  };
}

export function walkPage(before: Walk, covered: readonly Blocks[], page: WalkedPage): WalkStep {
  const walk = { ...before };
  const proven: Blocks[] = [];
  let last = before.isAscending ? before.newest : null;
  for (const block of page.blocks) {
    if (block === null) {
      // The stretch ends above the last row that could be read.
      if (walk.stretchTo !== null && walk.oldest !== null && isDescending(walk)) {
        proven.push({ from: walk.oldest + 1n, to: walk.stretchTo });
      }
      walk.stretchTo = null;
      walk.isWhole = false;
      continue;
    }
    if (walk.oldest !== null && block > walk.oldest) walk.isOrdered = false;
    if (last !== null && block < last) walk.isAscending = false;
    last = block;
    // After a row without a known block, this one's block may hold it.
    walk.stretchTo ??= walk.isWhole ? block + 1n : block;
    walk.top ??= walk.stretchTo;
    walk.oldest = walk.oldest === null || block < walk.oldest ? block : walk.oldest;
    walk.newest = walk.newest === null || block > walk.newest ? block : walk.newest;
  }
  if (!walk.isOrdered) return afterDisorder(before, walk, covered, page.isLast);
  if (walk.stretchTo !== null) {
    if (page.isLast || (walk.oldest !== null && walk.oldest < walk.from)) {
      proven.push({ from: walk.from, to: walk.stretchTo });
    } else if (walk.oldest !== null && isDescending(walk)) {
      proven.push({ from: walk.oldest + 1n, to: walk.stretchTo });
    }
  }
  return { walk, covered: mergeBlocks([...covered, ...proven]), proven: withoutStretch(proven, before) };
}

/** What was not proven by the pages before already. */
function withoutStretch(proven: readonly Blocks[], before: Walk): Blocks[] {
  if (before.stretchTo === null || before.oldest === null || !isDescending(before))
    return mergeBlocks(proven);
  return subtractBlocks(proven, { from: before.oldest + 1n, to: before.stretchTo });
}

/**
 * Takes back what a descending order had seemed to prove. An ascending one, and a walk to the end that missed no row,
 * prove their part all the same.
 */
function afterDisorder(before: Walk, walk: Walk, covered: readonly Blocks[], isLast: boolean): WalkStep {
  if (walk.top === null) return { walk, covered: [...covered], proven: [] };
  const proven = provenInDisorder(walk, isLast);
  const kept = before.isOrdered ? subtractBlocks(covered, { from: walk.from, to: walk.top }) : covered;
  return { walk, covered: mergeBlocks([...kept, ...proven]), proven: mergeBlocks(proven) };
}

function provenInDisorder(walk: Walk, isLast: boolean): Blocks[] {
  if (!walk.isWhole || walk.top === null) return [];
  if (walk.isAscending && walk.newest !== null) {
    return [{ from: walk.from, to: isLast ? (walk.to ?? walk.newest + 1n) : walk.newest }];
  }
  return isLast ? [{ from: walk.from, to: walk.top }] : [];
}

/** The same range again without a token, from the last block proven where the order allows it. */
export function restartWalk(walk: Walk, isPromised: boolean): Walk {
  if (!isDescending(walk) || !walk.isWhole || walk.oldest === null || walk.stretchTo === null) {
    return beginWalk(walk.from, walk.to, isPromised);
  }
  return beginWalk(walk.from, walk.oldest + 1n, isPromised);
}

/** Nothing from `block` on can follow: the rows have passed it. */
export function hasPassed(walk: Walk, block: bigint): boolean {
  return isDescending(walk) && walk.oldest !== null && walk.oldest < block;
}

/** The rows come in descending order, by promise or as far as they were seen. */
function isDescending(walk: Walk): boolean {
  return walk.isOrdered && !walk.isAscending;
}
