import type { ReadRow, StoredRow, StoredSync } from '../../activity-ports.ts';
import { sampleRow } from '../../../adapters/storage/testing/sample-data.ts';
import type { ListAnswer } from '../sync/lists.ts';
import {
  goalReached,
  nextGoal,
  takePage,
  type Compared,
  type Goal,
  type RunPlan,
  type RunState,
  type TakenPage,
} from '../sync/run-state.ts';

// Runs through made pages, without a service and a store.

export type Pairs = [from: number, to: number][];

export const intervals = (pairs: Pairs) =>
  pairs.map(([from, to]) => ({ fromBlock: String(from), toBlock: String(to) }));
export const pairsOf = (blocks: readonly { from: bigint; to: bigint }[]) =>
  blocks.map(({ from, to }) => [Number(from), Number(to)]);

export const nowMs = 100_000_000;
export const rows = { address: 'a', chainId: '1', list: 'transactions' } as const;
export const erc20 = { ...rows, list: 'erc20' } as const;

/** What is stored of a list with these blocks proven. */
export const stored = (covered: Pairs, fields: Partial<StoredSync> = {}): StoredSync => ({
  covered: intervals(covered),
  reachedStart: covered[0]?.[0] === 0,
  checkedAtMs: nowMs - 60_000,
  rowCount: 10,
  stoppedByUser: false,
  owed: null,
  doubts: 3,
  newestTimestampMs: 2,
  oldestTimestampMs: 1,
  ...fields,
});

export const plan = (fields: Partial<RunPlan> = {}): RunPlan => ({
  what: 'all',
  again: null,
  isOrderPromised: true,
  density: null,
  headFreshForMs: 0,
  ...fields,
});

/** A page with elements in these blocks; null for one that cannot be read. */
export const answer = (blocks: (number | null)[], nextToken: string | null): ListAnswer => ({
  elements: blocks.map((block) =>
    block === null
      ? null
      : { key: `${block}`, block: BigInt(block), row: rowOf(block), record: null, mayRepeat: false },
  ),
  nextToken,
  fetchedAtMs: nowMs,
  durationMs: 1,
});

const rowOf = (block: number, blockHash: string | null = 'h'): StoredRow =>
  sampleRow({ txHash: `0x${block}`, blockNumber: BigInt(block), timestampMs: block, blockHash });

/** How the lowest comparable row of a page compares with the store. */
export const compared = (
  block: number,
  how: 'same' | 'changed' | 'unknown' | 'gone' | 'moved' | 'moved-by-detail' | 'absent',
): Compared => {
  const row = rowOf(block);
  if (how === 'absent') return { row, stored: undefined };
  const known = rowOf(
    how === 'moved' ? block - 1 : block,
    how === 'changed' ? 'other' : how === 'unknown' ? null : 'h',
  );
  const marks = { reorg: how === 'gone' ? 'gone' : null } as ReadRow['marks'];
  return { row, stored: { ...known, id: 1, marks, firstSeenMs: null, isMoved: how === 'moved-by-detail' } };
};

type Step = [page: ListAnswer, compared?: Compared | null];

/** Walks a goal through these pages. */
export function walkGoal(
  begun: RunState,
  goal: Goal,
  steps: readonly Step[],
): { taken: TakenPage[]; state: RunState } {
  let state = begun;
  let walk = goal.walk;
  const taken: TakenPage[] = [];
  for (const [page, match = null] of steps) {
    const place = { goal, start: goal.walk, before: walk };
    const one = takePage(state, place, page, match);
    taken.push({ ...one, state: { ...one.state } });
    ({ state, walk } = one);
  }
  return { taken, state: goalReached(state, goal, walk) };
}

/** The next goal of a run that has one. */
export function goalOf(state: RunState, of: RunPlan): { state: RunState; goal: Goal } {
  const next = nextGoal(state, of, nowMs);
  if (next === null) throw new Error('nothing is left to do');
  return next;
}

/** What a goal is about, for comparison. */
export const shown = ({ walk, stopAt, aim, then }: Goal) => ({
  range: [walk.from, walk.to].map((block) => (block === null ? null : Number(block))),
  stopAt: Number(stopAt),
  aim,
  then,
});
