import { addressTransactions } from '../../../shared/endpoints/data/address-transactions.ts';
import type { AddressTransaction } from '../../../shared/endpoints/records.ts';
import { AppFailure, err, ok, type AppError, type Result } from '../../../shared/errors.ts';
import type { ServiceProfile } from '../../../shared/settings.ts';
import { timestampToMs } from '../../../shared/time.ts';
import type { Priority } from '../endpoints/budget.ts';
import { PageSequence, type PageCall } from '../endpoints/page-sequence.ts';
import type { FetchedAnswer, ServiceClient } from '../endpoints/service-client.ts';
import type { ActivityStore, Clock, StoredRow, StoredSync, SyncResume, SyncState } from '../ports.ts';
import { holes, readIntervals, subtractBlocks, writeIntervals, type Blocks } from './coverage.ts';
import { PageWriter } from './page-writer.ts';
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
  /** Called after each write to the store, with the number of pages that it held. */
  onSaved: (sync: StoredSync, pages: number) => void;
}

/** The largest page that the service gives. */
const pageSize = '100';

/** Page tokens of the service live a day (facts §2). */
const tokenLifeMs = 24 * 3_600_000;

/** The limits of a minute are waited for; of a longer ban the user is told, and the run is repeated when it is over. */
const mayWaitMs = 90_000;

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
  readonly #writer: PageWriter;
  /** A run stays with the service that it began with: another one has other blocks and tokens. */
  readonly #profile: ServiceProfile;

  constructor(deps: SyncRunDeps, options: SyncRunOptions) {
    this.#deps = deps;
    this.#options = options;
    this.#writer = new PageWriter({ store: deps.store, ...options });
    this.#profile = deps.service.profile();
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

  /** Walks one range to its end, or to an error, and waits until all of it is stored. */
  async #walk(start: Walk, startToken: string | null): Promise<Result<null>> {
    const walked = await this.#walkRange(start, startToken);
    await this.#writer.flush();
    return walked;
  }

  /** A refused token costs nothing but a new list from the last block proven. */
  async #walkRange(start: Walk, startToken: string | null): Promise<Result<null>> {
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

  /** Follows the page tokens from one page to the last, fetching each page while the ones before are being saved. */
  async #followTokens(
    start: Walk,
    startToken: string | null,
  ): Promise<Result<null, { error: AppError; tokenRefused: boolean; walk: Walk }>> {
    let walk = start;
    let token = startToken;
    let previous = new Set<string>();
    let idlePages = 0;
    const seenTokens = new Set<string>();
    const pages = new PageSequence(startToken, this.#options.signal, (call) => this.#fetchPage(start, call));
    // Where the range ends above the beginning, only the rows of a page tell whether a further one is wanted.
    const mayFollow = (next: string) => start.from === 0n && !seenTokens.has(next);
    try {
      for (;;) {
        const fetched = await pages.read(mayFollow);
        if (!fetched.ok) {
          return err({
            error: fetched.error,
            tokenRefused: token !== null && isRefusal(fetched.error),
            walk,
          });
        }
        const page = readPage(fetched.value);
        const hashes = new Set(page.elements.map(({ nativeTransaction }) => nativeTransaction.txHash));
        idlePages = [...hashes].some((hash) => !previous.has(hash)) ? 0 : idlePages + 1;
        previous = hashes;
        const step = walkPage(walk, this.#covered, { blocks: page.blocks, isLast: page.nextToken === null });
        const isEnd = page.nextToken === null || hasPassedRange(step.walk);
        const goesInCircles = !isEnd && (idlePages > maxIdlePages || seenTokens.has(page.nextToken ?? ''));
        if (page.nextToken !== null) seenTokens.add(page.nextToken);
        const nextToken = isEnd || goesInCircles ? null : page.nextToken;
        void pages.goOn(nextToken);
        const state = this.#learn(start, walk, step, page, nextToken, isEnd);
        await this.#writer.add(this.#rowsOf(page), state);
        walk = step.walk;
        token = nextToken;
        if (goesInCircles) return err({ error: circles(), tokenRefused: false, walk });
        if (nextToken === null) return ok(null);
      }
    } finally {
      // A page that was asked for ahead is of no use when its predecessor could not be read or saved.
      pages.stop();
    }
  }

  /** All pages of a list have its range. */
  async #fetchPage(walk: Walk, { token, signal, onNextToken }: PageCall): Promise<Result<FetchedPage>> {
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
      { priority, signal, mayWaitMs, onNextToken, profile: this.#profile },
    );
  }

  #rowsOf(page: ReadPage): StoredRow[] {
    const { address, chainId } = this.#options;
    return page.elements.map((element) => rowOfTransaction(element, address, chainId, page.fetchedAtMs));
  }

  /** What is known once the page is stored. */
  #learn(
    start: Walk,
    before: Walk,
    step: { walk: Walk; covered: Blocks[] },
    page: ReadPage,
    nextToken: string | null,
    isEnd: boolean,
  ): SyncState {
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
    return {
      covered: writeIntervals(this.#covered),
      reachedStart: this.#reachedStart,
      resume: this.#resume,
      checkedAtMs: this.#checkedAtMs,
    };
  }
}

type FetchedPage = FetchedAnswer<{
  transactions: AddressTransaction[];
  nextPageToken?: string | undefined;
}>;

interface ReadPage {
  /** The elements that can be stored, in the order of the answer. */
  elements: AddressTransaction[];
  /** Of all elements, in the order of the answer; null for one that cannot be stored. */
  blocks: (bigint | null)[];
  fetchedAtMs: number;
  nextToken: string | null;
}

function readPage(fetched: FetchedPage): ReadPage {
  const elements: AddressTransaction[] = [];
  const blocks: (bigint | null)[] = [];
  const unreadable = new Set(fetched.unreadableItems);
  const readable = fetched.data.transactions.values();
  const count = fetched.data.transactions.length + unreadable.size;
  for (let position = 0; position < count; position += 1) {
    const element = unreadable.has(position) ? undefined : readable.next().value;
    const block = element === undefined ? null : storableBlock(element);
    blocks.push(block);
    if (element !== undefined && block !== null) elements.push(element);
  }
  const token = fetched.data.nextPageToken;
  return {
    elements,
    blocks,
    fetchedAtMs: fetched.fetchedAtMs,
    nextToken: token === undefined || token === '' ? null : token,
  };
}

/** The same range again without a token, from the last block proven where the order allows it. */
function restartWalk(walk: Walk): Walk {
  if (!walk.isOrdered || !walk.isWhole || walk.oldest === null || walk.stretchTo === null) {
    return beginWalk(walk.from, walk.to);
  }
  return beginWalk(walk.from, walk.oldest + 1n);
}

/** The block of an element that can be stored; null when its block or time is out of range. */
function storableBlock({ nativeTransaction }: AddressTransaction): bigint | null {
  const block = BigInt(nativeTransaction.blockNumber);
  if (block < 0n || block > largestStoredInteger) return null;
  return timestampToMs(nativeTransaction.blockTimestamp) === null ? null : block;
}

/** The row of a list element, whose block and time have been found storable. */
function rowOfTransaction(
  transaction: AddressTransaction,
  address: string,
  chainId: string,
  fetchedAtMs: number,
): StoredRow {
  const native = transaction.nativeTransaction;
  return {
    chainId,
    address,
    txHash: canonicalHash(native.txHash),
    blockNumber: BigInt(native.blockNumber),
    blockIndex: native.blockIndex ?? null,
    timestampMs: timestampToMs(native.blockTimestamp) ?? 0,
    completeness: 'partial',
    transactionJson: JSON.stringify(transaction),
    fetchedAtMs,
  };
}

/** Lower case where it is a hash as the specification has it, so that one transaction has one spelling. */
function canonicalHash(hash: string): string {
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
