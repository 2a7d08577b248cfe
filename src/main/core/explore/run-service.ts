import { decodeAnswer, equalKeysNote } from '../../../shared/endpoints/decode-answer.ts';
import type { EndpointDefinition } from '../../../shared/endpoints/define.ts';
import type { Attempt, RunList, RunPage, RunSummary, RunTarget } from '../../../shared/explore/types.ts';
import type { ArgsOf } from '../../../shared/ipc/contract.ts';
import { AppFailure, errorOf, notFound, ok, refuse, type Result } from '../../../shared/errors.ts';
import { parseExactJson } from '../../../shared/json.ts';
import { jsonElementTexts } from '../../../shared/json-text.ts';
import { pagesAtOnce } from '../../../shared/limits.ts';
import { findEndpoint } from '../../../shared/endpoints/registry.ts';
import { decodeAtOnce, type DecodeAnswer } from '../endpoints/service-client.ts';
import { readAtOnce } from '../health/ask/ask-node.ts';
import type { Ports, StoredRun, StoredRunPage } from '../ports.ts';
import type { Removal } from '../removals.ts';
import { searchedForms, type KnownAs } from './run-search.ts';
import { rowsOf, type DecodedPage } from './page-sources.ts';
import { beginWalk, writeWalk } from './run-walk.ts';
import { fetchPages, type FetchPagesDeps } from './run-pages.ts';
import { prepareTarget, type Asking, type PreparedTarget, type QueryableNode } from './run-target.ts';

export interface RunServiceDeps extends FetchPagesDeps, Pick<Ports, 'emit' | 'log'> {
  /** What asks the service that is in use; null while that is being changed. */
  asking: () => Asking | null;
  nodes: () => readonly QueryableNode[];
  /** Names that the user knows, and what they stand for in parameters: of addresses, chains and nodes. */
  names: () => Iterable<KnownAs>;
  /** How many pages a query for all of them fetches before it stops; by default those of the limits. */
  pagesAtOnce?: number | undefined;
  /** Decodes a stored body; by default synchronously, on the calling thread. */
  decode?: DecodeAnswer;
}

/** A page as it is exported, too. */
export interface ReadRunPage extends RunPage, Pick<StoredRunPage, 'rawText' | 'repeatedRows'> {
  /** Without those that an earlier page already has. Null for an answer that is not a list. */
  rows: readonly unknown[] | null;
  /** Elements of the list that could not be read, as they were received. */
  unreadableTexts: readonly string[];
  /** By row: the element as it was received, where a part of it could not be read. */
  oddTexts: readonly (string | null)[];
}

interface Job {
  abort: AbortController;
  /** The last published state. */
  run: StoredRun;
  /** Resolves when the job has ended completely; never rejects. */
  done: Promise<void>;
}

/**
 * The user's own queries: sends them, follows lists to their end, stores every page and attempt, and reads them back
 * without sending requests. Throws what cannot be done, and passes on errors of the store.
 */
export class RunService {
  readonly #deps: RunServiceDeps;
  readonly #jobs = new Map<string, Job>();
  /** Removed, but not deleted yet. */
  readonly #removed = new Set<string>();
  /** The page that was just fetched, so that the first reader need not decode it again. */
  #fresh: { runId: string; index: number; decoded: DecodedPage } | null = null;

  constructor(deps: RunServiceDeps) {
    this.#deps = deps;
  }

  /** Marks queries that were running when the app ended as partial. */
  async load(): Promise<void> {
    await this.#deps.store.settleRunning();
  }

  /** Cancels all jobs, or those that ask the service alone, and waits until their pages are stored. */
  async stop(which: 'all' | 'of-service'): Promise<void> {
    const jobs = [...this.#jobs.values()].filter(
      ({ run }) => which === 'all' || run.target.kind === 'endpoint',
    );
    for (const { abort } of jobs) abort.abort();
    await Promise.all(jobs.map(({ done }) => done));
  }

  /** Resolves when the first page is stored or has failed. Errors of the query itself are in the summary. */
  async start(args: ArgsOf<'runs.start'>): Promise<RunSummary> {
    const prepared = this.#prepare(args.target);
    const run = this.#newRun(prepared);
    await this.#deps.store.create(run);
    this.#refuseChanged(prepared);
    return await this.#begin(run, prepared, args.pages).first;
  }

  /** For one page, resolves when it is stored or has failed; for all, when fetching has begun. */
  async continue(args: ArgsOf<'runs.continue'>): Promise<RunSummary> {
    this.#refuseRunning(args.runId);
    const stored = await this.#read(args.runId);
    const { walk } = stored;
    if (stored.pageCount > 0 && walk.nextToken === null && walk.range === null)
      refuse('There are no more pages.');
    const prepared = this.#prepare(stored.target);
    if (prepared.baseUrl !== stored.baseUrl) {
      const how =
        prepared.source.kind === 'node'
          ? ', but the node has a different address now. Run the query again.'
          : '. Switch to that service to fetch more pages.';
      refuse(`This query was sent to ${stored.baseUrl}${how}`);
    }
    // Checked again: another call may have started or removed it, or changed the service, while the store was read.
    this.#refuseRunning(args.runId);
    this.#refuseRemoved(args.runId);
    this.#refuseChanged(prepared);
    const running: StoredRun = { ...stored, state: 'running', error: null };
    const { first } = this.#begin(running, prepared, args.pages);
    return args.pages === 'one' ? await first : summaryOf(running);
  }

  /** Stops fetching a query; resolves when all received pages are stored. */
  async cancel(runId: string): Promise<void> {
    const job = this.#jobs.get(runId);
    job?.abort.abort();
    await job?.done;
  }

  async list({ filter, offset, limit }: ArgsOf<'runs.list'>): Promise<RunList> {
    const { text, ...rest } = filter;
    const words = searchedForms(searchable(text), this.#deps.names());
    const found = await this.#deps.store.list({ ...rest, words, without: [...this.#removed], offset, limit });
    return { ...found, runs: found.runs.map((run) => this.#toSummary(run)) };
  }

  async summary(runId: string): Promise<RunSummary> {
    return this.#toSummary(await this.#read(runId));
  }

  async page(args: ArgsOf<'runs.page'>): Promise<RunPage> {
    const read = await this.readPage(args.runId, args.index);
    const { runId, index, data, fetchedAtMs, httpStatus, durationMs, byteLength, notes } = read;
    return { runId, index, data, fetchedAtMs, httpStatus, durationMs, byteLength, notes };
  }

  /** A page as it was received. */
  async text({ runId, index }: ArgsOf<'runs.text'>): Promise<string> {
    this.#refuseRemoved(runId);
    return (await this.#storedPage(runId, index)).rawText;
  }

  async readPage(runId: string, index: number): Promise<ReadRunPage> {
    const run = await this.#read(runId);
    return await this.#decodePage(run, await this.#storedPage(runId, index));
  }

  async #storedPage(runId: string, index: number): Promise<StoredRunPage> {
    return (await this.#deps.store.readPage(runId, index)) ?? notFound('This page wasn’t fetched.');
  }

  async attempts(runId: string): Promise<Attempt[]> {
    return await this.#deps.store.readAttempts(runId);
  }

  async remove(runId: string): Promise<Removal> {
    await this.cancel(runId);
    this.#refuseRemoved(runId);
    this.#removed.add(runId);
    return {
      putBack: () => this.#removed.delete(runId),
      finish: async () => {
        await this.#deps.store.remove(runId);
        this.#removed.delete(runId);
      },
    };
  }

  async #read(runId: string): Promise<StoredRun> {
    this.#refuseRemoved(runId);
    return (await this.#deps.store.read(runId)) ?? removed();
  }

  #refuseRemoved(runId: string): void {
    if (this.#removed.has(runId)) removed();
  }

  #refuseRunning(runId: string): void {
    if (this.#jobs.has(runId)) refuse('This query is already running.');
  }

  #refuseChanged({ source }: PreparedTarget): void {
    if (source.kind === 'endpoint' && source.asking !== this.#deps.asking())
      refuse('You’ve switched services since. Run the query again.');
  }

  #prepare(target: RunTarget): PreparedTarget {
    return prepareTarget(target, this.#deps.asking(), this.#deps.nodes());
  }

  #newRun({ target, baseUrl, searchText }: PreparedTarget): StoredRun {
    const { clock, random } = this.#deps;
    return {
      id: random.id(),
      target,
      baseUrl,
      headerNames: null,
      state: 'running',
      startedAtMs: clock.nowMs(),
      fetched: null,
      pageCount: 0,
      rowCount: null,
      byteLength: 0,
      hasMore: false,
      error: null,
      searchText: searchable(searchText),
      walk: writeWalk(beginWalk()),
    };
  }

  /** `first` resolves with the state after the job's first page; rejects when that could not be stored. */
  #begin(run: StoredRun, prepared: PreparedTarget, pages: 'one' | 'all'): { first: Promise<RunSummary> } {
    const abort = new AbortController();
    const { promise: first, resolve, reject } = Promise.withResolvers<RunSummary>();
    // When nobody awaits `first`, events report the job's progress.
    first.catch(() => undefined);
    this.#deps.emit('run.changed', summaryOf(run));
    const job: Job = { abort, run, done: Promise.resolve() };
    const mostPages = pages === 'all' ? (this.#deps.pagesAtOnce ?? pagesAtOnce) : 1;
    const work = fetchPages(this.#deps, run, prepared, mostPages, abort.signal, {
      onFirst: (index, decoded) => {
        this.#fresh = decoded === undefined ? null : { runId: run.id, index, decoded };
      },
      onSaved: (saved) => {
        job.run = saved;
        // The final state is published when the job has ended, so that listeners can start another one at once.
        if (saved.state !== 'running') return;
        this.#deps.emit('run.changed', summaryOf(saved));
        if (saved.pageCount > run.pageCount) resolve(summaryOf(saved));
      },
    });
    job.done = work.then(
      () => {
        this.#jobs.delete(run.id);
        this.#deps.emit('run.changed', summaryOf(job.run));
        resolve(summaryOf(job.run));
      },
      (cause: unknown) => {
        this.#jobs.delete(run.id);
        const error = errorOf(cause, this.#deps.log, 'runs.failed', 'The query failed unexpectedly.');
        this.#deps.emit('run.changed', { ...summaryOf(job.run), state: 'failed', error });
        reject(new AppFailure(error));
      },
    );
    this.#jobs.set(run.id, job);
    return { first };
  }

  /** A job's state is newer than the store's. Without a job nothing is running, even if a failed write left that. */
  #toSummary(stored: StoredRun): RunSummary {
    const job = this.#jobs.get(stored.id);
    if (job !== undefined) return summaryOf({ ...job.run, state: 'running' });
    return summaryOf(stored.state === 'running' ? { ...stored, state: 'partial' } : stored);
  }

  async #decodePage(run: StoredRun, stored: StoredRunPage): Promise<ReadRunPage> {
    const page = { ...stored, runId: run.id, unreadableTexts: [], oddTexts: [] };
    if (run.target.kind === 'node') {
      const { reader = readAtOnce } = this.#deps;
      return { ...page, data: await reader.body(page.rawText), rows: null };
    }
    const endpoint = findEndpoint(run.target.endpointId);
    if (endpoint === undefined) return asItCame(page, 'This version of the app doesn’t have this endpoint.');
    const decoded = await this.#decode(endpoint, run.id, page);
    if (!decoded.ok) return asItCame(page, decoded.error.message);
    const { data, unreadableItems } = decoded.value;
    const texts = elementTexts(endpoint, page, new Set(unreadableItems));
    const all = rowsOf(endpoint, data);
    if (all === null || page.repeatedRows.length === 0) return { ...page, ...texts, data, rows: all };
    const repeated = new Set(page.repeatedRows);
    const isNew = (_row: unknown, position: number) => !repeated.has(position);
    const rows = all.filter(isNew);
    const oddTexts = texts.oddTexts.filter(isNew);
    return { ...page, ...texts, oddTexts, data: withRows(endpoint, data, rows), rows };
  }

  async #decode(
    endpoint: EndpointDefinition,
    runId: string,
    { index, rawText }: Pick<StoredRunPage, 'index' | 'rawText'>,
  ): Promise<Result<DecodedPage>> {
    const fresh = this.#fresh;
    if (fresh?.runId !== runId || fresh.index !== index)
      return await (this.#deps.decode ?? decodeAtOnce)(endpoint, rawText);
    this.#fresh = null;
    return ok(fresh.decoded);
  }
}

/** A page that is not read as its endpoint says, for the reason given. */
function asItCame<Page extends StoredRunPage>(page: Page, why: string) {
  const notes = [...page.notes, `${why} The response is shown as received.`];
  return { ...page, data: parseExactJson(page.rawText), notes, rows: null };
}

function removed(): never {
  return notFound('This query is no longer stored.');
}

/** The part of a stored run that the window gets. */
const summaryOf = ({ searchText: _searchText, walk: _walk, ...summary }: StoredRun): RunSummary => summary;

/** In lower case, and without U+0000, which the store does not accept. */
const searchable = (text: string): string => text.toLowerCase().replaceAll('\0', '');

/** The elements that could not be read, and those of the others that lost a part, as they were received. */
function elementTexts(
  endpoint: EndpointDefinition,
  { rawText, notes }: Pick<StoredRunPage, 'rawText' | 'notes'>,
  unreadable: ReadonlySet<number>,
): Pick<ReadRunPage, 'unreadableTexts' | 'oddTexts'> {
  const itemsKey = endpoint.paging?.itemsKey;
  // Whatever is left out has a note.
  const isOfElement = (note: string) => note.startsWith(`${itemsKey}[`) || note === equalKeysNote;
  if (itemsKey === undefined || !notes.some(isOfElement)) return { unreadableTexts: [], oddTexts: [] };
  const texts = jsonElementTexts(rawText, itemsKey);
  const isOdd = (text: string) => {
    const alone = decodeAnswer(endpoint, `{${JSON.stringify(itemsKey)}:[${text}]}`);
    return !alone.ok || alone.value.notes.length > 0;
  };
  return {
    unreadableTexts: texts.filter((_text, position) => unreadable.has(position)),
    oddTexts: texts
      .filter((_text, position) => !unreadable.has(position))
      .map((text) => (isOdd(text) ? text : null)),
  };
}

function withRows(endpoint: EndpointDefinition, data: unknown, rows: readonly unknown[]): unknown {
  const itemsKey = endpoint.paging?.itemsKey;
  if (itemsKey === undefined || typeof data !== 'object') return data;
  return { ...data, [itemsKey]: rows };
}
