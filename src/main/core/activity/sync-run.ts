import { addressTransactions } from '../../../shared/endpoints/data/address-transactions.ts';
import type { AddressTransaction } from '../../../shared/endpoints/records.ts';
import { AppFailure, err, ok, type AppError, type Result } from '../../../shared/errors.ts';
import { timestampToMs } from '../../../shared/time.ts';
import type { Priority } from '../endpoints/budget.ts';
import type { FetchedAnswer, ServiceClient } from '../endpoints/service-client.ts';
import type { ActivityStore, Clock, StoredRow, StoredSync, SyncResume } from '../ports.ts';
import { holes, readIntervals, subtractBlocks, writeIntervals, type Blocks } from './coverage.ts';
import { beginWalk, hasPassedRange, resumeWalk, walkPage, writeResume, type Walk } from './walk.ts';

export interface SyncRunDeps {
  store: ActivityStore;
  service: ServiceClient;
  clock: Clock;
}

export interface SyncRunOptions {
  address: string;
  chainId: string;
  signal: AbortSignal;
  /** Urgency of the first page, which brings what is new. */
  firstPriority: Priority;
  /** The newest end counts as known when it was confirmed less than this many milliseconds ago. */
  headFreshForMs: number;
  /** Called after each saved page. */
  onPage: (sync: StoredSync) => void;
}

/** The largest page that the service gives. */
const pageSize = '100';

/** Page tokens of the service live a day (facts §2). */
const tokenLifeMs = 24 * 3_600_000;

/** Pages in a row that bring nothing new, before the service is taken to go in circles. */
const maxIdlePages = 20;

const largestStoredInteger = 2n ** 63n - 1n;

/**
 * One run through the history of one address on one chain: first what is new, then what is missing, newest first, each
 * page saved together with what it proves. Ends at the first error; what was saved by then stays proven.
 */
export async function runSync(deps: SyncRunDeps, options: SyncRunOptions): Promise<Result<null>> {
  return await new SyncRun(deps, options).run();
}

class SyncRun {
  readonly #deps: SyncRunDeps;
  readonly #options: SyncRunOptions;
  #covered: Blocks[] = [];
  #reachedStart = false;
  #resume: SyncResume | null = null;
  #checkedAtMs: number | null = null;
  #priority: Priority;
  #unreadable = 0;

  constructor(deps: SyncRunDeps, options: SyncRunOptions) {
    this.#deps = deps;
    this.#options = options;
    this.#priority = options.firstPriority;
  }

  async run(): Promise<Result<null>> {
    const { address, chainId } = this.#options;
    const stored = await this.#deps.store.readSync(address, chainId);
    if (stored !== null) {
      this.#covered = readIntervals(stored.covered);
      this.#reachedStart = stored.reachedStart;
      this.#resume = stored.resume;
      this.#checkedAtMs = stored.checkedAtMs;
    }
    let walkedFrom: bigint | null = null;
    if (!this.#isHeadFresh()) {
      // From the newest covered block, that one included: it may have grown.
      const newest = this.#covered.at(-1);
      const head = beginWalk(newest === undefined ? 0n : newest.to - 1n, null);
      const walked = await this.#walk(head, null);
      if (!walked.ok) return walked;
      walkedFrom = head.from;
    }
    const older = await this.#walkOlder(walkedFrom);
    if (!older.ok) return older;
    return this.#unreadable === 0 ? ok(null) : err(unreadableRows(this.#unreadable));
  }

  #isHeadFresh(): boolean {
    if (this.#checkedAtMs === null) return false;
    const ageMs = this.#deps.clock.nowMs() - this.#checkedAtMs;
    return ageMs >= 0 && ageMs < this.#options.headFreshForMs;
  }

  /** The ranges that are not covered and lie below what this run has walked, newest first, each once. */
  async #walkOlder(walkedFrom: bigint | null): Promise<Result<null>> {
    const resume = this.#usableResume();
    let belowBlock = walkedFrom;
    if (resume !== null) {
      const walk = resumeWalk(resume);
      const walked = await this.#walk(walk, resume.pageToken);
      if (!walked.ok) return walked;
      belowBlock = walk.from;
    }
    for (;;) {
      const limit: bigint | null = belowBlock;
      const range = holes(this.#covered).find(({ to }) => limit === null || to <= limit);
      if (range === undefined) return ok(null);
      const walked = await this.#walk(beginWalk(range.from, range.to), null);
      if (!walked.ok) return walked;
      belowBlock = range.from;
    }
  }

  #usableResume(): SyncResume | null {
    if (this.#resume === null) return null;
    const ageMs = this.#deps.clock.nowMs() - this.#resume.receivedAtMs;
    return ageMs >= 0 && ageMs < tokenLifeMs ? this.#resume : null;
  }

  /** Walks one range to its end. A refused token costs nothing but a new list from the last block proven. */
  async #walk(start: Walk, startToken: string | null): Promise<Result<null>> {
    let walk = start;
    let token = startToken;
    let refusedAt: bigint | null | undefined;
    for (;;) {
      const passage = await this.#followTokens(walk, token);
      if (passage.ok || !passage.error.tokenRefused) return passage.ok ? ok(null) : err(passage.error.error);
      const reached = passage.error.walk.oldest;
      // The same list refused its token at the same place before: it would do so again.
      if (refusedAt !== undefined && refusedAt === reached) return err(passage.error.error);
      refusedAt = reached;
      walk = restartWalk(passage.error.walk);
      token = null;
      this.#resume = null;
    }
  }

  /** Follows the page tokens from one page to the last, fetching each page while the one before is being saved. */
  async #followTokens(
    start: Walk,
    startToken: string | null,
  ): Promise<Result<null, { error: AppError; tokenRefused: boolean; walk: Walk }>> {
    let walk = start;
    let token = startToken;
    let previous = new Set<string>();
    let idlePages = 0;
    const seenTokens = new Set<string>();
    const ahead = new AbortController();
    const signal = AbortSignal.any([ahead.signal, this.#options.signal]);
    let pending = this.#fetchPage(walk, token, signal);
    try {
      for (;;) {
        const fetched = await pending;
        if (!fetched.ok) {
          return err({
            error: fetched.error,
            tokenRefused: token !== null && isRefusal(fetched.error),
            walk,
          });
        }
        const page = this.#readPage(fetched.value);
        const hashes = new Set(page.rows.map((row) => row.txHash));
        idlePages = [...hashes].some((hash) => !previous.has(hash)) ? 0 : idlePages + 1;
        previous = hashes;
        const step = walkPage(walk, this.#covered, { blocks: page.blocks, isLast: page.nextToken === null });
        const isEnd = page.nextToken === null || hasPassedRange(step.walk);
        const goesInCircles = !isEnd && (idlePages > maxIdlePages || seenTokens.has(page.nextToken ?? ''));
        if (page.nextToken !== null) seenTokens.add(page.nextToken);
        const nextToken = isEnd || goesInCircles ? null : page.nextToken;
        if (nextToken !== null) pending = this.#fetchPage(step.walk, nextToken, signal);
        await this.#savePage(start, walk, step, page, nextToken, isEnd);
        walk = step.walk;
        token = nextToken;
        if (goesInCircles) return err({ error: circles(), tokenRefused: false, walk });
        if (nextToken === null) return ok(null);
      }
    } finally {
      // A page that was asked for ahead is of no use when its predecessor could not be saved.
      ahead.abort();
    }
  }

  async #fetchPage(walk: Walk, token: string | null, signal: AbortSignal): Promise<Result<FetchedPage>> {
    const priority = this.#priority;
    this.#priority = 'backfill';
    const { address, chainId } = this.#options;
    return await this.#deps.service.fetch(
      addressTransactions,
      {
        chainId,
        address,
        sortOrder: 'desc',
        pageSize,
        ...(walk.from === 0n ? {} : { startBlock: walk.from.toString() }),
        ...(walk.to === null ? {} : { endBlock: walk.to.toString() }),
        ...(token === null ? {} : { pageToken: token }),
      },
      { priority, signal, mayWaitMs: Infinity },
    );
  }

  #readPage(fetched: FetchedPage): ReadPage {
    const { address, chainId } = this.#options;
    const rows: StoredRow[] = [];
    const blocks: (bigint | null)[] = [];
    const unreadable = new Set(fetched.unreadableItems);
    const elements = fetched.data.transactions.values();
    const count = fetched.data.transactions.length + unreadable.size;
    for (let position = 0; position < count; position += 1) {
      const element = unreadable.has(position) ? undefined : elements.next().value;
      const row =
        element === undefined ? null : rowOfTransaction(element, address, chainId, fetched.fetchedAtMs);
      blocks.push(row?.blockNumber ?? null);
      if (row !== null) rows.push(row);
    }
    const token = fetched.data.nextPageToken;
    return {
      rows,
      blocks,
      fetchedAtMs: fetched.fetchedAtMs,
      nextToken: token === undefined || token === '' ? null : token,
    };
  }

  async #savePage(
    start: Walk,
    before: Walk,
    step: { walk: Walk; covered: Blocks[] },
    page: ReadPage,
    nextToken: string | null,
    isEnd: boolean,
  ): Promise<void> {
    const { address, chainId, onPage } = this.#options;
    const isHead = start.to === null;
    const isFirstOfHead = isHead && before === start && start.oldest === null;
    this.#unreadable += page.blocks.filter((block) => block === null).length;
    this.#covered = step.covered;
    if (isFirstOfHead) {
      this.#checkedAtMs = page.fetchedAtMs;
      // Its newest block is in doubt until the walk has come down to it again.
      if (!isEnd) this.#covered = subtractBlocks(this.#covered, { from: start.from, to: start.from + 1n });
    }
    if (nextToken !== null) {
      this.#resume = writeResume(step.walk, nextToken, page.fetchedAtMs);
    } else if (!(isFirstOfHead && isEnd)) {
      // A head of one page leaves an older walk, and its token, as they were.
      this.#resume = null;
    }
    const isEmptyHistory =
      isEnd && step.walk.isWhole && step.walk.oldest === null && step.walk.from === 0n && isHead;
    this.#reachedStart = this.#covered.length === 0 ? isEmptyHistory : this.#covered[0]?.from === 0n;
    const saved = await this.#deps.store.savePage(address, chainId, page.rows, {
      covered: writeIntervals(this.#covered),
      reachedStart: this.#reachedStart,
      resume: this.#resume,
      checkedAtMs: this.#checkedAtMs,
    });
    onPage(saved);
  }
}

type FetchedPage = FetchedAnswer<{
  transactions: AddressTransaction[];
  nextPageToken?: string | undefined;
}>;

interface ReadPage {
  rows: StoredRow[];
  /** In the order of the answer; null for an element that cannot be stored. */
  blocks: (bigint | null)[];
  fetchedAtMs: number;
  nextToken: string | null;
}

/** The same range again without a token, from the last block proven where the order allows it. */
function restartWalk(walk: Walk): Walk {
  if (!walk.isOrdered || !walk.isWhole || walk.oldest === null || walk.stretchTo === null) {
    return beginWalk(walk.from, walk.to);
  }
  return beginWalk(walk.from, walk.oldest + 1n);
}

/** The row of a list element; null when it has no block or time that can be stored. */
export function rowOfTransaction(
  transaction: AddressTransaction,
  address: string,
  chainId: string,
  fetchedAtMs: number,
): StoredRow | null {
  const native = transaction.nativeTransaction;
  const blockNumber = BigInt(native.blockNumber);
  const timestampMs = timestampToMs(native.blockTimestamp);
  if (blockNumber < 0n || blockNumber > largestStoredInteger || timestampMs === null) return null;
  return {
    chainId,
    address,
    txHash: canonicalHash(native.txHash),
    blockNumber,
    blockIndex: native.blockIndex ?? null,
    timestampMs,
    completeness: 'partial',
    transactionJson: JSON.stringify(transaction),
    fetchedAtMs,
  };
}

/** Lower case where it is a hash as the specification has it, so that one transaction has one spelling. */
export function canonicalHash(hash: string): string {
  return /^0x[0-9a-f]{64}$/i.test(hash) ? hash.toLowerCase() : hash;
}

/** A service answers so when it no longer knows a token (the specification does not say how). */
function isRefusal(error: AppError): boolean {
  return error.code === 'invalid-params' || error.code === 'not-found';
}

function circles(): AppError {
  return {
    code: 'bad-response',
    message: 'The service repeats its pages without an end; the history was fetched up to there.',
    issues: [],
  };
}

function unreadableRows(count: number): AppError {
  const message =
    count === 1
      ? 'One transaction could not be read; the blocks around it count as missing.'
      : `${count} transactions could not be read; the blocks around them count as missing.`;
  return { code: 'bad-response', message, issues: [] };
}

/** The error of a failed run, for what the store throws as well. */
export function errorOfThrown(cause: unknown, ref: () => string): AppError {
  if (cause instanceof AppFailure) return cause.error;
  return { code: 'internal', message: 'Fetching the history failed unexpectedly.', ref: ref() };
}
