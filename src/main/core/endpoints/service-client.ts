import { decodeAnswer, type DecodedAnswer } from '../../../shared/endpoints/decode-answer.ts';
import { costUnits, type EndpointDefinition, type ResponseOf } from '../../../shared/endpoints/define.ts';
import { errorFromAnswer } from '../../../shared/endpoints/error-answer.ts';
import { requestUrl } from '../../../shared/endpoints/request-url.ts';
import { err, ok, type AppError, type Result } from '../../../shared/errors.ts';
import type { ConnectionStatus } from '../../../shared/ipc/answers.ts';
import { holdAfterMs, rateLimitResetMs, retryAfterMs } from '../../../shared/retry-after.ts';
import { originOf, type ServiceProfile } from '../../../shared/settings.ts';
import { createListeners, type Listeners } from '../listeners.ts';
import type { HttpClient, HttpFailed, HttpOutcome, Ports } from '../ports.ts';
import type { Priority } from './budget.ts';
import { retryDelayMs } from './retry.ts';
import { cancelled, type Scheduler } from './scheduler.ts';

export interface ServiceClientDeps extends Pick<Ports, 'clock' | 'timers' | 'random'> {
  http: HttpClient;
  scheduler: Scheduler;
  /** The header with the API key, if there is a key for this URL. */
  keyHeaders: (url: string, profile: ServiceProfile) => Promise<Record<string, string>>;
  profile: () => ServiceProfile;
  /** Once it has ended, nothing is sent any more; what is under way is cancelled by who asked. */
  life?: AbortSignal;
  /** Why the user has switched off requests to an interface; null, the default, when they are allowed. */
  offReason?: (api: EndpointDefinition['api']) => string | null;
  /** Decodes a body; by default synchronously, on the calling thread. */
  decode?: DecodeAnswer;
}

export type DecodeAnswer = (endpoint: EndpointDefinition, text: string) => Promise<Result<DecodedAnswer>>;

export interface FetchOptions {
  priority: Priority;
  signal?: AbortSignal;
  /** Longest wait for the rate limit before the call is refused; the default depends on its priority. */
  mayWaitMs?: number;
  /** The service to ask, where it must be the same one as before; by default the configured one. */
  profile?: ServiceProfile;
  /** Called after each HTTP exchange, including retried ones. */
  onExchange?: (exchange: Exchange) => void;
}

/** Record of one HTTP exchange, without headers and body. */
export interface Exchange {
  atMs: number;
  durationMs: number;
  /** Null when there was no response. */
  httpStatus: number | null;
  byteLength: number;
  /** The header with the key, if it was sent. */
  headerNames: string[];
  /** Why there is no body to decode; null for a 2xx response. */
  error: AppError | null;
}

/** A decoded response of the service. */
export interface FetchedAnswer<T = unknown> extends DecodedAnswer<T> {
  /** Of the request, with its parameters. */
  url: string;
  bodyText: string;
  fetchedAtMs: number;
  httpStatus: number;
  /** Of the HTTP exchange, without the time in the queue. */
  durationMs: number;
  byteLength: number;
}

/** For a whole request; the public service sends a page of a list in well under a second. */
const timeoutMs = 30_000;

const maxBodyBytes = 32 * 1024 * 1024;

/** If the service allows no requests for longer than this, the user should see why rather than a spinner. */
export const userMayWaitMs = 2_000;

/** Long enough for a limit per minute to pass; longer holds are reported to the user. */
export const appMayWaitMs = 90_000;

/** Sends requests to the service, and publishes whether it can be reached. Does not access the store. */
export class ServiceClient {
  readonly #deps: ServiceClientDeps;
  readonly #connectionChanges: Listeners<ConnectionStatus> = createListeners();
  #connection: ConnectionStatus;
  /** The last answer that says something of the key refused it. */
  #refusal: AppError | null = null;
  /** How often the key has changed: an answer to a request with one before says nothing of this one. */
  #keyNumber = 0;

  constructor(deps: ServiceClientDeps) {
    this.#deps = deps;
    this.#connection = this.#notAsked(null);
  }

  connection(): ConnectionStatus {
    return this.#connection;
  }

  /** Calls the listener when the service starts or stops answering, or refuses the key or takes it. */
  readonly onConnectionChange = this.#connectionChanges.add;

  /** Sets when the service last answered, from stored data, until it is asked for the first time. */
  rememberAnswer(atMs: number): void {
    if (this.#connection.lastAnswerAtMs !== null) return;
    this.#connection = { ...this.#connection, lastAnswerAtMs: atMs };
  }

  /** Another service is configured, of which nothing is known yet. */
  resetConnection(): void {
    this.#keyNumber += 1;
    this.#refusal = null;
    this.#connection = this.#notAsked(null);
    this.#connectionChanges.emit(this.#connection);
  }

  /** Requests are sent with another key, or none: that the one before was refused is over. */
  keyChanged(): void {
    this.#keyNumber += 1;
    this.#refusal = null;
    if (this.#connection.error?.code !== 'unauthorized') return;
    this.#connection = { ...this.#connection, error: null };
    this.#connectionChanges.emit(this.#connection);
  }

  switched(): void {
    this.#connection = this.#notAsked(this.#connection.lastAnswerAtMs);
    this.#connectionChanges.emit(this.#connection);
  }

  #notAsked(lastAnswerAtMs: number | null): ConnectionStatus {
    const isOff = this.#offReason('data') !== null;
    return { state: isOff ? 'off' : 'unknown', lastAnswerAtMs, error: null };
  }

  #offReason(api: EndpointDefinition['api']): string | null {
    return this.#deps.offReason?.(api) ?? null;
  }

  profile(): ServiceProfile {
    return this.#deps.profile();
  }

  /** Fetches one answer; `params` have passed `checkParams`. Returns errors of the service or the network. */
  async fetch<E extends EndpointDefinition>(
    endpoint: E,
    params: Readonly<Record<string, string>>,
    options: FetchOptions,
  ): Promise<Result<FetchedAnswer<ResponseOf<E>>>> {
    const profile = options.profile ?? this.#deps.profile();
    const url = requestUrl(endpoint, baseUrlOf(endpoint, profile), params);
    for (let attempt = 1; ; attempt += 1) {
      const sent = await this.#send(endpoint, url, params['chainId'], profile, options);
      if (!sent.ok) return sent;
      const { outcome, exchange, answer } = sent.value;
      options.onExchange?.(exchange);
      const delayMs = retryDelayMs(outcome, options.priority, attempt, this.#deps.random.fraction());
      if (delayMs === null)
        return answer.ok ? await this.#read(endpoint, url, answer.value, exchange) : answer;
      if (!(await this.#pause(delayMs, options.signal))) return cancelled;
    }
  }

  async #send(
    endpoint: EndpointDefinition,
    url: string,
    chainId: string | undefined,
    profile: ServiceProfile,
    options: FetchOptions,
  ): Promise<Result<{ outcome: HttpOutcome; exchange: Exchange; answer: Result<HttpAnswer> }>> {
    const message = this.#offReason(endpoint.api);
    if (message !== null) return err({ code: 'not-allowed', message });
    const signal = options.signal === undefined ? {} : { signal: options.signal };
    const admitted = await this.#deps.scheduler.admit({
      origin: originOf(baseUrlOf(endpoint, profile)),
      chainId,
      api: endpoint.api,
      costUnits: costUnits[endpoint.api],
      priority: options.priority,
      mayWaitMs: options.mayWaitMs ?? (options.priority === 'user' ? userMayWaitMs : appMayWaitMs),
      ...signal,
    });
    if (!admitted.ok) return admitted;
    const permit = admitted.value;
    try {
      // Read only now: the key may have been replaced while the call was queued.
      const keyHeaders = await this.#deps.keyHeaders(url, profile);
      const keyNumber = this.#keyNumber;
      const { clock, http, life } = this.#deps;
      if (life?.aborted === true) return cancelled;
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
      const headerNames = Object.keys(keyHeaders);
      const answer = answerOf(outcome, clock.nowMs(), headerNames.length > 0);
      const { status: httpStatus, byteLength } =
        outcome.kind === 'response' ? outcome : { status: null, byteLength: 0 };
      const error = answer.ok ? null : answer.error;
      const exchange = { atMs, durationMs, httpStatus, byteLength, headerNames, error };
      if (outcome.kind === 'response') {
        const resetMs = rateLimitResetMs(outcome.headers, clock.nowMs());
        permit.end({ ...outcome, resetMs, holdMs: this.#holdMs(outcome) });
      }
      if (endpoint.api === 'data')
        this.#noteConnection(outcome, keyNumber === this.#keyNumber ? error : null);
      return ok({ outcome, exchange, answer });
    } finally {
      permit.end(null);
    }
  }

  /** How long the response says to send no further calls. */
  #holdMs(outcome: HttpAnswer): number | null {
    if (outcome.status === 429) return holdAfterMs(outcome.headers, this.#deps.clock.nowMs());
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
      // The endpoint's schema produced it; a decoder on another thread cannot convey the type.
      data: decoded.value.data as ResponseOf<E>,
      url,
      bodyText: body,
      fetchedAtMs,
      httpStatus: status,
      durationMs,
      byteLength,
    });
  }

  /** Waits before a retry; false when the call was cancelled in the meantime. */
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

  /**
   * Any response to a request for chain data means that the service is reachable; metrics may have a host of their own,
   * and need no key. A cancelled or unsent request says nothing.
   */
  #noteConnection(outcome: HttpOutcome, error: AppError | null): void {
    if (outcome.kind === 'failure' && (outcome.reason === 'cancelled' || outcome.reason === 'not-allowed'))
      return;
    // A response to a request sent before requests were switched off.
    if (this.#connection.state === 'off') return;
    if (error?.code === 'unauthorized') this.#refusal = error;
    else if (outcome.kind === 'response' && outcome.status < 500 && outcome.status !== 429)
      this.#refusal = null;
    const before = this.#connection;
    const reached = outcome.kind === 'response' || answeredThough.has(outcome.reason);
    this.#connection = reached
      ? { state: 'online', lastAnswerAtMs: this.#deps.clock.nowMs(), error: this.#refusal }
      : { ...before, state: 'offline', error: errorFromFailure(outcome) };
    const isNews =
      before.state !== this.#connection.state || (reached && before.error?.code !== this.#refusal?.code);
    if (isNews) this.#connectionChanges.emit(this.#connection);
  }
}

type HttpAnswer = HttpOutcome & { kind: 'response' };

/** Converts the outcome of an exchange: a 2xx response, or an error. */
function answerOf(outcome: HttpOutcome, nowMs: number, hadKey: boolean): Result<HttpAnswer> {
  if (outcome.kind === 'failure') return err(errorFromFailure(outcome));
  if (outcome.status >= 200 && outcome.status <= 299) return ok(outcome);
  const error = errorFromAnswer(outcome, nowMs);
  return err(error.code === 'unauthorized' && !hadKey ? { ...error, code: 'no-secret' } : error);
}

export const baseUrlOf = (endpoint: EndpointDefinition, profile: ServiceProfile): string =>
  endpoint.api === 'data' ? profile.dataUrl : profile.metricsUrl;

/** Failures after the service did respond. */
const answeredThough: ReadonlySet<string> = new Set(['too-large', 'redirect', 'bad-encoding']);

export async function decodeAtOnce(
  endpoint: EndpointDefinition,
  text: string,
): Promise<Result<DecodedAnswer>> {
  return decodeAnswer(endpoint, text);
}

function errorFromFailure(failure: HttpFailed): AppError {
  switch (failure.reason) {
    case 'timeout':
    case 'cancelled':
    case 'not-allowed':
    case 'proxy':
      return { code: failure.reason, message: failure.detail };
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
