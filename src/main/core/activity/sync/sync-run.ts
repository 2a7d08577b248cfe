import { writeIntervals, type Blocks } from '../../../../shared/activity/blocks.ts';
import type { NativeToken } from '../../../../shared/activity/legs.ts';
import type { SyncWhat } from '../../../../shared/activity/types.ts';
import { err, ok, type AppError, type Result } from '../../../../shared/errors.ts';
import type { Priority } from '../../endpoints/budget.ts';
import { followPages } from '../../endpoints/follow-pages.ts';
import { appMayWaitMs, type ServiceClient } from '../../endpoints/service-client.ts';
import type { ActivityStore, ListRef, StoredRecord, StoredRow, StoredSync } from '../../activity-ports.ts';
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

export interface SyncRunOptions {
  ref: ListRef;
  what: SyncWhat;
  /** Asked for again, and nothing else, whether proven or not; then `what` means nothing. */
  again?: Blocks | null;
  /** Goes into the ledger with what the run proves. */
  runId: string;
  /** What is known of the chain's own token. */
  native: NativeToken;
  signal: AbortSignal;
  /** Urgency of the first page, which brings what is new. */
  firstPriority: Priority;
  /** The newest end counts as known when it was confirmed less than this many milliseconds ago. */
  headFreshForMs: number;
  /** Called after each write to the store, with the number of pages that it held. */
  onSaved: (sync: StoredSync, pages: number) => void;
  /** Called where more than the newest blocks are others now: from this one on they may be. */
  onReorganised?: (fromBlock: bigint) => void;
  /** Called with how long each exchange took. */
  onExchange?: (durationMs: number) => void;
}

/** The largest page that the service gives. */
const pageSize = '100';

/**
 * One run through one list of one address on one chain: first what is new, then what is missing, newest first, each page
 * saved together with what it proves. Ends at the first error; what was saved by then stays proven. Where a walk over
 * proven blocks no longer finds what is stored, the store is told (`ListPage.sweep`). Where it meets what is stored and
 * finds other blocks, it goes on below until a page agrees: blocks are a chain, so all below is then as it was.
 */
export async function runSync(deps: SyncRunDeps, options: SyncRunOptions): Promise<Result<null>> {
  const { store, clock } = deps;
  const { ref, what, again = null, headFreshForMs } = options;
  const { isOrderPromised } = lists[ref.list];
  const fetchPage = pageFetcher(deps, options);
  const writer = pageWriter(store, ref, options.onSaved);
  // A list without a promised order proves nothing before the end of a range: it is walked in small ones.
  const density = isOrderPromised ? null : densityOf(await store.readSync({ ...ref, list: 'transactions' }));
  const plan: RunPlan = { what, again, isOrderPromised, density, headFreshForMs };
  let state = beginRun(ref, await store.readSync(ref));

  /** Walks one range to its end or to the error that is returned; waits until all of it is stored. */
  async function walkRange(goal: Goal): Promise<AppError | null> {
    // What is being followed: the range, or what is left of it once a token was refused.
    let start = goal.walk;
    let walk = start;
    let equalOnes: ReadonlyMap<string, number> = new Map();
    let seenSinceMs = clock.nowMs();
    const failure = await followPages<ListAnswer>(
      {
        ask: (token) => fetchPage(start, token),
        contentOf: ({ elements }) => new Set(elements.flatMap((element) => element?.key ?? [])),
        take: async (page, inCircles) => {
          options.onExchange?.(page.durationMs);
          // A clock that is set back must not make what was just seen look older than the walk.
          seenSinceMs = Math.min(seenSinceMs, page.fetchedAtMs);
          const compared = await storedOf(store, ref, rowToCompare(state, goal, page));
          const place = { goal, start, before: walk, seenSinceMs, inCircles };
          const taken = takePage(state, place, page, compared);
          ({ state, walk } = taken);
          const { records, counts } = numberEqual(page, equalOnes);
          equalOnes = counts;
          const { sync, sweep, isEnd } = taken;
          const blocks = writeIntervals(taken.proven);
          const proof = { runId: options.runId, provenAtMs: page.fetchedAtMs, blocks };
          const rows = page.elements.flatMap((element) => element?.row ?? []);
          await writer.add({ rows, records, sync, proof: blocks.length === 0 ? null : proof, sweep });
          return isEnd ? null : page.nextToken;
        },
        place: () => String(walk.oldest),
        restart: () => {
          start = walk = restartWalk(walk);
          equalOnes = new Map();
          seenSinceMs = clock.nowMs();
          state = { ...state, resume: null };
          return null;
        },
      },
      { token: goal.token },
    );
    await writer.flush();
    if (failure !== null) return failure;
    const ended = goalReached(state, goal, walk);
    ({ state } = ended);
    if (ended.reorganisedFrom !== null) options.onReorganised?.(ended.reorganisedFrom);
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

/** Asks for pages of a run's ranges; all pages of a list have its range. */
function pageFetcher({ service }: SyncRunDeps, { ref, native, signal, firstPriority }: SyncRunOptions) {
  // A run stays with the service that it began with: another one has other blocks and tokens.
  const profile = service.profile();
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
    // A run is repeated when a longer ban is over, whoever wanted it.
    const options = { priority, signal, mayWaitMs: appMayWaitMs, profile };
    return await lists[ref.list].fetchPage(service, ref, params, native, options);
  };
}

/** A row of a page with what is stored of it. */
async function storedOf(
  store: ActivityStore,
  { address }: ListRef,
  row: StoredRow | null,
): Promise<Compared | null> {
  if (row === null) return null;
  const rows = await store.rowsOfTransaction(row.chainId, row.txHash);
  return { row, stored: rows.find((one) => one.address === address) };
}

/** Numbers equal records of a page, going on where the page before ended; `counts` are those of this page. */
function numberEqual(
  page: ListAnswer,
  before: ReadonlyMap<string, number>,
): { records: StoredRecord[]; counts: ReadonlyMap<string, number> } {
  const counts = new Map<string, number>();
  const records = page.elements.flatMap((element) => {
    const record = element?.record ?? null;
    if (record === null) return [];
    const number = counts.get(record.recordJson) ?? before.get(record.recordJson) ?? 0;
    counts.set(record.recordJson, number + 1);
    return { ...record, number };
  });
  return { records, counts };
}

/** What the run could not read, so that it could not store it. */
function unreadableElements(count: number): AppError {
  const message =
    count === 1
      ? 'One entry could not be read; the blocks around it count as missing.'
      : `${count} entries could not be read; the blocks around them count as missing.`;
  return { code: 'bad-response', message, issues: [] };
}
