import type { NativeToken } from '../../../../shared/activity/legs.ts';
import type { SyncWhat } from '../../../../shared/activity/types.ts';
import { err, ok, type AppError, type Result } from '../../../../shared/errors.ts';
import type { ServiceProfile } from '../../../../shared/settings.ts';
import type { Priority } from '../../endpoints/budget.ts';
import { followPages } from '../../endpoints/follow-pages.ts';
import { appMayWaitMs, type ServiceClient } from '../../endpoints/service-client.ts';
import type { ActivityStore, ListRef, StoredRecord, StoredSync, SyncResume } from '../../activity-ports.ts';
import type { Clock } from '../../ports.ts';
import {
  largestBlock,
  holes,
  mergeBlocks,
  readIntervals,
  subtractBlocks,
  writeIntervals,
  type Blocks,
} from '../../../../shared/activity/blocks.ts';
import { isYounger } from '../../age.ts';
import type { BatchWriter } from '../../batch-writer.ts';
import { Junction, reachedBy, type Goal, type JunctionPage } from './junction.ts';
import { lists, type ListAnswer, type ListDefinition, type UnnumberedRecord } from './lists.ts';
import { pageWriter, type PagePart } from './page-writer.ts';
import { densityOf, isSparse, upperPart, type Density } from './range-size.ts';
import {
  beginWalk,
  hasPassed,
  isEmptyWalk,
  restartWalk,
  resumeWalk,
  sweptBlocks,
  walkPage,
  writeResume,
  type Walk,
  type WalkStep,
} from './walk.ts';

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

/** Page tokens of the service live a day (facts §2). */
const tokenLifeMs = 24 * 3_600_000;

/** So many blocks below the newest one are looked at again where that costs no further page: they may be reorganised. */
const lookBackBlocks = 64n;

/**
 * One run through one list of one address on one chain: first what is new, then what is missing, newest first, each page
 * saved together with what it proves. Ends at the first error; what was saved by then stays proven. Where a walk over
 * proven blocks no longer finds what is stored, the store is told (`ListPage.sweep`). Where it meets what is stored and
 * finds other blocks, it goes on below until a page agrees: blocks are a chain, so all below is then as it was.
 */
export async function runSync(deps: SyncRunDeps, options: SyncRunOptions): Promise<Result<null>> {
  return await new SyncRun(deps, options).run();
}

class SyncRun {
  readonly #deps: SyncRunDeps;
  readonly #options: SyncRunOptions;
  readonly #list: ListDefinition;
  #covered: Blocks[] = [];
  #reachedStart = false;
  #resume: SyncResume | null = null;
  #checkedAtMs: number | null = null;
  /** What was covered when the run began: the ledger has it already. */
  #coveredBefore: Blocks[] = [];
  #elementsBefore = 0;
  #junction: Junction;
  /** What lies in the blocks that are looked at again fits on a page. */
  #isSparse = true;
  #priority: Priority;
  #unreadable = 0;
  #density: Density | null = null;
  readonly #writer: BatchWriter<PagePart>;
  /** A run stays with the service that it began with: another one has other blocks and tokens. */
  readonly #profile: ServiceProfile;

  constructor(deps: SyncRunDeps, options: SyncRunOptions) {
    this.#deps = deps;
    this.#options = options;
    this.#list = lists[options.ref.list];
    this.#writer = pageWriter(deps.store, options.ref, options.onSaved);
    this.#profile = deps.service.profile();
    this.#priority = options.firstPriority;
    this.#junction = this.#joinTo([], false);
  }

  async run(): Promise<Result<null>> {
    const { ref, what } = this.#options;
    const stored = await this.#deps.store.readSync(ref);
    if (stored !== null) {
      this.#covered = readIntervals(stored.covered);
      this.#reachedStart = stored.reachedStart;
      this.#resume = stored.resume;
      this.#checkedAtMs = stored.checkedAtMs;
      this.#coveredBefore = this.#covered;
      this.#elementsBefore = stored.rowCount;
      this.#isSparse = isSparse(stored);
      const isCompared = ref.list === 'transactions' && stored.rowCount > 0 && this.#covered.length > 0;
      this.#junction = this.#joinTo(this.#covered, isCompared);
    }
    // A list without a promised order proves nothing before the end of a range: it is walked in small ones.
    if (!this.#list.isOrderPromised) {
      this.#density = densityOf(await this.#deps.store.readSync({ ...ref, list: 'transactions' }));
    }
    const { again = null } = this.#options;
    if (again !== null) {
      const walked = await this.#walk(this.#begin(again.from, again.to), null, again.from);
      return walked.ok ? this.#ended() : walked;
    }
    let walkedTo: bigint | null = null;
    // Of a history that was never walked the newest end comes first, whatever is asked for.
    const isHeadWanted =
      what === 'newer' || what === 'all' || (what === 'older' && this.#covered.length === 0);
    if (isHeadWanted && !this.#isHeadFresh()) {
      const walked = await this.#walkHead();
      if (!walked.ok) return walked;
      walkedTo = walked.value;
    }
    const older = what === 'newer' ? ok(null) : await this.#walkOlder(walkedTo);
    return older.ok ? this.#ended() : older;
  }

  #joinTo(coveredBefore: readonly Blocks[], isCompared: boolean): Junction {
    return new Junction({ store: this.#deps.store, ref: this.#options.ref, coveredBefore, isCompared });
  }

  #ended(): Result<null> {
    return this.#unreadable === 0 ? ok(null) : err(unreadableElements(this.#unreadable));
  }

  #isHeadFresh(): boolean {
    return isYounger(this.#checkedAtMs, this.#deps.clock.nowMs(), this.#options.headFreshForMs);
  }

  /** From the newest covered block on, that one included: it may have grown. Returns the lowest block walked. */
  async #walkHead(): Promise<Result<bigint>> {
    const newest = this.#covered.at(-1);
    const needed = newest === undefined ? 0n : newest.to - 1n;
    const head = upperPart({ from: needed, to: this.#density?.tip ?? 0n }, this.#density);
    if (head.from > needed || newest === undefined) {
      // More than is walked in one go: the rest, and the block in doubt, are then missing like any others.
      this.#covered = subtractBlocks(this.#covered, { from: needed, to: needed + 1n });
      return await this.#walk(this.#begin(head.from, null), null, head.from);
    }
    const lookBack = this.#list.isOrderPromised || this.#isSparse ? lookBackBlocks : 0n;
    const from = needed > lookBack ? needed - lookBack : 0n;
    const walked = await this.#walk(this.#begin(from, null), null, needed, 'head');
    if (!walked.ok || walked.value === 0n || !this.#junction.isDoubtful) return walked;
    const settled = await this.#walk(this.#begin(0n, walked.value), null, 0n, 'doubted');
    if (!settled.ok) return settled;
    this.#options.onReorganised?.(this.#junction.doubtfulFrom);
    return this.#junction.isEmptyAbove ? ok(this.#covered.at(-1)?.to ?? 0n) : walked;
  }

  /** The ranges asked for that are not covered and lie below what this run has walked, newest first, each once. */
  async #walkOlder(walkedTo: bigint | null): Promise<Result<null>> {
    const resume = this.#usableResume();
    let belowBlock = walkedTo;
    if (resume !== null) {
      const walk = resumeWalk(resume);
      const walked = await this.#walk(walk, resume.pageToken, walk.from);
      if (!walked.ok) return walked;
      belowBlock = walk.from;
    }
    for (;;) {
      const limit: bigint | null = belowBlock;
      // What was walked already is left out, proven or not; below it everything counts, covered blocks above it or not.
      const walked = limit === null ? [] : [{ from: limit, to: largestBlock }];
      const hole = holes(mergeBlocks([...this.#covered, ...walked])).find(({ from }) => this.#isWanted(from));
      if (hole === undefined) return ok(null);
      const range = upperPart(hole, this.#density);
      const passed = await this.#walk(this.#begin(range.from, range.to), null, range.from);
      if (!passed.ok) return passed;
      belowBlock = range.from;
    }
  }

  /** Whether a range that is missing from block `from` on belongs to what is asked for. */
  #isWanted(from: bigint): boolean {
    const { what } = this.#options;
    return what === 'all' || (what === 'older') === (from === 0n);
  }

  #begin(from: bigint, to: bigint | null): Walk {
    return beginWalk(from, to, this.#list.isOrderPromised, this.#density?.tip);
  }

  #usableResume(): SyncResume | null {
    if (this.#resume === null || !this.#isWanted(BigInt(this.#resume.fromBlock ?? 0))) return null;
    return isYounger(this.#resume.receivedAtMs, this.#deps.clock.nowMs(), tokenLifeMs) ? this.#resume : null;
  }

  /**
   * Walks one range until its elements have passed `stopAt`, or one that is doubted until a page agrees with what is
   * stored; to its end or to an error. Waits until all of it is stored. Returns the lowest block walked.
   */
  async #walk(
    range: Walk,
    startToken: string | null,
    stopAt: bigint,
    aim: Goal['aim'] = 'range',
  ): Promise<Result<bigint>> {
    this.#junction.begin();
    // What is being followed: the range, or what is left of it once a token was refused.
    let start = range;
    let walk = range;
    let counts: ReadonlyMap<string, number> = new Map();
    let seenSinceMs = this.#deps.clock.nowMs();
    const failure = await followPages<ListAnswer>(
      {
        ask: (token) => this.#fetchPage(start, token),
        contentOf: ({ elements }) => new Set(elements.flatMap((element) => element?.key ?? [])),
        take: async (page, inCircles) => {
          this.#options.onExchange?.(page.durationMs);
          // A clock that is set back must not make what was just seen look older than the walk.
          seenSinceMs = Math.min(seenSinceMs, page.fetchedAtMs);
          const blocks = page.elements.map((element) => element?.block ?? null);
          const step = walkPage(walk, this.#covered, { blocks, isLast: page.nextToken === null });
          const isSettled = await this.#junction.meet(aim, page.elements, step.walk.oldest);
          const isEnd = page.nextToken === null || hasPassed(step.walk, stopAt) || isSettled;
          const nextToken = isEnd || inCircles ? null : page.nextToken;
          const reached = { start, stopAt, aim, isSettled, before: walk, step };
          const sync = this.#learn({ ...reached, page, nextToken, isEnd });
          const numbered = numberEqual(
            page.elements.flatMap((element) => element?.record ?? []),
            counts,
          );
          ({ counts } = numbered);
          await this.#writer.add({
            rows: page.elements.flatMap((element) => element?.row ?? []),
            records: numbered.records,
            sync,
            proof: this.#proofOf(step, page),
            sweep: this.#sweepOf(start, step, isEnd, seenSinceMs),
          });
          walk = step.walk;
          return isEnd ? null : page.nextToken;
        },
        place: () => String(walk.oldest),
        restart: () => {
          start = walk = restartWalk(walk);
          counts = new Map();
          seenSinceMs = this.#deps.clock.nowMs();
          this.#resume = null;
          return null;
        },
      },
      { token: startToken },
    );
    await this.#writer.flush();
    return failure === null ? ok(reachedBy(walk, stopAt)) : err(failure);
  }

  /** All pages of a list have its range. */
  async #fetchPage(walk: Walk, token: string | null): Promise<Result<ListAnswer>> {
    const priority = this.#priority;
    this.#priority = 'backfill';
    const params = {
      pageSize,
      ...(walk.from === 0n ? {} : { startBlock: walk.from.toString() }),
      ...(walk.to === null ? {} : { endBlock: walk.to.toString() }),
      ...(token === null ? {} : { pageToken: token }),
    };
    const { ref, native, signal } = this.#options;
    // A run is repeated when a longer ban is over, whoever wanted it.
    const options = { priority, signal, mayWaitMs: appMayWaitMs, profile: this.#profile };
    return await this.#list.fetchPage(this.#deps.service, ref, params, native, options);
  }

  /** What is known once the page is stored. */
  #learn(learned: LearnedPage): PagePart['sync'] {
    const { start, aim, before, step, page, nextToken, isEnd } = learned;
    const isHead = start.to === null;
    const isFirstOfHead = isHead && before === start && start.oldest === null;
    this.#unreadable += page.elements.filter((element) => element === null).length;
    this.#covered = this.#junction.coverageAfter({ ...learned, isFirstOfHead });
    if (isFirstOfHead) this.#checkedAtMs = page.fetchedAtMs;
    const isAll = page.nextToken === null && start.from === 0n;
    // The token of a doubted range would lead a later run through all that is older.
    if (nextToken !== null && aim !== 'doubted') {
      this.#resume = writeResume(step.walk, nextToken, page.fetchedAtMs);
    } else if (!(isFirstOfHead && isEnd) || isAll || this.#junction.isDoubtful) {
      // A head of one page leaves an older walk, and its token, as they were; but not where it shows the whole history, nor
      // where it has met other blocks than are stored: what was seen above the token is then not what comes below it.
      this.#resume = null;
    }
    const isEmptyHistory =
      isEnd && isEmptyWalk(step.walk) && step.walk.from === 0n && (isHead || this.#junction.isEmptyAbove);
    this.#reachedStart = this.#covered.length === 0 ? isEmptyHistory : this.#covered[0]?.from === 0n;
    return {
      covered: writeIntervals(this.#covered),
      reachedStart: this.#reachedStart,
      resume: this.#resume,
      checkedAtMs: this.#checkedAtMs,
    };
  }

  /** What the page adds to the ledger. */
  #proofOf(step: WalkStep, page: ListAnswer): PagePart['proof'] {
    const blocks = this.#coveredBefore.reduce(subtractBlocks, step.proven);
    if (blocks.length === 0) return null;
    return { runId: this.#options.runId, provenAtMs: page.fetchedAtMs, blocks: writeIntervals(blocks) };
  }

  /** Where what is stored and was not seen by this walk is gone. */
  #sweepOf(start: Walk, step: WalkStep, isEnd: boolean, seenSinceMs: number): PagePart['sweep'] {
    if (this.#elementsBefore === 0) return null;
    const swept = writeIntervals(sweptBlocks(start, step, isEnd));
    return swept.length === 0 ? null : { blocks: swept, notSeenSinceMs: seenSinceMs };
  }
}

interface LearnedPage extends Omit<JunctionPage, 'isFirstOfHead'> {
  /** The walk before this page. */
  before: Walk;
  page: ListAnswer;
  nextToken: string | null;
}

/** Numbers equal records of a page, going on where the page before ended; `counts` are those of this page. */
function numberEqual(
  records: readonly UnnumberedRecord[],
  before: ReadonlyMap<string, number>,
): { records: StoredRecord[]; counts: ReadonlyMap<string, number> } {
  const counts = new Map<string, number>();
  const numbered = records.map((record) => {
    const number = counts.get(record.recordJson) ?? before.get(record.recordJson) ?? 0;
    counts.set(record.recordJson, number + 1);
    return { ...record, number };
  });
  return { records: numbered, counts };
}

/** What the run could not read, so that it could not store it. */
function unreadableElements(count: number): AppError {
  const message =
    count === 1
      ? 'One entry could not be read; the blocks around it count as missing.'
      : `${count} entries could not be read; the blocks around them count as missing.`;
  return { code: 'bad-response', message, issues: [] };
}
