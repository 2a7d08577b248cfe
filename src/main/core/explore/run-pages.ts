import type { AppError } from '../../../shared/errors.ts';
import type { Attempt } from '../../../shared/explore/types.ts';
import type { Priority } from '../endpoints/budget.ts';
import type { QueryEngine } from '../endpoints/query-engine.ts';
import type { ServiceClient } from '../endpoints/service-client.ts';
import type { Clock, HttpClient, Random, RunStore, StoredRun, StoredRunPage } from '../ports.ts';
import { askNodeCall, askService, type ArrivedPage, type PageTry } from './page-sources.ts';
import type { PreparedTarget } from './run-target.ts';
import {
  isTokenRefusal,
  nextParams,
  readWalk,
  restartWalk,
  takeRows,
  writeWalk,
  type RunWalk,
} from './run-walk.ts';

export interface FetchPagesDeps {
  store: RunStore;
  service: ServiceClient;
  queries: QueryEngine;
  http: HttpClient;
  clock: Clock;
  random: Random;
}

/**
 * Fetches the next page of a run, or all that are left, each stored together with the state that it leads to; the next
 * page is asked for while one is being stored. `onSaved` is told each state once it is stored, the last one included,
 * which is the only one that is not `running`. Rejects when the store does.
 */
export async function fetchPages(
  deps: FetchPagesDeps,
  run: StoredRun,
  prepared: PreparedTarget,
  pages: 'one' | 'all',
  signal: AbortSignal,
  onSaved: (run: StoredRun) => void,
): Promise<void> {
  const fetching = new PageFetching(deps, run, prepared, pages, onSaved);
  const ahead = new AbortController();
  try {
    await fetching.work(AbortSignal.any([signal, ahead.signal]));
  } finally {
    // A page that was asked for ahead is of no use when its predecessor could not be stored.
    ahead.abort();
  }
}

class PageFetching {
  readonly #deps: FetchPagesDeps;
  readonly #prepared: PreparedTarget;
  readonly #pages: 'one' | 'all';
  readonly #onSaved: (run: StoredRun) => void;
  #run: StoredRun;
  #walk: RunWalk;
  /** Tokens that came since the list was begun. */
  #tokens = new Set<string>();

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
    this.#onSaved = onSaved;
  }

  async work(signal: AbortSignal): Promise<void> {
    if (this.#run.pageCount > 0) await this.#loadTokens();
    let pending = this.#ask('user', signal);
    for (;;) {
      const { result, attempts } = await pending;
      if (!result.ok) {
        const restarted = this.#restart(result.error);
        if (restarted !== null && restarted.ok) {
          this.#walk = restarted.value;
          this.#tokens.clear();
          await this.#save({ ...this.#run, walk: writeWalk(this.#walk) }, null, attempts);
          pending = this.#ask('completion', signal);
          continue;
        }
        const error = restarted === null ? result.error : restarted.error;
        await this.#save(this.#stopped(error), null, attempts);
        return;
      }
      const { page, error } = this.#take(result.value);
      const goesOn = this.#pages === 'all' && this.#walk.nextToken !== null;
      if (goesOn) pending = this.#ask('completion', signal);
      await this.#save(this.#withPage(page, result.value, goesOn, error), page, attempts);
      if (!goesOn) return;
    }
  }

  /** Those that came since the list was last begun: another list may use the same ones. */
  async #loadTokens(): Promise<void> {
    const attempts = await this.#deps.store.readAttempts(this.#run.id);
    const begun = attempts.findLastIndex(({ pageToken }) => pageToken === null);
    for (const { nextPageToken } of attempts.slice(Math.max(begun, 0))) {
      if (nextPageToken !== null) this.#tokens.add(nextPageToken);
    }
  }

  #ask(priority: Priority, signal: AbortSignal): Promise<PageTry> {
    const { source, baseUrl } = this.#prepared;
    if (source.kind === 'node') return askNodeCall(this.#deps, source.call, baseUrl, source.tags, signal);
    const { endpoint, params, profile } = source;
    return askService(this.#deps, endpoint, nextParams(this.#walk, params), { priority, signal, profile });
  }

  /** Null when the error is not about the token; otherwise the walk begun again, or why it cannot be. */
  #restart(error: AppError): ReturnType<typeof restartWalk> | null {
    const { source } = this.#prepared;
    if (source.kind === 'node' || !isTokenRefusal(this.#walk, error)) return null;
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

  async #save(
    run: StoredRun,
    page: StoredRunPage | null,
    attempts: readonly Omit<Attempt, 'runId'>[],
  ): Promise<void> {
    this.#run = run;
    await this.#deps.store.save(
      run,
      page,
      attempts.map((attempt) => ({ ...attempt, runId: run.id })),
    );
    this.#onSaved(run);
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
