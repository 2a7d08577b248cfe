import { isOtherBlock } from '../../../../shared/activity/block-hash.ts';
import {
  holes,
  largestBlock,
  mergeBlocks,
  readIntervals,
  subtractBlocks,
  writeIntervals,
  type Blocks,
} from '../../../../shared/activity/blocks.ts';
import type { SyncWhat } from '../../../../shared/activity/types.ts';
import { isYounger } from '../../age.ts';
import type { ListRef, ReadRow, StoredRow, StoredSync, SyncState } from '../../activity-ports.ts';
import { coverageAfter, reachedBy, type Before, type MetPage } from './coverage.ts';
import type { ListAnswer } from './lists.ts';
import type { PagePart } from './page-writer.ts';
import { isSparse, nextRangeBlocks, rangeBlocksOf, upperPart, type Density } from './range-size.ts';
import { beginWalk, hasPassed, isEmptyWalk, sweptBlocks, walkPage, type Walk } from './walk.ts';

// The decisions of a run through one list: which range is walked next (`nextGoal`), what a page proves (`takePage`),
// and what follows at the end of a range (`goalReached`). All pure; sync-run.ts fetches and stores the pages.

export interface RunPlan {
  what: SyncWhat;
  /** Fetch only these blocks, proven or not; `what` is ignored then. */
  again: Blocks | null;
  isOrderPromised: boolean;
  /** Expected density, for a list that must be walked in small ranges; null when not needed or not known. */
  density: Density | null;
  /** The newest end is not checked again when it was checked less than this many milliseconds ago. */
  headFreshForMs: number;
}

export interface Goal {
  walk: Walk;
  /** Elements below this block are not needed. */
  stopAt: bigint;
  /**
   * `range`: a plain range. `head`: the newest end, down to what was proven before. `doubted`: below a changed block,
   * until a page agrees with the store.
   */
  aim: MetPage['aim'];
  then: Phase;
}

type Phase = 'head' | 'doubted' | 'missing' | 'nothing';

export interface RunState extends Before {
  phase: Phase;
  /** Stored with the next page. */
  covered: Blocks[];
  reachedStart: boolean;
  checkedAtMs: number | null;
  /** `StoredSync.doubts` when the run began. */
  doubts: number;
  hadElements: boolean;
  isSparse: boolean;
  /** This run has walked everything from this block on; null before that. */
  walkedTo: bigint | null;
  /** How the lowest comparable element of the current range compares with the store; `none`: there was none. */
  evidence: 'none' | 'same' | 'changed';
  /** How many blocks are walked in one go, as far as is known yet; null for all of a range. */
  rangeBlocks: bigint | null;
  rangeElements: number;
  /** The lowest block found changed, or that an earlier walk of this run has stored rows of. */
  changedFrom: bigint | null;
  emptyFrom: bigint | null;
  /** Number of elements that could not be decoded. */
  unreadable: number;
  /** Some of them were in a range that is compared with the store. */
  isUnreadableAbove: boolean;
}

/** So many blocks below the newest one are fetched again if they fit on the same page: they may be reorganised. */
const lookBackBlocks = 64n;

/** `stored`: null for a list of which nothing is stored. `density`: as in `RunPlan`. */
export function beginRun({ list }: ListRef, stored: StoredSync | null, density: Density | null): RunState {
  const covered = readIntervals(stored?.covered ?? []);
  const hadElements = stored !== null && stored.rowCount > 0;
  return {
    phase: 'head',
    covered,
    reachedStart: stored?.reachedStart ?? false,
    checkedAtMs: stored?.checkedAtMs ?? null,
    doubts: stored?.doubts ?? 0,
    coveredBefore: covered,
    hadElements,
    isSparse: stored === null || isSparse(stored),
    isCompared: list === 'transactions' && hadElements && covered.length > 0,
    walkedTo: null,
    evidence: 'none',
    rangeBlocks: rangeBlocksOf(density),
    rangeElements: 0,
    changedFrom: null,
    emptyFrom: null,
    unreadable: 0,
    isUnreadableAbove: false,
  };
}

// ---- Ranges ------------------------------------------------------------------------------------------------------------

/** The next range and the state to walk it in; null when there is nothing left to do. */
export function nextGoal(
  state: RunState,
  plan: RunPlan,
  nowMs: number,
): { state: RunState; goal: Goal } | null {
  const { again, what } = plan;
  const ready: RunState = { ...state, evidence: 'none', rangeElements: 0 };
  switch (state.phase) {
    case 'nothing':
      return null;
    case 'head': {
      if (again !== null) return { state: ready, goal: rangeGoal(again, plan, 'nothing') };
      // A history that was never walked begins with its newest end, whatever is asked for.
      const isAsked = what === 'newer' || what === 'all' || (what === 'older' && state.covered.length === 0);
      if (isAsked && !isYounger(state.checkedAtMs, nowMs, plan.headFreshForMs)) return headGoal(ready, plan);
      return nextGoal({ ...state, phase: 'missing' }, plan, nowMs);
    }
    case 'doubted': {
      const walk = beginWalk(0n, state.walkedTo, plan.isOrderPromised, plan.density?.tip);
      return { state: ready, goal: { walk, stopAt: 0n, aim: 'doubted', then: 'missing' } };
    }
    case 'missing': {
      // Excludes all that this run has walked, proven or not.
      const walked = state.walkedTo === null ? [] : [{ from: state.walkedTo, to: largestBlock }];
      const range = holes(mergeBlocks([...state.covered, ...walked])).find(({ from }) =>
        isWanted(from, what),
      );
      if (range === undefined) return null;
      return { state: ready, goal: rangeGoal(upperPart(range, state.rangeBlocks), plan, 'missing') };
    }
  }
}

/** Whether a missing range that begins at block `from` is part of what is asked for. */
const isWanted = (from: bigint, what: SyncWhat): boolean =>
  what === 'all' || (what !== 'newer' && (what === 'older') === (from === 0n));

function rangeGoal({ from, to }: { from: bigint; to: bigint | null }, plan: RunPlan, then: Phase): Goal {
  const walk = beginWalk(from, to, plan.isOrderPromised, plan.density?.tip);
  return { walk, stopAt: from, aim: 'range', then };
}

/** From the newest covered block on, including it: it may have got more elements. */
function headGoal(state: RunState, plan: RunPlan): { state: RunState; goal: Goal } {
  const newest = state.covered.at(-1);
  const needed = newest === undefined ? 0n : newest.to - 1n;
  const head = upperPart({ from: needed, to: plan.density?.tip ?? 0n }, state.rangeBlocks);
  if (head.from > needed || newest === undefined) {
    // Too much for one go: the rest, and the block in doubt, become missing ranges like any others.
    const covered = subtractBlocks(state.covered, { from: needed, to: needed + 1n });
    return { state: { ...state, covered }, goal: rangeGoal({ ...head, to: null }, plan, 'missing') };
  }
  const lookBack = plan.isOrderPromised || state.isSparse ? lookBackBlocks : 0n;
  const from = needed > lookBack ? needed - lookBack : 0n;
  return { state, goal: { ...rangeGoal({ from, to: null }, plan, 'missing'), stopAt: needed, aim: 'head' } };
}

/** The state at the end of a range. */
export function goalReached(state: RunState, { aim, stopAt, then }: Goal, walk: Walk): RunState {
  if (aim === 'doubted') {
    const walkedTo = state.emptyFrom === null ? state.walkedTo : (state.covered.at(-1)?.to ?? 0n);
    return { ...state, phase: then, walkedTo };
  }
  const walkedTo = state.phase === 'head' ? reachedBy(walk, stopAt) : stopAt;
  const phase = walkedTo !== 0n && isDoubtful(state, aim) ? 'doubted' : then;
  return { ...walkLeft(state, walk), phase, walkedTo, rangeBlocks: rangeBlocksAfter(state, walk) };
}

/** The state at the end or restart of a walk: what it has stored is no evidence when the next one reads it again. */
export function walkLeft(state: RunState, { oldest }: Walk): RunState {
  const { changedFrom } = state;
  const isLower = oldest !== null && (changedFrom === null || oldest < changedFrom);
  return isLower ? { ...state, changedFrom: oldest } : state;
}

/** What a range of the planned size has shown about the next; one that was cut short shows nothing. */
function rangeBlocksAfter({ rangeBlocks, rangeElements }: RunState, { from, to }: Walk): bigint | null {
  const isOfThatSize = rangeBlocks !== null && to !== null && to - from === rangeBlocks;
  return isOfThatSize ? nextRangeBlocks(rangeBlocks, rangeElements) : rangeBlocks;
}

// ---- Pages -------------------------------------------------------------------------------------------------------------

/**
 * The element of a page by which the chain is compared with the store: the lowest one that was proven before this run,
 * or lies in a range that a run before may have put in doubt, and is below `changedFrom`. Rows that this run has stored
 * prove nothing about the rest.
 */
export function rowToCompare(state: RunState, { aim }: Goal, page: ListAnswer): StoredRow | null {
  if (!state.isCompared) return null;
  const isKnown = (block: bigint) =>
    (state.changedFrom === null || block < state.changedFrom) &&
    (aim === 'range' || state.coveredBefore.some(({ from, to }) => from <= block && block < to));
  const rows = page.elements.flatMap((element) => element?.row ?? []);
  // Above a block of the last second, others of that second may follow.
  const openMs = page.nextToken === null ? null : rows.at(-1)?.timestampMs;
  return rows.findLast((row) => row.timestampMs !== openMs && isKnown(row.blockNumber)) ?? null;
}

export interface Compared {
  row: StoredRow;
  stored: ReadRow | undefined;
}

/** The position of a page in its range. */
export interface PagePlace {
  goal: Goal;
  /** The walk at the start of the list, or at its restart after a refused token. */
  start: Walk;
  before: Walk;
}

export interface TakenPage {
  state: RunState;
  walk: Walk;
  /** No more pages of the range are needed. */
  isEnd: boolean;
  sync: SyncState;
  /** What the page adds to the ledger. */
  proven: Blocks[];
  sweep: PagePart['sweep'];
}

export function takePage(
  given: RunState,
  { goal, start, before }: PagePlace,
  page: ListAnswer,
  compared: Compared | null,
): TakenPage {
  const { aim, stopAt } = goal;
  const isLast = page.nextToken === null;
  const blocks = page.elements.map((element) => element?.block ?? null);
  const timesMs = page.elements.map((element) => element?.row?.timestampMs ?? null);
  const step = walkPage(before, given.covered, { blocks, timesMs, isLast });
  const { walk } = step;
  const state = withEvidence(given, goal, page, compared);
  const isSettled =
    aim === 'doubted' && (isSame(compared) || !wasCoveredBelow(walk.shownFrom, state.coveredBefore));
  const isEnd = isLast || hasPassed(walk, stopAt) || isSettled;
  const isHead = start.to === null;
  const isFirstOfHead = isHead && before === start;
  if (isHead) state.emptyFrom = isEnd && isEmptyWalk(walk) ? walk.from : null;
  const met = { stopAt, aim, walk, isFirstOfHead, isEnd, isSettled, isDoubtful: isDoubtful(state, aim) };
  state.covered = coverageAfter(step.covered, { ...met, emptyFrom: state.emptyFrom }, state);
  if (isFirstOfHead) state.checkedAtMs = page.fetchedAtMs;
  const isEmptyHistory =
    isEnd && isEmptyWalk(walk) && walk.from === 0n && (isHead || state.emptyFrom !== null);
  const { covered, checkedAtMs } = state;
  state.reachedStart = covered.length === 0 ? isEmptyHistory : covered[0]?.from === 0n;
  return {
    state,
    walk,
    isEnd,
    sync: { covered: writeIntervals(covered), reachedStart: state.reachedStart, checkedAtMs },
    proven: state.coveredBefore.reduce(subtractBlocks, step.proven),
    sweep: state.hadElements ? writeIntervals(sweptBlocks(start, step, isEnd)) : [],
  };
}

function withEvidence(state: RunState, { aim }: Goal, page: ListAnswer, compared: Compared | null): RunState {
  const unreadable = page.elements.filter((element) => element === null).length;
  const rangeElements = state.rangeElements + page.elements.length;
  const after = { ...state, unreadable: state.unreadable + unreadable, rangeElements };
  if (aim !== 'range' && unreadable > 0) after.isUnreadableAbove = true;
  if (compared === null) return after;
  const { blockNumber } = compared.row;
  return isSame(compared)
    ? { ...after, evidence: 'same' }
    : { ...after, evidence: 'changed', changedFrom: blockNumber };
}

function isSame(compared: Compared | null): boolean {
  const stored = compared?.stored;
  return (
    compared !== null &&
    stored !== undefined &&
    stored.marks.reorg !== 'gone' &&
    !stored.isMoved &&
    !isOtherBlock(stored, compared.row)
  );
}

/** The range differs from what is stored; or the newest end has nothing to compare where something is stored. */
function isDoubtful({ isCompared, evidence, isUnreadableAbove }: RunState, aim: Goal['aim']): boolean {
  if (!isCompared || evidence === 'same') return false;
  return evidence === 'changed' || (aim !== 'range' && !isUnreadableAbove);
}

const wasCoveredBelow = (block: bigint | null, coveredBefore: readonly Blocks[]): boolean =>
  block === null || coveredBefore.some(({ from }) => from < block);
