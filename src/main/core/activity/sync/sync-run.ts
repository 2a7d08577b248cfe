import { writeIntervals } from '../../../../shared/activity/blocks.ts';
import type { NativeToken } from '../../../../shared/activity/legs.ts';
import { err, ok, type AppError, type Result } from '../../../../shared/errors.ts';
import type { Priority } from '../../endpoints/budget.ts';
import { followPages } from '../../endpoints/follow-pages.ts';
import { appMayWaitMs, type ServiceClient } from '../../endpoints/service-client.ts';
import type { ActivityStore, ListRef, SavedPage, StoredRecord, StoredRow } from '../../activity-ports.ts';
import type { Clock } from '../../ports.ts';
import { lists, type ListAnswer } from './lists.ts';
import { pageWriter } from './page-writer.ts';
import { densityOf } from './range-size.ts';
import {
  beginRun,
  goalReached,
  nextGoal,
  rowToCompare,
  takePage,
  walkLeft,
  type Compared,
  type Goal,
  type RunPlan,
} from './run-state.ts';
import { restartWalk, type Walk } from './walk.ts';

export interface SyncRunDeps {
  store: ActivityStore;
  service: ServiceClient;
  clock: Clock;
}

export interface SyncRunOptions
  extends Pick<RunPlan, 'what' | 'headFreshForMs'>, Partial<Pick<RunPlan, 'again'>> {
  ref: ListRef;
  /** Stored in the ledger with what the run proves. */
  runId: string;
  native: NativeToken;
  signal: AbortSignal;
  /** Priority of the first page, which has the new elements. */
  firstPriority: Priority;
  /** Called after each write to the store, with the number of pages in it. */
  onSaved: (saved: SavedPage, pages: number) => void;
  onExchange?: (durationMs: number) => void;
}

/** The service's maximum. */
const pageSize = '100';

/**
 * One run through one list of one address on one chain: new elements first, then missing ranges, newest first; each
 * page is saved with what it proves. Ends at the first error; what was saved stays proven. Stored elements that a walk
 * over proven blocks no longer finds are reported to the store (`ListPage.sweep`). Below changed blocks it walks on
 * until a page agrees with the store: blocks form a chain, so all below is unchanged.
 */
export async function runSync(deps: SyncRunDeps, options: SyncRunOptions): Promise<Result<null>> {
  const { store, clock } = deps;
  const { ref, what, again = null, headFreshForMs } = options;
  const { isOrderPromised } = lists[ref.list];
  const fetchPage = pageFetcher(deps, options);
  const writer = pageWriter(store, ref, options.onSaved);
  // Without a promised order nothing is proven before the end of a range, so ranges have to be small.
  const density = isOrderPromised ? null : densityOf(await store.readSync({ ...ref, list: 'transactions' }));
  const plan: RunPlan = { what, again, isOrderPromised, density, headFreshForMs };
  let state = beginRun(ref, await store.readSync(ref), density);

  /** Walks one range to its end, or returns the error that ended it; waits until all of it is stored. */
  async function walkRange(goal: Goal): Promise<AppError | null> {
    // Start of the current walk: the range, or the rest of it after a refused token.
    let start = goal.walk;
    let walk = start;
    let equalOnes: ReadonlyMap<string, number> = new Map();
    const { unreadable } = state;
    // No times tell what the walk has seen: the clock may be set meanwhile.
    let walkAtMs = 0;
    const failure = await followPages<ListAnswer>(
      {
        ask: (token) => fetchPage(start, token),
        contentOf: ({ elements }) => new Set(elements.flatMap((element) => element?.key ?? [])),
        take: async (page) => {
          options.onExchange?.(page.durationMs);
          if (walk === start) walkAtMs = page.fetchedAtMs;
          const compared = await storedOf(store, ref, rowToCompare(state, goal, page));
          const place = { goal, start, before: walk };
          const taken = takePage(state, place, page, compared);
          ({ state, walk } = taken);
          const { records, counts } = numberEqual(page, equalOnes);
          equalOnes = counts;
          const { sync, sweep, isEnd } = taken;
          const blocks = writeIntervals(taken.proven);
          const proof = { runId: options.runId, provenAtMs: page.fetchedAtMs, blocks };
          const rows = page.elements.flatMap((element) => element?.row ?? []);
          const { doubts } = state;
          const proofOrNone = blocks.length === 0 ? null : proof;
          await writer.add({ rows, records, sync, doubts, proof: proofOrNone, walkAtMs, sweep });
          return isEnd ? null : page.nextToken;
        },
        place: () => String(walk.oldest),
        restart: async () => {
          await writer.flush();
          state = walkLeft(state, walk);
          start = walk = restartWalk(walk);
          equalOnes = new Map();
          // Those of the pages before the refusal: a price in them may differ now. What was counted in them comes again.
          state = { ...state, hadElements: true, unreadable, rangeElements: 0 };
          return null;
        },
      },
      { token: null },
    );
    await writer.flush();
    if (failure !== null) return failure;
    state = goalReached(state, goal, walk);
    return null;
  }

  for (;;) {
    const next = nextGoal(state, plan, clock.nowMs());
    if (next === null) return state.unreadable === 0 ? ok(null) : err(unreadableElements(state.unreadable));
    ({ state } = next);
    const failure = await walkRange(next.goal);
    if (failure !== null) return err(failure);
  }
}

/** Fetches pages of a run's ranges; all pages of a list are requested with its range. */
function pageFetcher({ service }: SyncRunDeps, { ref, native, signal, firstPriority }: SyncRunOptions) {
  let nextPriority = firstPriority;
  return async (walk: Walk, token: string | null): Promise<Result<ListAnswer>> => {
    const priority = nextPriority;
    nextPriority = 'backfill';
    const params = {
      pageSize,
      ...(walk.from === 0n ? {} : { startBlock: walk.from.toString() }),
      ...(walk.to === null ? {} : { endBlock: walk.to.toString() }),
      ...(token === null ? {} : { pageToken: token }),
    };
    // The app's limit even for the user: after a longer hold the run is retried anyway.
    const options = { priority, signal, mayWaitMs: appMayWaitMs };
    return await lists[ref.list].fetchPage(service, ref, params, native, options);
  };
}

/** A row of a page with its stored version. */
async function storedOf(
  store: ActivityStore,
  { address }: ListRef,
  row: StoredRow | null,
): Promise<Compared | null> {
  if (row === null) return null;
  const rows = await store.rowsOfTransaction(row.chainId, row.txHash);
  return { row, stored: rows.find((one) => one.address === address) };
}

/** Numbers equal records, continuing from the page before; `counts` are those of this page. */
function numberEqual(
  page: ListAnswer,
  before: ReadonlyMap<string, number>,
): { records: StoredRecord[]; counts: ReadonlyMap<string, number> } {
  const counts = new Map<string, number>();
  const records = page.elements.flatMap((element) => {
    const record = element?.record ?? null;
    if (record === null) return [];
    if (element?.mayRepeat !== true) return { ...record, number: 0 };
    const number = counts.get(record.recordJson) ?? before.get(record.recordJson) ?? 0;
    counts.set(record.recordJson, number + 1);
    return { ...record, number };
  });
  return { records, counts };
}

/** For elements that could not be decoded, and so not stored. */
function unreadableElements(count: number): AppError {
  const message =
    count === 1
      ? 'One entry couldn’t be read, so the blocks around it count as missing.'
      : `${count} entries couldn’t be read, so the blocks around them count as missing.`;
  return { code: 'bad-response', message, issues: [] };
}
