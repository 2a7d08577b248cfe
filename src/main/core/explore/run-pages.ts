import type { AppError } from '../../../shared/errors.ts';
import { BatchWriter } from '../batch-writer.ts';
import type { Priority } from '../endpoints/budget.ts';
import { PageSequence, type PageCall } from '../endpoints/page-sequence.ts';
import type { QueryEngine } from '../endpoints/query-engine.ts';
import type { ServiceClient } from '../endpoints/service-client.ts';
import { isTokenRefused } from '../endpoints/token-refused.ts';
import type { Clock, HttpClient, Random, RunStore, StoredRun, StoredRunPage } from '../ports.ts';
import { askNodeCall, askService, type ArrivedPage, type PageTry } from './page-sources.ts';
import type { PreparedTarget } from './run-target.ts';
import { nextParams, readWalk, restartWalk, takeRows, writeWalk, type RunWalk } from './run-walk.ts';

export interface FetchPagesDeps {
  store: RunStore;
  service: ServiceClient;
  queries: QueryEngine;
  http: HttpClient;
  clock: Clock;
  random: Random;
}

/**
 * Fetches the next page of a run, or all that are left. Each is stored together with the state that it leads to, some of
 * them in one write when the store is behind; the next page is asked for while one is being read. `onSaved` is told each
 * state that was stored, the last one included, which is the only one that is not `running`. Rejects when the store does.
 */
export async function fetchPages(
  deps: FetchPagesDeps,
  run: StoredRun,
  prepared: PreparedTarget,
  pages: 'one' | 'all',
  signal: AbortSignal,
  onSaved: (run: StoredRun) => void,
): Promise<void> {
  await new PageFetching(deps, run, prepared, pages, onSaved).work(signal);
}

/** What is stored of one step of a run: all of it or nothing. */
interface Step {
  /** The state that it leads to. */
  run: StoredRun;
  page: StoredRunPage | null;
  attempts: PageTry['attempts'];
}

class PageFetching {
  readonly #deps: FetchPagesDeps;
  readonly #prepared: PreparedTarget;
  readonly #pages: 'one' | 'all';
  readonly #steps: BatchWriter<Step>;
  /** The state that the last step leads to, stored or not. */
  #run: StoredRun;
  #walk: RunWalk;
  /** Tokens that came since the list was begun. */
  #tokens = new Set<string>();
  /** The user waits for the first page only. */
  #priority: Priority = 'user';

  constructor(
    deps: FetchPagesDeps,
    run: StoredRun,
    prepared: PreparedTarget,
    pages: 'one' | 'all',
    onSaved: (run: StoredRun) => void,
  ) {
    this.#deps = deps;
    this.#run = run;
    this.#walk = readWalk(run.walk);
    this.#prepared = prepared;
    this.#pages = pages;
    this.#steps = new BatchWriter(async (steps) => {
      const last = steps.at(-1);
      if (last === undefined) return;
      const stored = steps.flatMap(({ page }) => (page === null ? [] : [page]));
      const attempts = steps.flatMap((step) =>
        step.attempts.map((attempt) => ({ ...attempt, runId: run.id })),
      );
      await deps.store.save(last.run, stored, attempts);
      onSaved(last.run);
    });
  }

  async work(signal: AbortSignal): Promise<void> {
    if (this.#run.pageCount > 0) await this.#loadTokens();
    let isEnded = false;
    while (!isEnded) isEnded = await this.#walkList(signal);
    await this.#steps.flush();
  }

  /** Follows the tokens of one list; false when the list has to be begun again. */
  async #walkList(signal: AbortSignal): Promise<boolean> {
    const pages = new PageSequence(this.#walk.nextToken, signal, (call) => this.#ask(call));
    try {
      for (;;) {
        const { result, attempts } = await pages.read((token) => this.#mayFollow(token));
        if (!result.ok) {
          const vain = await pages.goOn(null);
          return await this.#takeError(result.error, [...attempts, ...(vain?.attempts ?? [])]);
        }
        const { page, error } = this.#take(result.value);
        const goesOn = this.#pages === 'all' && this.#walk.nextToken !== null;
        const vain = await pages.goOn(goesOn ? this.#walk.nextToken : null);
        const run = this.#withPage(page, result.value, goesOn, error);
        await this.#save(run, page, [...attempts, ...(vain?.attempts ?? [])]);
        if (!goesOn) return true;
      }
    } finally {
      // A page that was asked for ahead is of no use when its predecessor could not be stored.
      pages.stop();
    }
  }

  /** Whether the walk can go on with a token, as far as that is known before the page that names it was read. */
  #mayFollow(token: string): boolean {
    const { source } = this.#prepared;
    const isList = source.kind === 'endpoint' && source.endpoint.paging?.isSinglePage !== true;
    return this.#pages === 'all' && isList && !this.#tokens.has(token);
  }

  /** True when the run ends with the error; false when the list has to be begun again. */
  async #takeError(error: AppError, attempts: PageTry['attempts']): Promise<boolean> {
    const restarted = this.#restart(error);
    if (restarted === null || !restarted.ok) {
      await this.#save(this.#stopped(restarted === null ? error : restarted.error), null, attempts);
      return true;
    }
    this.#walk = restarted.value;
    this.#tokens.clear();
    await this.#save({ ...this.#run, walk: writeWalk(this.#walk) }, null, attempts);
    return false;
  }

  /** Those that came since the list was last begun: another list may use the same ones. */
  async #loadTokens(): Promise<void> {
    const attempts = await this.#deps.store.readAttempts(this.#run.id);
    const begun = attempts.findLastIndex(({ pageToken }) => pageToken === null);
    for (const { nextPageToken } of attempts.slice(Math.max(begun, 0))) {
      if (nextPageToken !== null) this.#tokens.add(nextPageToken);
    }
  }

  #ask({ token, signal, onNextToken }: PageCall): Promise<PageTry> {
    const priority = this.#priority;
    this.#priority = 'completion';
    const { source, baseUrl } = this.#prepared;
    if (source.kind === 'node') return askNodeCall(this.#deps, source.call, baseUrl, source.tags, signal);
    const { endpoint, profile } = source;
    const params = nextParams({ ...this.#walk, nextToken: token }, source.params);
    return askService(this.#deps, endpoint, params, { priority, signal, profile, onNextToken });
  }

  /** Null when the error is not about the token; otherwise the walk begun again, or why it cannot be. */
  #restart(error: AppError): ReturnType<typeof restartWalk> | null {
    const { source } = this.#prepared;
    if (source.kind === 'node' || this.#walk.nextToken === null || !isTokenRefused(error)) return null;
    return restartWalk(this.#walk, source.endpoint, source.params, error);
  }

  /** Moves the walk on by a page. `error` says why it ends although the service names a further page. */
  #take(arrived: ArrivedPage): { page: StoredRunPage; error: AppError | null } {
    const { source } = this.#prepared;
    const page: StoredRunPage = { ...arrived.page, index: this.#run.pageCount, repeatedRows: [] };
    if (source.kind === 'node' || arrived.rows === null) return { page, error: null };
    const taken = takeRows(this.#walk, source.endpoint, arrived.rows, arrived.hasUnreadable);
    page.repeatedRows = taken.repeatedRows;
    page.notes = [...page.notes, ...repetitionNote(taken.repeatedRows.length)];
    this.#walk = { ...taken.walk, nextToken: arrived.nextToken };
    if (arrived.nextToken === null) {
      this.#walk.range = null;
      return { page, error: null };
    }
    if (source.endpoint.paging?.isSinglePage === true) {
      this.#walk.nextToken = null;
      page.notes = [...page.notes, tokenWithoutPaging];
      return { page, error: null };
    }
    if (this.#tokens.has(arrived.nextToken)) {
      this.#walk = { ...this.#walk, nextToken: null, range: null };
      return { page, error: circles() };
    }
    this.#tokens.add(arrived.nextToken);
    return { page, error: null };
  }

  #withPage(page: StoredRunPage, arrived: ArrivedPage, goesOn: boolean, error: AppError | null): StoredRun {
    const newRows = arrived.rows === null ? null : arrived.rows.length - page.repeatedRows.length;
    const hasMore = this.#walk.nextToken !== null;
    return {
      ...this.#run,
      state:
        error !== null ? 'failed' : goesOn ? 'running' : arrived.nextToken !== null ? 'partial' : 'complete',
      fetchedAtMs: page.fetchedAtMs,
      pageCount: page.index + 1,
      rowCount: newRows === null ? this.#run.rowCount : (this.#run.rowCount ?? 0) + newRows,
      byteLength: this.#run.byteLength + page.byteLength,
      hasMore,
      error,
      walk: writeWalk(this.#walk),
    };
  }

  /** A query that was stopped is no failure. */
  #stopped(error: AppError): StoredRun {
    return error.code === 'cancelled'
      ? { ...this.#run, state: 'partial', error: null }
      : { ...this.#run, state: 'failed', error };
  }

  async #save(run: StoredRun, page: StoredRunPage | null, attempts: Step['attempts']): Promise<void> {
    this.#run = run;
    await this.#steps.add({ run, page, attempts });
  }
}

const tokenWithoutPaging =
  'The service names a further page, but this endpoint takes no page token, so there is no way to ask for it.';

function repetitionNote(count: number): string[] {
  if (count === 0) return [];
  const rows = count === 1 ? 'One row is' : `${count} rows are`;
  return [
    `The page token was no longer valid, so the list was begun again at its last block: ${rows} left out here because an earlier page holds ${count === 1 ? 'it' : 'them'}.`,
  ];
}

function circles(): AppError {
  const message =
    'The service named a page token a second time: its pages go in circles. What was fetched stays.';
  return { code: 'bad-response', message, issues: [] };
}
