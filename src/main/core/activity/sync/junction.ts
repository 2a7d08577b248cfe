import { isOtherBlock } from '../../../../shared/activity/block-hash.ts';
import type { ActivityStore, ListPage, ListRef, SyncState } from '../../activity-ports.ts';
import {
  largestBlock,
  mergeBlocks,
  readIntervals,
  subtractBlocks,
  writeIntervals,
  type Blocks,
} from '../../../../shared/activity/blocks.ts';
import type { ListElement } from './lists.ts';
import { hasPassed, isEmptyWalk, type Walk, type WalkStep } from './walk.ts';

/** Where a walk may end before the end of its range. */
export interface Goal {
  stopAt: bigint;
  /**
   * A plain range; the newest end, down to what was proven before; or one of which what is stored is in doubt, and no
   * longer so below a page that agrees with it.
   */
  aim: 'range' | 'head' | 'doubted';
}

/** A page of a walk, as far as it matters to what was proven before. */
export interface JunctionPage extends Goal {
  /** The walk before its first page. */
  start: Walk;
  step: WalkStep;
  /** The first page of a walk from the newest end. */
  isFirstOfHead: boolean;
  /** The page agrees with what is stored, or there is nothing below that it could agree with. */
  isSettled: boolean;
  isEnd: boolean;
}

export interface JunctionOptions {
  store: Pick<ActivityStore, 'rowsOfTransaction'>;
  ref: ListRef;
  /** Proven when the run began. */
  coveredBefore: readonly Blocks[];
  /** The hashes of the blocks are stored, and a page shows the lowest ones that it has: they can be compared. */
  isCompared: boolean;
}

/** `none`: nothing could be compared. */
type Evidence = 'none' | 'same' | 'changed';

/** So many blocks below a changed one are not taken to be proven until a page agrees with what is stored. */
const doubtBlocks = 1_000n;

/**
 * Where the walks of a run meet what was proven before. Blocks are a chain: where the lowest one that was looked at is as
 * it is stored, all below it is, too; where it is not, what lies below is in doubt.
 */
export class Junction {
  readonly #options: JunctionOptions;
  /** What the lowest element that could be compared says of the walk under way. */
  #evidence: Evidence = 'none';
  /** The lowest block that was found changed. */
  #changedFrom: bigint | null = null;
  /** A block of the walk under way that is as it is stored. */
  #agreedAt: bigint | null = null;
  /** All blocks from this one on are without any element; null while there are some. */
  #emptyFrom: bigint | null = null;
  #isUnreadable = false;

  constructor(options: JunctionOptions) {
    this.#options = options;
  }

  /** The newest end has met something else than what is stored, or nothing at all where something was. */
  get isDoubtful(): boolean {
    const isOther = this.#evidence === 'changed' || (this.#evidence === 'none' && !this.#isUnreadable);
    return this.#options.isCompared && isOther;
  }

  /** All blocks from this one on may be others than are stored, as far as the walk under way has seen. */
  get doubtfulFrom(): bigint {
    return this.#agreedAt === null ? 0n : this.#agreedAt + 1n;
  }

  /** The newest end has no elements any more. */
  get isEmptyAbove(): boolean {
    return this.#emptyFrom !== null;
  }

  /** A walk begins. */
  begin(): void {
    this.#evidence = 'none';
    this.#agreedAt = null;
  }

  /**
   * Compares a page, before it is stored, with what is stored. `oldest`: the lowest block seen so far. Returns whether a
   * doubted range is settled with it. Rejects when the store fails.
   */
  async meet(
    aim: Goal['aim'],
    elements: readonly (ListElement | null)[],
    oldest: bigint | null,
  ): Promise<boolean> {
    if (aim === 'range') return false;
    this.#isUnreadable ||= elements.includes(null);
    const evidence = await this.#compare(elements);
    if (evidence !== 'none') this.#evidence = evidence;
    return aim === 'doubted' && (evidence === 'same' || !this.#wasCoveredDownFrom(oldest));
  }

  /** What counts as proven after the page. */
  coverageAfter({ start, stopAt, aim, step, isFirstOfHead, isSettled, isEnd }: JunctionPage): Blocks[] {
    const { walk } = step;
    let { covered } = step;
    if (start.to === null) this.#emptyFrom = isEnd && isEmptyWalk(walk) ? walk.from : null;
    // Nothing is above the newest element of all any more, so the next run begins there.
    if (isFirstOfHead && walk.isOrdered && walk.isWhole) covered = withoutAbove(covered, walk);
    // The block that was newest, and what it stands on, is in doubt until the walk has come down to it again.
    if (isFirstOfHead && !isEnd) return this.#doubtBelow(covered, stopAt + 1n);
    if (aim === 'range' || !this.#options.isCompared) return covered;
    if (aim === 'doubted') return this.#coverageOfDoubted(covered, walk, isSettled, isEnd);
    if (!isEnd) return covered;
    // All that was there is gone.
    if (this.#emptyFrom === 0n) return [];
    const reached = reachedBy(walk, stopAt);
    return this.isDoubtful ? this.#doubtBelow(covered, reached) : this.#trustBelow(covered, reached);
  }

  #coverageOfDoubted(before: Blocks[], walk: Walk, isSettled: boolean, isEnd: boolean): Blocks[] {
    const { newest, oldest } = walk;
    let covered = before;
    if (this.#emptyFrom !== null && (newest !== null || isEnd)) {
      covered = newest === null ? [] : withoutAbove(covered, walk);
    }
    if (oldest === null) return covered;
    if (isSettled) return this.#trustBelow(covered, oldest + 1n);
    return isEnd ? covered : this.#doubtBelow(covered, oldest + 1n);
  }

  /**
   * What lies below is not proven any more until it was looked at: a later run does so if this one cannot. Where nothing
   * can be compared that is the uppermost block alone.
   */
  #doubtBelow(covered: readonly Blocks[], block: bigint): Blocks[] {
    const depth = this.#options.isCompared ? doubtBlocks : 1n;
    return subtractBlocks(covered, { from: block > depth ? block - depth : 0n, to: block });
  }

  /** What lies below is as it was when it was proven. */
  #trustBelow(covered: readonly Blocks[], block: bigint): Blocks[] {
    const trusted = subtractBlocks(this.#options.coveredBefore, { from: block, to: largestBlock });
    return mergeBlocks([...covered, ...trusted]);
  }

  /** Whether the oldest element that lies in proven blocks, below those found changed, is what is stored. */
  async #compare(elements: readonly (ListElement | null)[]): Promise<Evidence> {
    const { store, ref, isCompared } = this.#options;
    const known = elements
      .flatMap((element) => element?.row ?? [])
      .findLast((row) => this.#isKnown(row.blockNumber));
    if (!isCompared || known === undefined) return 'none';
    const rows = await store.rowsOfTransaction(known.chainId, known.txHash);
    const stored = rows.find(({ address }) => address === ref.address);
    const isSame =
      stored?.blockNumber === known.blockNumber &&
      stored.marks.reorg !== 'gone' &&
      !isOtherBlock(stored.blockHash, known.blockHash);
    if (isSame) this.#agreedAt = known.blockNumber;
    else this.#changedFrom = known.blockNumber;
    return isSame ? 'same' : 'changed';
  }

  /** It was proven before this run. What this run has stored of a changed block says nothing of the rest of it. */
  #isKnown(block: bigint): boolean {
    if (this.#changedFrom !== null && block >= this.#changedFrom) return false;
    return this.#options.coveredBefore.some(({ from, to }) => from <= block && block < to);
  }

  /** The rest of the block, or a lower one, was proven before this run. */
  #wasCoveredDownFrom(block: bigint | null): boolean {
    return block === null || this.#options.coveredBefore.some(({ from }) => from <= block);
  }
}

/** What is covered up to the newest element of a walk. */
function withoutAbove(covered: Blocks[], { newest }: Walk): Blocks[] {
  return newest === null ? covered : subtractBlocks(covered, { from: newest + 1n, to: largestBlock });
}

/** The lowest block that a walk has proven at its end. */
export function reachedBy(walk: Walk, stopAt: bigint): bigint {
  return hasPassed(walk, stopAt) ? (walk.oldest ?? 0n) + 1n : walk.from;
}

/** What is stored of a list once nothing from `block` on counts as proven any more. */
export function doubtFrom({ covered }: SyncState, block: bigint): Omit<ListPage, keyof ListRef> {
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
