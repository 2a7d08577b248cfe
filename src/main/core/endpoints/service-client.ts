import { decodeAnswer, type DecodedAnswer } from '../../../shared/endpoints/decode-answer.ts';
import type { EndpointDefinition, ResponseOf } from '../../../shared/endpoints/define.ts';
import { errorFromAnswer } from '../../../shared/endpoints/error-answer.ts';
import { requestUrl } from '../../../shared/endpoints/request-url.ts';
import { err, ok, type AppError, type Result } from '../../../shared/errors.ts';
import type { ConnectionStatus } from '../../../shared/ipc/answers.ts';
import { rateLimitResetMs, retryAfterMs } from '../../../shared/retry-after.ts';
import { parseServiceUrl, type ServiceProfile } from '../../../shared/settings.ts';
import { createListeners, type Listeners } from '../listeners.ts';
import type { Clock, HttpClient, HttpOutcome, Random, Timers } from '../ports.ts';
import type { Priority } from './budget.ts';
import { retryDelayMs } from './retry.ts';
import type { Scheduler } from './scheduler.ts';

export interface ServiceClientDeps {
  http: HttpClient;
  scheduler: Scheduler;
  /** The header with the key, if there is one for this URL. */
  keyHeaders: (url: string, profile: ServiceProfile) => Promise<Record<string, string>>;
  profile: () => ServiceProfile;
  clock: Clock;
  timers: Timers;
  random: Random;
  /** Decodes a body; by default at once, on the calling thread. */
  decode?: DecodeAnswer;
}

export type DecodeAnswer = (endpoint: EndpointDefinition, text: string) => Promise<Result<DecodedAnswer>>;

export interface FetchOptions {
  priority: Priority;
  signal?: AbortSignal;
  /** How long the call may be held back by the service's limits before it is refused; by default what its urgency says. */
  mayWaitMs?: number;
  /** Whom to ask, when that must be the same service as a moment ago; by default the one that is set now. */
  profile?: ServiceProfile;
  /** Told of each exchange, retried ones included, when it has ended. */
  onExchange?: (exchange: Exchange) => void;
}

/** One exchange over HTTP, for the record: no header, no body. */
export interface Exchange {
  atMs: number;
  durationMs: number;
  /** Null when no answer arrived. */
  httpStatus: number | null;
  byteLength: number;
  /** Why it brought no body to decode; null for an answer with a status of 2xx. */
  error: AppError | null;
}

/** One decoded answer as it came from the service. */
export interface FetchedAnswer<T = unknown> extends DecodedAnswer<T> {
  /** Of the request, parameters included. */
  url: string;
  bodyText: string;
  fetchedAtMs: number;
  httpStatus: number;
  /** Of the exchange that brought it, without the wait for its turn. */
  durationMs: number;
  byteLength: number;
}

/** For the whole exchange; a list page of the public service takes well under a second. */
const timeoutMs = 30_000;

const maxBodyBytes = 32 * 1024 * 1024;

/** The user should rather see the reason than a spinner when the service wants no requests for longer than this. */
export const userMayWaitMs = 2_000;

/** The limits of a minute are waited for; of a longer ban the user is told. */
export const appMayWaitMs = 90_000;

/** Compute units of one call (service-and-node.md §4); a wrong guess only makes the app a little slower or the service say 429. */
export const costUnits = { data: 20, metrics: 100 } as const;

/**
 * Asks the service: URL, key, budget, exchange, retries, decoding. Knows nothing of stored answers. Publishes whether
 * the service can be reached.
 */
export class ServiceClient {
  readonly #deps: ServiceClientDeps;
  readonly #connectionChanges: Listeners<ConnectionStatus> = createListeners();
  #connection: ConnectionStatus = { state: 'unknown', lastAnswerAtMs: null, error: null };

  constructor(deps: ServiceClientDeps) {
    this.#deps = deps;
  }

  connection(): ConnectionStatus {
    return this.#connection;
  }

  /** Calls when the service begins or ceases to answer. Returns the function that ends it. */
  onConnectionChange(listener: (status: ConnectionStatus) => void): () => void {
    return this.#connectionChanges.add(listener);
  }

  /** What an earlier run of the app has stored from the service came at this time; the service was not asked yet. */
  rememberAnswer(atMs: number): void {
    if (this.#connection.lastAnswerAtMs !== null) return;
    this.#connection = { ...this.#connection, lastAnswerAtMs: atMs };
  }

  /** The profile has changed: nothing is known of the new service. */
  resetConnection(): void {
    this.#connection = { state: 'unknown', lastAnswerAtMs: null, error: null };
    this.#connectionChanges.emit(this.#connection);
  }

  /** The service that is set now. */
  profile(): ServiceProfile {
    return this.#deps.profile();
  }

  /** Fetches one answer; `params` have passed `checkParams`. Never throws for what the service or the network does. */
  async fetch<E extends EndpointDefinition>(
    endpoint: E,
    params: Readonly<Record<string, string>>,
    options: FetchOptions,
  ): Promise<Result<FetchedAnswer<ResponseOf<E>>>> {
    const profile = options.profile ?? this.#deps.profile();
    const url = requestUrl(endpoint, baseUrlOf(endpoint, profile), params);
    for (let attempt = 1; ; attempt += 1) {
      const sent = await this.#send(endpoint, url, profile, options);
      if (!sent.ok) return sent;
      const { outcome, exchange, answer } = sent.value;
      options.onExchange?.(exchange);
      const delayMs = retryDelayMs(outcome, options.priority, attempt, this.#deps.random.fraction());
      if (delayMs === null)
        return answer.ok ? await this.#read(endpoint, url, answer.value, exchange) : answer;
      if (!(await this.#pause(delayMs, options.signal))) {
        return err({ code: 'cancelled', message: 'The request was cancelled.' });
      }
    }
  }

  async #send(
    endpoint: EndpointDefinition,
    url: string,
    profile: ServiceProfile,
    options: FetchOptions,
  ): Promise<Result<Sent>> {
    const signal = options.signal === undefined ? {} : { signal: options.signal };
    const admitted = await this.#deps.scheduler.admit({
      origin: parseServiceUrl(baseUrlOf(endpoint, profile))?.origin ?? '',
      api: endpoint.api,
      costUnits: costUnits[endpoint.api],
      priority: options.priority,
      mayWaitMs: options.mayWaitMs ?? (options.priority === 'user' ? userMayWaitMs : appMayWaitMs),
      ...signal,
    });
    if (!admitted.ok) return admitted;
    const permit = admitted.value;
    try {
      // Asked for only now: while the call was waiting the key may have been replaced.
      const keyHeaders = await this.#deps.keyHeaders(url, profile);
      const { clock, http } = this.#deps;
      const atMs = clock.nowMs();
      const startedMs = clock.monotonicMs();
      const outcome = await http.send({
        method: 'GET',
        url,
        headers: { accept: 'application/json', ...keyHeaders },
        timeoutMs,
        maxBytes: maxBodyBytes,
        ...signal,
      });
      const durationMs = Math.round(clock.monotonicMs() - startedMs);
      const answer = answerOf(outcome, clock.nowMs(), Object.keys(keyHeaders).length > 0);
      const { status: httpStatus, byteLength } =
        outcome.kind === 'response' ? outcome : { status: null, byteLength: 0 };
      const exchange = { atMs, durationMs, httpStatus, byteLength, error: answer.ok ? null : answer.error };
      if (outcome.kind === 'response') {
        const resetMs = rateLimitResetMs(outcome.headers, clock.nowMs());
        permit.end({ ...outcome, resetMs, holdMs: this.#holdMs(outcome) });
      }
      this.#noteConnection(outcome);
      return ok({ outcome, exchange, answer });
    } finally {
      permit.end(null);
    }
  }

  /** How long the answer forbids further calls. */
  #holdMs(outcome: HttpAnswer): number | null {
    if (outcome.status === 429) {
      const error = errorFromAnswer(outcome, this.#deps.clock.nowMs());
      return error.code === 'rate-limited' ? error.retryAfterMs : null;
    }
    return outcome.status === 503 && outcome.headers['retry-after'] !== undefined
      ? retryAfterMs(outcome.headers, this.#deps.clock.nowMs())
      : null;
  }

  async #read<E extends EndpointDefinition>(
    endpoint: E,
    url: string,
    { status, body, byteLength }: HttpAnswer,
    { durationMs }: Exchange,
  ): Promise<Result<FetchedAnswer<ResponseOf<E>>>> {
    const fetchedAtMs = this.#deps.clock.nowMs();
    const decoded = await (this.#deps.decode ?? decodeAtOnce)(endpoint, body);
    if (!decoded.ok) return decoded;
    return ok({
      ...decoded.value,
      // The schema that belongs to the endpoint produced it; a decoder on another thread cannot carry the type.
      data: decoded.value.data as ResponseOf<E>,
      url,
      bodyText: body,
      fetchedAtMs,
      httpStatus: status,
      durationMs,
      byteLength,
    });
  }

  /** Waits before a retry; false when the call was cancelled meanwhile. */
  async #pause(delayMs: number, signal: AbortSignal | undefined): Promise<boolean> {
    if (signal?.aborted === true) return false;
    return await new Promise((resolve) => {
      const stop = (): void => {
        cancelTimer();
        resolve(false);
      };
      const cancelTimer = this.#deps.timers.after(delayMs, () => {
        signal?.removeEventListener('abort', stop);
        resolve(true);
      });
      signal?.addEventListener('abort', stop, { once: true });
    });
  }

  /** Any answer means that the service is there; a request that was cancelled says nothing. */
  #noteConnection(outcome: HttpOutcome): void {
    if (outcome.kind === 'failure' && outcome.reason === 'cancelled') return;
    const before = this.#connection;
    const reached = outcome.kind === 'response' || answeredThough.has(outcome.reason);
    this.#connection = reached
      ? { state: 'online', lastAnswerAtMs: this.#deps.clock.nowMs(), error: null }
      : { ...before, state: 'offline', error: errorFromFailure(outcome) };
    if (before.state !== this.#connection.state) this.#connectionChanges.emit(this.#connection);
  }
}

type HttpAnswer = HttpOutcome & { kind: 'response' };

interface Sent {
  outcome: HttpOutcome;
  exchange: Exchange;
  answer: Result<HttpAnswer>;
}

/** What the outcome of an exchange means: an answer with a status of 2xx, or an error. */
function answerOf(outcome: HttpOutcome, nowMs: number, hadKey: boolean): Result<HttpAnswer> {
  if (outcome.kind === 'failure') return err(errorFromFailure(outcome));
  if (outcome.status >= 200 && outcome.status <= 299) return ok(outcome);
  const error = errorFromAnswer(outcome, nowMs);
  return err(error.code === 'unauthorized' && !hadKey ? { ...error, code: 'no-secret' } : error);
}

/** Base URL of the interface that an endpoint belongs to. */
export function baseUrlOf(endpoint: EndpointDefinition, profile: ServiceProfile): string {
  return endpoint.api === 'data' ? profile.dataUrl : profile.metricsUrl;
}

/** Failures in which the service did answer. */
const answeredThough: ReadonlySet<string> = new Set(['too-large', 'redirect', 'bad-encoding']);

/** Decodes on the calling thread. */
export async function decodeAtOnce(
  endpoint: EndpointDefinition,
  text: string,
): Promise<Result<DecodedAnswer>> {
  return decodeAnswer(endpoint, text);
}

/** The error that a failed exchange stands for. */
function errorFromFailure(failure: HttpOutcome & { kind: 'failure' }): AppError {
  switch (failure.reason) {
    case 'timeout':
      return { code: 'timeout', message: failure.detail };
    case 'cancelled':
      return { code: 'cancelled', message: failure.detail };
    case 'too-large':
    case 'redirect':
    case 'bad-encoding':
      return { code: 'bad-response', message: failure.detail, issues: [] };
    case 'dns':
    case 'refused':
    case 'reset':
    case 'tls':
    case 'network':
      return { code: 'unreachable', message: failure.detail };
  }
}
