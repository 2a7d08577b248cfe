import { AppFailure, err, type AppError, type Result } from '../../../shared/errors.ts';
import { BatchWriter } from '../batch-writer.ts';
import type { Priority } from '../endpoints/budget.ts';
import { followPages } from '../endpoints/follow-pages.ts';
import { userMayWaitMs } from '../endpoints/service-client.ts';
import type { AskPorts, NodeAccess } from '../health/ask/ask-node.ts';
import type { RunStore, StoredRun, StoredRunPage } from '../ports.ts';
import { askNodeCall, askService, type ArrivedPage, type DecodedPage, type PageTry } from './page-sources.ts';
import type { PreparedTarget } from './run-target.ts';
import { nextParams, placeOf, readWalk, refusedAgain, restartWalk, takeRows, writeWalk } from './run-walk.ts';

export interface FetchPagesDeps extends AskPorts {
  store: RunStore;
  /** What requests to a watched node need. Throws `AppFailure` when its headers cannot be read. */
  accessTo: (nodeId: string) => Promise<NodeAccess>;
}

export interface FetchedPages {
  /** Called with each stored state of the run; only the last one is not `running`. */
  onSaved: (run: StoredRun) => void;
  /** Called with the first page once it is decoded, before it is stored: the user is waiting for it. */
  onFirst: (index: number, decoded: DecodedPage | undefined) => void;
}

/** One step of a run, stored in one transaction. */
interface Step {
  /** The state of the run after this step. */
  run: StoredRun;
  page: StoredRunPage | null;
  attempts: PageTry['attempts'];
}

/**
 * Fetches the next pages of a run, up to `mostPages`. Each page is stored together with the new state of the run;
 * when the store is slower, several pages go into one write. Rejects when the store fails.
 */
export async function fetchPages(
  deps: FetchPagesDeps,
  begun: StoredRun,
  { source, baseUrl }: PreparedTarget,
  mostPages: number,
  signal: AbortSignal,
  { onSaved, onFirst }: FetchedPages,
): Promise<void> {
  /** State after the last step, whether stored yet or not. */
  let run = begun;
  let walk = readWalk(run.walk);
  /** Attempts that are not stored yet. */
  let attempts: PageTry['attempts'] = [];
  /** The user waits only for the first page. */
  let priority: Priority = 'user';

  const steps = new BatchWriter<Step>(async (written) => {
    const last = written.at(-1);
    if (last === undefined) return;
    const stored = written.flatMap(({ page }) => page ?? []);
    const made = written.flatMap((step) => step.attempts.map((attempt) => ({ ...attempt, runId: run.id })));
    await deps.store.save(last.run, stored, made);
    onSaved(last.run);
  });

  async function save(next: StoredRun, page: StoredRunPage | null): Promise<void> {
    const step = { run: next, page, attempts };
    run = next;
    attempts = [];
    await steps.add(step);
  }

  async function ask(token: string | null): Promise<Result<ArrivedPage>> {
    const asked = await request(token);
    priority = 'completion';
    attempts.push(...asked.attempts);
    run = { ...run, headerNames: run.headerNames ?? asked.headerNames };
    return asked.result;
  }

  async function request(token: string | null): Promise<PageTry> {
    if (source.kind === 'node') {
      try {
        const access = await deps.accessTo(source.nodeId);
        return await askNodeCall(deps, source.call, { url: baseUrl, ...access }, source.tags, signal);
      } catch (cause) {
        if (!(cause instanceof AppFailure)) throw cause;
        return { result: err(cause.error), attempts: [], headerNames: null };
      }
    }
    const { endpoint, profile, asking } = source;
    const mayWaitMs = priority === 'user' ? userMayWaitMs : Infinity;
    const params = nextParams({ ...walk, nextToken: token }, source.params);
    return await askService(asking, endpoint, params, { priority, signal, profile, mayWaitMs });
  }

  async function take(arrived: ArrivedPage, inCircles: boolean): Promise<string | null> {
    if (run.pageCount === begun.pageCount) onFirst(run.pageCount, arrived.decoded);
    const { page, canGoOn } = pageOf(arrived);
    const nextToken = canGoOn ? arrived.nextToken : null;
    const isOver = nextToken === null || inCircles;
    walk = { ...walk, nextToken: isOver ? null : nextToken, range: isOver ? null : walk.range };
    const goesOn = nextToken !== null && page.index + 1 < begun.pageCount + mostPages;
    const newRows = arrived.rows === null ? null : arrived.rows.length - page.repeatedRows.length;
    const next: StoredRun = {
      ...run,
      state: goesOn ? 'running' : arrived.nextToken !== null ? 'partial' : 'complete',
      fetched: spanWith(run.fetched, page.fetchedAtMs),
      pageCount: page.index + 1,
      rowCount: newRows === null ? run.rowCount : (run.rowCount ?? 0) + newRows,
      byteLength: run.byteLength + page.byteLength,
      hasMore: walk.nextToken !== null,
      error: null,
      walk: writeWalk(walk),
    };
    await save(next, page);
    return goesOn || inCircles ? nextToken : null;
  }

  /** Prepares a page for storing and advances the walk by its rows. */
  function pageOf(arrived: ArrivedPage): { page: StoredRunPage; canGoOn: boolean } {
    const page: StoredRunPage = { ...arrived.page, index: run.pageCount, repeatedRows: [] };
    if (source.kind === 'node' || arrived.rows === null) return { page, canGoOn: false };
    const hasUnreadable = (arrived.decoded?.unreadableItems.length ?? 0) > 0;
    const taken = takeRows(walk, source.endpoint, arrived.rows, hasUnreadable);
    walk = taken.walk;
    page.repeatedRows = taken.repeatedRows;
    const isSinglePage = source.endpoint.paging?.isSinglePage === true;
    page.notes = [
      ...page.notes,
      ...repetitionNote(taken.repeatedRows.length),
      ...(isSinglePage && arrived.nextToken !== null ? [tokenWithoutPaging] : []),
    ];
    return { page, canGoOn: !isSinglePage };
  }

  function restart(refusal: AppError): AppError | null {
    if (source.kind === 'node') return refusal;
    const restarted = restartWalk(walk, source.endpoint, source.params, refusal);
    if (!restarted.ok) return restarted.error;
    walk = restarted.value;
    // Stored later, with the resulting page or error.
    run = { ...run, walk: writeWalk(walk) };
    return null;
  }

  /** Tokens since the list was last restarted; a new list may use the same ones again. */
  async function tokensBefore(): Promise<string[]> {
    if (run.pageCount === 0) return [];
    const made = await deps.store.readAttempts(run.id);
    const first = made.findLastIndex(({ pageToken }) => pageToken === null);
    return made.slice(Math.max(first, 0)).flatMap(({ nextPageToken }) => nextPageToken ?? []);
  }

  const error = await followPages<ArrivedPage>(
    {
      ask,
      contentOf: ({ page, nextToken }) => new Set([page.rawText.replace(nextToken ?? '', '')]),
      // A list that is filtered for few rows may have many empty pages.
      mostIdlePages: 1_000,
      take,
      place: () => placeOf(walk),
      restart,
      stuck: refusedAgain,
    },
    { token: walk.nextToken, tokensBefore: await tokensBefore(), refusedAt: walk.restartedAt },
  );
  // Stopping a query is not a failure.
  if (error?.code === 'cancelled') await save({ ...run, state: 'partial', error: null }, null);
  else if (error !== null) await save({ ...run, state: 'failed', error }, null);
  await steps.flush();
}

function spanWith(span: StoredRun['fetched'], atMs: number): NonNullable<StoredRun['fetched']> {
  const { fromMs, toMs } = span ?? { fromMs: atMs, toMs: atMs };
  return { fromMs: Math.min(fromMs, atMs), toMs: Math.max(toMs, atMs) };
}

const tokenWithoutPaging =
  'The service says that there is another page, but this endpoint doesn’t accept a page token, so the app can’t fetch that page.';

function repetitionNote(count: number): string[] {
  if (count === 0) return [];
  const rows =
    count === 1
      ? 'One row that is already on an earlier page was'
      : `${count} rows that are already on earlier pages were`;
  return [
    `The page token was no longer valid, so the app restarted the list at its last block. ${rows} left out here.`,
  ];
}
