import type { SyncResume } from '../ports.ts';
import { mergeBlocks, subtractBlocks, type Blocks } from './coverage.ts';

/**
 * What a walk through a list in descending order of blocks proves. A page proves the blocks above its oldest one: more
 * transactions of the oldest block may follow on the next page. A row that cannot be read has an unknown block, so
 * nothing is claimed between its readable neighbours. When the order turns out wrong, only a walk to the very end
 * proves anything.
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
  /** The rows came in descending order so far. */
  isOrdered: boolean;
  /** Every row could be read so far, from the first page on. */
  isWhole: boolean;
}

export interface WalkedPage {
  /** Blocks of the rows in the order of the answer; null for a row that could not be read. */
  blocks: readonly (bigint | null)[];
  /** No page follows. */
  isLast: boolean;
}

export function beginWalk(from: bigint, to: bigint | null): Walk {
  return { from, to, oldest: null, stretchTo: to, top: to, isOrdered: true, isWhole: true };
}

/** Goes on with a walk that was saved together with the token of its next page. */
export function resumeWalk(resume: SyncResume): Walk {
  const provenTo = resume.provenTo === null ? null : BigInt(resume.provenTo);
  return {
    from: BigInt(resume.fromBlock ?? 0),
    to: resume.toBlock === null ? null : BigInt(resume.toBlock),
    oldest: resume.provenFrom === null ? null : BigInt(resume.provenFrom) - 1n,
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

/** The walk after a page, and the coverage with what the page proves. */
export function walkPage(
  before: Walk,
  covered: readonly Blocks[],
  page: WalkedPage,
): { walk: Walk; covered: Blocks[] } {
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
    walk.top ??= walk.stretchTo;
    walk.oldest = walk.oldest === null || block < walk.oldest ? block : walk.oldest;
  }
  if (!walk.isOrdered) return { walk, covered: coverageOfDisorder(walk, covered, page.isLast) };
  if (walk.stretchTo !== null) {
    if (page.isLast || (walk.oldest !== null && walk.oldest < walk.from)) {
      proven.push({ from: walk.from, to: walk.stretchTo });
    } else if (walk.oldest !== null) {
      proven.push({ from: walk.oldest + 1n, to: walk.stretchTo });
    }
  }
  return { walk, covered: mergeBlocks([...covered, ...proven]) };
}

/** Takes back what the order had seemed to prove; a walk to the end that missed no row proves its range all the same. */
function coverageOfDisorder(walk: Walk, covered: readonly Blocks[], isLast: boolean): Blocks[] {
  if (walk.top === null) return [...covered];
  const range = { from: walk.from, to: walk.top };
  return isLast && walk.isWhole ? mergeBlocks([...covered, range]) : subtractBlocks(covered, range);
}

/** Nothing of the range can follow: the rows have passed its first block. */
export function hasPassedRange(walk: Walk): boolean {
  return walk.isOrdered && walk.oldest !== null && walk.oldest < walk.from;
}
