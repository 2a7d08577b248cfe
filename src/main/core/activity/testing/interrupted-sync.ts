import { AppFailure } from '../../../../shared/errors.ts';
import type { ListId, SyncWhat } from '../../../../shared/activity/types.ts';
import type { ListPage } from '../../activity-ports.ts';
import type { HttpOutcome } from '../../ports.ts';
import { readIntervals } from '../../../../shared/activity/blocks.ts';
import { hashOf, type MadeOrder, type MadeTransaction } from './paging-service.ts';
import { buildSyncHarness, unreachable } from './sync-harness.ts';

/** One run of the sync and its failures. Requests and saves are counted from 0; null: the failure does not occur. */
export interface InterruptedRun {
  what: SyncWhat;
  /** Before the run this many of the newest blocks are reorganised: new hashes, and `taken` transactions disappear. */
  reorganised: number;
  taken: number;
  /** New transactions appear with this request; `grown` are the numbers of blocks between them. */
  growAtRequest: number | null;
  grown: readonly number[];
  /** With this request the network fails, or the service asks for a long pause. */
  failAtRequest: number | null;
  failure: HttpOutcome;
  /** With this request, all tokens issued so far expire. */
  expireAtRequest: number | null;
  /** The process dies during this save, before or after it is written. */
  killAtSave: number | null;
  killAfterWrite: boolean;
  /** The disk is full from this save on. */
  fullAtSave: number | null;
  hoursLater: number;
}

/** A run in which nothing goes wrong. */
export const uninterrupted: InterruptedRun = {
  what: 'all',
  reorganised: 0,
  taken: 0,
  growAtRequest: null,
  grown: [],
  failAtRequest: null,
  failure: unreachable,
  expireAtRequest: null,
  killAtSave: null,
  killAfterWrite: false,
  fullAtSave: null,
  hoursLater: 0,
};

export interface InterruptedSyncOptions {
  list: ListId;
  order: MadeOrder;
  blocksPerSecond: number;
  pageSize: number;
  /** The initial history: the number of blocks between transactions. */
  gaps: readonly number[];
  /** Called after every save with proven transactions that are not stored. */
  afterSave: (problem: readonly MadeTransaction[]) => void;
}

class Killed extends Error {}

/** Interrupts runs over a generated history; `settle` returns what is stored in the end. */
export function buildInterruptedSync(options: InterruptedSyncOptions) {
  const { list, order, blocksPerSecond } = options;
  let { pageSize } = options;
  let onRequest: (number: number) => HttpOutcome | null = () => null;
  let requestNumber = 0;
  const harness = buildSyncHarness({
    list,
    order,
    blocksPerSecond,
    maxPageSize: () => pageSize,
    fault: () => onRequest(requestNumber++),
  });
  const { time, paging, stores } = harness;
  let newest = 0;

  function grow(increments: readonly number[]): void {
    for (const increment of increments) {
      newest += increment;
      const index = paging.transactions.filter(({ block }) => block === newest).length;
      const isThere = paging.transactions.some((made) => made.block === newest && made.index === index);
      if (!isThere) paging.transactions.push({ block: newest, index, transfers: (newest % 3) + 1 });
    }
  }

  function reorganise(depth: number, taken: number): void {
    const reached = paging.transactions.filter(({ block }) => block > newest - depth);
    for (const made of reached) made.fork = (made.fork ?? 0) + 1;
    const gone = new Set(reached.slice(0, taken));
    const left = paging.transactions.filter((made) => !gone.has(made));
    paging.transactions.splice(0, paging.transactions.length, ...left);
  }

  /** Transactions in proven blocks that are not stored. */
  async function missing(): Promise<MadeTransaction[]> {
    const covered = readIntervals((await harness.sync())?.covered ?? []);
    const stored = new Set(harness.storedHashes());
    const isClaimed = ({ block }: MadeTransaction) =>
      covered.some(({ from, to }) => from <= BigInt(block) && BigInt(block) < to) &&
      // The newest block may be incomplete while it is read; it is always fetched again.
      BigInt(block) !== (covered.at(-1)?.to ?? 0n) - 1n;
    return paging.transactions.filter((made) => isClaimed(made) && !stored.has(hashOf(made)));
  }

  const savePage = stores.activity.savePage.bind(stores.activity);

  async function play(run: InterruptedRun): Promise<void> {
    if (run.reorganised > 0) reorganise(run.reorganised, run.taken);
    requestNumber = 0;
    let saveNumber = 0;
    onRequest = (number) => {
      if (number === run.expireAtRequest) paging.expireTokens();
      if (number === run.growAtRequest) grow(run.grown);
      return number === run.failAtRequest ? run.failure : null;
    };
    stores.activity.savePage = async (page: ListPage) => {
      const isFatal = saveNumber === run.killAtSave;
      const isFull = run.fullAtSave !== null && saveNumber >= run.fullAtSave;
      saveNumber += 1;
      if (isFatal && !run.killAfterWrite) throw new Killed();
      if (isFull) throw new AppFailure({ code: 'storage', message: 'the disk is full' });
      const saved = await savePage(page);
      options.afterSave(await missing());
      if (isFatal) throw new Killed();
      return saved;
    };
    try {
      await ended(harness.run({ what: run.what }), harness);
    } catch (cause) {
      if (!(cause instanceof Killed || cause instanceof AppFailure)) throw cause;
    }
    await time.advance((run.hoursLater + 1) * 3_600_000);
  }

  /** Runs without interruption, and also on empty stores with the same service, for comparison. */
  async function settle() {
    onRequest = () => null;
    stores.activity.savePage = savePage;
    // Without hashes to compare, a reorganisation must fit on one page.
    if (list !== 'transactions') pageSize = 100;
    const result = await ended(harness.run(), harness);
    const fresh = buildSyncHarness({ list, order, blocksPerSecond, maxPageSize: () => pageSize });
    fresh.paging.transactions.push(...paging.transactions);
    const freshResult = await ended(fresh.run(), fresh);
    return { harness, result, missing: await missing(), fresh, freshResult };
  }

  grow(options.gaps);
  return { harness, play, settle };
}

/** Awaits a run while advancing time; a run that never ends is a failure. */
async function ended<T>(
  running: Promise<T>,
  { time, stores }: ReturnType<typeof buildSyncHarness>,
): Promise<T> {
  const state = { isEnded: false };
  const end = (): void => void (state.isEnded = true);
  running.then(end, end);
  for (let minute = 0; !state.isEnded; minute += 1) {
    if (minute === 600) throw new Error('The run did not end within ten hours.');
    await time.advance(60_000);
    await stores.idle();
  }
  return await running;
}
