import { AppFailure } from '../../../../shared/errors.ts';
import type { ListId, SyncWhat } from '../../../../shared/activity/types.ts';
import type { ListPage } from '../../activity-ports.ts';
import type { HttpOutcome } from '../../ports.ts';
import { readIntervals } from '../../../../shared/activity/blocks.ts';
import { hashOf, type MadeOrder, type MadeTransaction } from './paging-service.ts';
import { buildSyncHarness, unreachable } from './sync-harness.ts';

/** One run of the sync, and what goes wrong in it. Requests and saves are counted from 0; null: it does not happen. */
export interface InterruptedRun {
  what: SyncWhat;
  /** Before the run this many of the newest blocks are reorganised: other hashes, and `taken` transactions are gone. */
  reorganised: number;
  taken: number;
  /** New transactions appear with this request: each as many blocks above the one before. */
  growAtRequest: number | null;
  grown: readonly number[];
  /** The network fails, or the service wants no more requests for long, with this request. */
  failAtRequest: number | null;
  failure: HttpOutcome;
  /** Tokens expire with this request; for good, as far as this run goes. */
  expireAtRequest: number | null;
  /** The process dies with this save, before or after the store has it. */
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
  pageSize: number;
  /** The first history: each transaction as many blocks above the one before. */
  gaps: readonly number[];
  /** Asked after every save; throws where the store claims more than it has. */
  afterSave: (problem: readonly MadeTransaction[]) => void;
}

class Killed extends Error {}

/** A made-up history that runs are interrupted over, and what is stored of it in the end. */
export function buildInterruptedSync(options: InterruptedSyncOptions) {
  const { list, order } = options;
  let { pageSize } = options;
  let onRequest: (number: number) => HttpOutcome | null = () => null;
  let requestNumber = 0;
  const harness = buildSyncHarness({
    list,
    order,
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

  /** Transactions of blocks that count as proven which are not stored. */
  async function missing(): Promise<MadeTransaction[]> {
    const covered = readIntervals((await harness.sync())?.covered ?? []);
    const stored = new Set(harness.storedHashes());
    const isClaimed = ({ block }: MadeTransaction) =>
      covered.some(({ from, to }) => from <= BigInt(block) && BigInt(block) < to) &&
      // The newest block may be read while it is being written; it is always asked for again.
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

  /** A run that nothing interrupts; and the stores of one that has never been, of the same service. */
  async function settle() {
    onRequest = () => null;
    stores.activity.savePage = savePage;
    // Where nothing can be compared, the newest blocks fit on a page as far as a reorganisation may reach.
    if (list !== 'transactions') pageSize = 100;
    const result = await ended(harness.run(), harness);
    const fresh = buildSyncHarness({ list, order, maxPageSize: () => pageSize });
    fresh.paging.transactions.push(...paging.transactions);
    const freshResult = await ended(fresh.run(), fresh);
    return { harness, result, missing: await missing(), fresh, freshResult };
  }

  grow(options.gaps);
  return { harness, play, settle };
}

/** What a run comes to, while time goes by as long as it takes; a run that never ends is a failure. */
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
