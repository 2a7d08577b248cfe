import type { EndpointDefinition } from '../../../shared/endpoints/define.ts';
import type { Attempt } from '../../../shared/explore/types.ts';
import { err, ok, type AppError, type Result } from '../../../shared/errors.ts';
import type { NodeCall } from '../../../shared/health/node-calls.ts';
import type { ServiceProfile } from '../../../shared/settings.ts';
import type { Priority } from '../endpoints/budget.ts';
import type { QueryEngine } from '../endpoints/query-engine.ts';
import {
  errorFromFailure,
  type Exchange,
  type FetchOptions,
  type ServiceClient,
} from '../endpoints/service-client.ts';
import { readAtOnce, type AskPorts } from '../health/ask/ask-node.ts';
import { rpcBody } from '../health/ask/node-rpc.ts';
import type { StoredRunPage } from '../ports.ts';

/** A page that has arrived and could be read. */
export interface ArrivedPage {
  page: Omit<StoredRunPage, 'index' | 'repeatedRows'>;
  /** Null for an answer that is not a list. */
  rows: readonly unknown[] | null;
  hasUnreadable: boolean;
  /** As the service gave it, followable or not. */
  nextToken: string | null;
}

/** What came of asking for one page, with every exchange that it took. */
export interface PageTry {
  result: Result<ArrivedPage>;
  attempts: Omit<Attempt, 'runId'>[];
}

export interface AskOptions {
  priority: Priority;
  signal: AbortSignal;
  onNextToken: NonNullable<FetchOptions['onNextToken']>;
}

/** The user should rather see the reason than a spinner when the service wants no requests for longer than this. */
const userMayWaitMs = 2_000;

/** Asks the service for one page; `params` have passed `checkParams`. The first page is kept as an answer too. */
export async function askService(
  deps: { service: ServiceClient; queries: QueryEngine },
  endpoint: EndpointDefinition,
  params: Readonly<Record<string, string>>,
  { priority, signal, profile, onNextToken }: AskOptions & { profile: ServiceProfile },
): Promise<PageTry> {
  const exchanges: Exchange[] = [];
  const options = {
    priority,
    signal,
    profile,
    mayWaitMs: priority === 'user' ? userMayWaitMs : Infinity,
    onExchange: (exchange: Exchange) => exchanges.push(exchange),
    onNextToken,
  };
  const pageToken = params['pageToken'] ?? null;
  const fetched =
    pageToken === null
      ? await deps.queries.fetch(endpoint, params, options)
      : await deps.service.fetch(endpoint, params, options);
  if (!fetched.ok)
    return { result: fetched, attempts: toAttempts(exchanges, pageToken, fetched.error, null) };
  const { data, notes, unreadableItems, bodyText, fetchedAtMs, httpStatus, durationMs, byteLength } =
    fetched.value;
  const arrived: ArrivedPage = {
    page: { rawText: bodyText, fetchedAtMs, httpStatus, durationMs, byteLength, notes },
    rows: rowsOf(endpoint, data),
    hasUnreadable: unreadableItems.length > 0,
    nextToken: nextTokenOf(data),
  };
  return { result: ok(arrived), attempts: toAttempts(exchanges, pageToken, null, arrived) };
}

/** The rows of a decoded list answer; null for an answer that is no list. */
export function rowsOf(endpoint: EndpointDefinition, data: unknown): readonly unknown[] | null {
  const rows = endpoint.paging === null ? null : fieldOf(data, endpoint.paging.itemsKey);
  return Array.isArray(rows) ? rows : null;
}

function nextTokenOf(data: unknown): string | null {
  const token = fieldOf(data, 'nextPageToken');
  return typeof token === 'string' && token !== '' ? token : null;
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}

/** All but the last exchange were retried, so only the last one can have brought the page. */
function toAttempts(
  exchanges: readonly Exchange[],
  pageToken: string | null,
  error: AppError | null,
  arrived: ArrivedPage | null,
): PageTry['attempts'] {
  return exchanges.map((exchange, index) => {
    const isLast = index === exchanges.length - 1;
    const problem = isLast ? error : exchange.error;
    const { atMs, durationMs, httpStatus, byteLength } = exchange;
    return {
      atMs,
      durationMs,
      httpStatus,
      byteLength,
      rowCount: isLast ? (arrived?.rows?.length ?? null) : null,
      outcome: problem === null ? 'ok' : problem.code,
      pageToken,
      nextPageToken: isLast ? (arrived?.nextToken ?? null) : null,
    };
  });
}

const nodeTimeoutMs = 15_000;

/** A real report has a few kilobytes. */
const largestReportBytes = 8 * 1024 * 1024;

/** Makes one call of a node. A report is an answer whatever it says of the node's health. */
export async function askNodeCall(
  { http, clock, random, reader = readAtOnce }: AskPorts,
  call: NodeCall,
  nodeUrl: string,
  tags: readonly string[],
  signal: AbortSignal,
): Promise<PageTry> {
  // Differs from call to call, so that an old answer out of somebody's cache is not taken for the node's.
  const rpcId = Math.floor(random.fraction() * 1e9);
  const query = tags.map((tag) => `tag=${encodeURIComponent(tag)}`).join('&');
  const atMs = clock.nowMs();
  const startedMs = clock.monotonicMs();
  const common = { timeoutMs: nodeTimeoutMs, maxBytes: largestReportBytes, signal };
  const accept = { accept: 'application/json' };
  const outcome =
    call.protocol === 'get'
      ? await http.send({
          ...common,
          method: 'GET',
          url: `${nodeUrl}${call.path}${query === '' ? '' : `?${query}`}`,
          headers: accept,
        })
      : await http.send({
          ...common,
          method: 'POST',
          url: `${nodeUrl}${call.path}`,
          headers: { ...accept, 'content-type': 'application/json' },
          body: rpcBody(call.method, tags, rpcId),
        });
  const durationMs = Math.round(clock.monotonicMs() - startedMs);
  const ended = (error: AppError | null, httpStatus: number | null, byteLength: number) => [
    {
      atMs,
      durationMs,
      httpStatus,
      byteLength,
      rowCount: null,
      outcome: error === null ? ('ok' as const) : error.code,
      pageToken: null,
      nextPageToken: null,
    },
  ];
  if (outcome.kind === 'failure') {
    const error = errorFromFailure(outcome);
    return { result: err(error), attempts: ended(error, null, 0) };
  }
  const { status, headers, body, byteLength } = outcome;
  const reading =
    call.protocol === 'get'
      ? await reader.report(status, headers, body)
      : await reader.rpcReport(status, headers, body, rpcId);
  if (reading.kind === 'no-report') {
    return { result: err(reading.error), attempts: ended(reading.error, status, byteLength) };
  }
  const page = {
    rawText: body,
    fetchedAtMs: clock.nowMs(),
    httpStatus: status,
    durationMs,
    byteLength,
    notes: reading.report.notes,
  };
  return {
    result: ok({ page, rows: null, hasUnreadable: false, nextToken: null }),
    attempts: ended(null, status, byteLength),
  };
}

/** The body of a node's answer, as `askNodeCall` accepted it. */
export async function decodeNodeBody(
  { reader = readAtOnce }: Pick<AskPorts, 'reader'>,
  bodyText: string,
): Promise<unknown> {
  return await reader.body(bodyText);
}
