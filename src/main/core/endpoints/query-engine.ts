import { checkParams } from '../../../shared/endpoints/check-params.ts';
import type { DecodedAnswer } from '../../../shared/endpoints/decode-answer.ts';
import type { EndpointDefinition } from '../../../shared/endpoints/define.ts';
import { findEndpoint, type EndpointId, type ResponseById } from '../../../shared/endpoints/registry.ts';
import { cacheKey, canonicalParams } from '../../../shared/endpoints/request-url.ts';
import { err, errorOf, ok, type AppError, type Result } from '../../../shared/errors.ts';
import type { QueryResult } from '../../../shared/ipc/answers.ts';
import type { EndpointQuery } from '../../../shared/ipc/contract.ts';
import type { ServiceProfile } from '../../../shared/settings.ts';
import { isYounger } from '../age.ts';
import { createListeners, type Listeners } from '../listeners.ts';
import type { AnswerStore, Ports, StoredAnswer } from '../ports.ts';
import { cancelled } from './scheduler.ts';
import { mostPagesUnasked, refreshPages, storedPages, type LookedUpList } from './stored-list.ts';
import {
  baseUrlOf,
  decodeAtOnce,
  type DecodeAnswer,
  type FetchedAnswer,
  type FetchOptions,
  type ServiceClient,
} from './service-client.ts';

export interface QueryEngineDeps extends Pick<Ports, 'clock' | 'log'> {
  service: ServiceClient;
  answers: Pick<AnswerStore, 'read' | 'write' | 'replace'>;
  /** Decodes a stored body; by default synchronously, on the calling thread. */
  decode?: DecodeAnswer;
}

/** A query as received: id and parameters are not validated yet. */
export interface Query extends Omit<EndpointQuery, 'endpointId' | 'params'> {
  endpointId: string;
  params: unknown;
}

/** An answer that was just received from the service. */
export interface AnswerArrived extends Pick<FetchedAnswer, 'data' | 'notes' | 'bodyText' | 'fetchedAtMs'> {
  endpointId: string;
  params: Readonly<Record<string, string>>;
}

type AnyResponse = ResponseById[EndpointId];

interface Flight {
  answer: Promise<Result<FetchedAnswer>>;
  abort: AbortController;
  waiting: number;
}

/**
 * Answers queries from the store or the service: the only place that decides between them. An answer is stored only
 * after it was decoded, so that a malformed one never replaces a good one.
 */
export class QueryEngine {
  readonly #deps: QueryEngineDeps;
  readonly #flights = new Map<string, Flight>();
  readonly #cancels = new Map<string, Set<AbortController>>();
  readonly #arrivals: Listeners<AnswerArrived> = createListeners();

  constructor(deps: QueryEngineDeps) {
    this.#deps = deps;
  }

  /** Calls the listener with each decoded answer from the service. Returns the function that removes it. */
  readonly onAnswer = this.#arrivals.add;

  /**
   * When the service does not answer, the stored answer is returned, with the reason in `refreshError`. `not-found`
   * when only the store may be asked and has none.
   */
  async query(query: Query): Promise<Result<QueryResult<AnyResponse>>> {
    const own = new AbortController();
    const all = this.#cancels.get(query.requestId) ?? new Set();
    this.#cancels.set(query.requestId, all.add(own));
    try {
      return await this.#answer(query, own.signal);
    } finally {
      all.delete(own);
      if (all.size === 0) this.#cancels.delete(query.requestId);
    }
  }

  async #answer(query: Query, signal: AbortSignal): Promise<Result<QueryResult<AnyResponse>>> {
    const endpoint = findEndpoint(query.endpointId);
    if (endpoint === undefined) {
      const message = 'This endpoint doesn’t exist.';
      return err({ code: 'invalid-params', message, issues: [message] });
    }
    const checked = checkParams(endpoint, query.params);
    if (!checked.ok) return checked;
    const params = checked.value;
    // Read once: an answer of another service must not be stored under this key.
    const profile = this.#deps.service.profile();
    const list = { endpoint, service: baseUrlOf(endpoint, profile), params };
    const key = cacheKey(endpoint, list.service, params);
    const stored = await this.#readStored(endpoint, key);
    const known = stored.ok ? stored.value : null;
    const storeNotes = stored.ok ? [] : [`Couldn’t read the store: ${stored.error.message}`];
    if (query.refresh === 'cached') {
      if (!stored.ok) return stored;
      return known === null
        ? err({ code: 'not-found', message: 'Nothing is stored for this request.' })
        : ok(this.#fromStore(endpoint, known, query.includeRaw));
    }
    if (query.refresh === 'if-stale' && known !== null && this.#isFresh(endpoint, known.answer.fetchedAtMs))
      return ok(this.#fromStore(endpoint, known, query.includeRaw));
    const isAsked = query.refresh === 'always';
    const most = isAsked ? Infinity : mostPagesUnasked + 1;
    const pages = await this.#storedPages(list, known?.answer ?? null, most);
    if (!isAsked && known !== null && pages.length > mostPagesUnasked)
      return ok(this.#fromStore(endpoint, known, query.includeRaw));
    const request = { ...list, pages, key, profile, isAsked };
    const fetched = await this.#joinFlight(request, signal);
    if (fetched.ok) {
      const { data, notes, bodyText, fetchedAtMs } = fetched.value;
      return ok({
        data: asAnswer(data),
        fetchedAtMs,
        source: 'network',
        stale: false,
        notes: [...notes, ...storeNotes],
        ...(query.includeRaw ? { rawText: bodyText } : {}),
      });
    }
    if (known === null || fetched.error.code === 'cancelled') return fetched;
    return ok({ ...this.#fromStore(endpoint, known, query.includeRaw), refreshError: fetched.error });
  }

  /** Cancels the queries with this id; they end as `cancelled`. A request that others also wait for goes on. */
  cancel(requestId: string): void {
    for (const query of this.#cancels.get(requestId) ?? []) query.abort();
  }

  async #joinFlight(request: CheckedRequest, signal: AbortSignal): Promise<Result<FetchedAnswer>> {
    // While the store was read.
    if (signal.aborted) return cancelled;
    const { key } = request;
    let flight = this.#flights.get(key);
    if (flight === undefined) {
      const abort = new AbortController();
      const answer = this.#fetchAndStore(request, abort.signal).finally(() => {
        if (this.#flights.get(key)?.abort === abort) this.#flights.delete(key);
      });
      flight = { answer, abort, waiting: 0 };
      this.#flights.set(key, flight);
    }
    flight.waiting += 1;
    const cancelling = new Promise<Result<never>>((resolve) => {
      signal.addEventListener('abort', () => resolve(cancelled));
    });
    try {
      return await Promise.race([flight.answer, cancelling]);
    } finally {
      flight.waiting -= 1;
      // A request that is being cancelled must not be joined any more.
      if (flight.waiting === 0 && this.#flights.get(key) === flight) this.#flights.delete(key);
      if (flight.waiting === 0) flight.abort.abort();
    }
  }

  async #fetchAndStore(request: CheckedRequest, signal: AbortSignal): Promise<Result<FetchedAnswer>> {
    const { endpoint, params, profile, pages, isAsked } = request;
    const options = { priority: 'user' as const, signal, profile };
    if (pages.length < 2) return await this.fetch(endpoint, params, options);
    const { answers, service } = this.#deps;
    // All that the user asks for may be more calls than a minute allows; the first shows whether it works.
    const ofOthers = isAsked ? { ...options, priority: 'completion' as const, mayWaitMs: Infinity } : options;
    const refreshed = await refreshPages(request, pages, (of) =>
      service.fetch(endpoint, of, of['pageToken'] === undefined ? options : ofOthers),
    );
    if (!refreshed.ok) return refreshed;
    const { first, fresh, superseded } = refreshed.value;
    return await this.#kept(first, () => answers.replace(fresh, superseded));
  }

  /** The stored pages of the list whose first page this is, `most` at most; none of something else. */
  async #storedPages(list: LookedUpList, first: StoredAnswer | null, most: number): Promise<StoredAnswer[]> {
    if (first === null || list.endpoint.paging === null || list.params['pageToken'] !== undefined) return [];
    try {
      return await storedPages(this.#deps.answers, list, first, most);
    } catch (cause) {
      this.#storeError('answers.read-failed', cause);
      return [];
    }
  }

  /**
   * Always asks the service, stores the answer and notifies the listeners. `params` have passed `checkParams`. For
   * callers that keep their own record of the request, in place of `query`.
   */
  async fetch(
    endpoint: EndpointDefinition,
    params: Readonly<Record<string, string>>,
    options: FetchOptions & { profile: ServiceProfile },
  ): Promise<Result<FetchedAnswer>> {
    const fetched = await this.#deps.service.fetch(endpoint, params, options);
    if (!fetched.ok) return fetched;
    const { data, notes, bodyText, fetchedAtMs } = fetched.value;
    const kept = await this.#kept(fetched.value, () =>
      this.#deps.answers.write({
        key: cacheKey(endpoint, baseUrlOf(endpoint, options.profile), params),
        endpointId: endpoint.id,
        paramsJson: canonicalParams(params),
        bodyText,
        fetchedAtMs,
      }),
    );
    this.#arrivals.emit({ endpointId: endpoint.id, params, data, notes, bodyText, fetchedAtMs });
    return kept;
  }

  /** The answer, with a note where the store refuses it. */
  async #kept(answer: FetchedAnswer, write: () => Promise<void>): Promise<Result<FetchedAnswer>> {
    try {
      await write();
      return ok(answer);
    } catch (cause) {
      const { message } = this.#storeError('answers.write-failed', cause);
      return ok({ ...answer, notes: [...answer.notes, `Couldn’t save the response for later: ${message}`] });
    }
  }

  async #readStored(endpoint: EndpointDefinition, key: string): Promise<Result<StoredDecoded | null>> {
    try {
      const answer = await this.#deps.answers.read(key);
      if (answer === null) return ok(null);
      const decoded = await (this.#deps.decode ?? decodeAtOnce)(endpoint, answer.bodyText);
      // Stored by an older version with another schema: treated as not stored.
      if (!decoded.ok) this.#deps.log.warn('answers.unreadable', { endpointId: endpoint.id });
      return ok(decoded.ok ? { answer, decoded: decoded.value } : null);
    } catch (cause) {
      return err(this.#storeError('answers.read-failed', cause));
    }
  }

  #storeError(event: string, cause: unknown): AppError {
    return errorOf(cause, this.#deps.log, event, 'The local store failed unexpectedly.');
  }

  #fromStore(
    endpoint: EndpointDefinition,
    known: StoredDecoded,
    includeRaw: boolean,
  ): QueryResult<AnyResponse> {
    const { answer, decoded } = known;
    return {
      data: asAnswer(decoded.data),
      fetchedAtMs: answer.fetchedAtMs,
      source: 'cache',
      stale: !this.#isFresh(endpoint, answer.fetchedAtMs),
      notes: decoded.notes,
      ...(includeRaw ? { rawText: answer.bodyText } : {}),
    };
  }

  #isFresh(endpoint: EndpointDefinition, fetchedAtMs: number): boolean {
    return isYounger(fetchedAtMs, this.#deps.clock.nowMs(), endpoint.freshForMs);
  }
}

/** A query whose id and parameters are valid. */
interface CheckedRequest extends LookedUpList {
  /** The stored pages, of a list that is asked for from its beginning. */
  pages: readonly StoredAnswer[];
  key: string;
  profile: ServiceProfile;
  /** The user wants what the service has now, whatever is stored. */
  isAsked: boolean;
}

interface StoredDecoded {
  answer: StoredAnswer;
  decoded: DecodedAnswer;
}

function asAnswer(data: unknown): AnyResponse {
  // The data was decoded with the schema of the endpoint with this id.
  return data as AnyResponse;
}
