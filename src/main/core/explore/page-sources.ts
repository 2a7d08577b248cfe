import type { EndpointDefinition } from '../../../shared/endpoints/define.ts';
import type { Attempt } from '../../../shared/explore/types.ts';
import { err, ok, type AppError, type Result } from '../../../shared/errors.ts';
import type { NodeCall } from '../../../shared/health/node-calls.ts';
import { callNode, type AskPorts, type NodeEndpoint } from '../health/ask/ask-node.ts';
import type { Exchange, FetchedAnswer, FetchOptions } from '../endpoints/service-client.ts';
import type { StoredRunPage } from '../ports.ts';
import type { Asking } from './run-target.ts';

export type DecodedPage = Pick<FetchedAnswer, 'data' | 'unreadableItems'>;

/** A page that was received and decoded. */
export interface ArrivedPage {
  page: Omit<StoredRunPage, 'index' | 'repeatedRows'>;
  /** The decoded body; undefined for a node's response. */
  decoded?: DecodedPage;
  /** Null for an answer that is not a list. */
  rows: readonly unknown[] | null;
  /** As the service sent it, even where the endpoint takes no token. */
  nextToken: string | null;
}

/** The result of requesting one page, with the records of all attempts. */
export interface PageTry {
  result: Result<ArrivedPage>;
  attempts: Omit<Attempt, 'runId'>[];
  /** Headers with secrets that were sent; null when nothing was sent. */
  headerNames: string[] | null;
}

/**
 * Requests one page from the service; `params` have passed `checkParams`. An answer that is not a list is also stored
 * as an answer of its own; a list only in the pages of its run.
 */
export async function askService(
  { service, queries }: Asking,
  endpoint: EndpointDefinition,
  params: Readonly<Record<string, string>>,
  options: Omit<FetchOptions, 'profile'> & Required<Pick<FetchOptions, 'profile'>>,
): Promise<PageTry> {
  const exchanges: Exchange[] = [];
  const observed = { ...options, onExchange: (exchange: Exchange) => exchanges.push(exchange) };
  const pageToken = params['pageToken'] ?? null;
  const fetched =
    endpoint.paging === null
      ? await queries.fetch(endpoint, params, observed)
      : await service.fetch(endpoint, params, observed);
  const result = fetched.ok ? ok(arrivedOf(endpoint, fetched.value)) : fetched;
  // All exchanges but the last were retried, so only the last one can have a page.
  const attempts = exchanges.map((exchange, index) =>
    index < exchanges.length - 1
      ? attemptOf(exchange, exchange.error, pageToken, null)
      : attemptOf(exchange, result.ok ? null : result.error, pageToken, result.ok ? result.value : null),
  );
  return { result, attempts, headerNames: exchanges.at(-1)?.headerNames ?? null };
}

function arrivedOf(endpoint: EndpointDefinition, answer: FetchedAnswer): ArrivedPage {
  const { data, notes, unreadableItems, bodyText, fetchedAtMs, httpStatus, durationMs, byteLength } = answer;
  const token = fieldOf(data, 'nextPageToken');
  return {
    page: { rawText: bodyText, fetchedAtMs, httpStatus, durationMs, byteLength, notes },
    decoded: { data, unreadableItems },
    rows: rowsOf(endpoint, data),
    nextToken: typeof token === 'string' && token !== '' ? token : null,
  };
}

export function rowsOf(endpoint: EndpointDefinition, data: unknown): readonly unknown[] | null {
  const rows = endpoint.paging === null ? null : fieldOf(data, endpoint.paging.itemsKey);
  return Array.isArray(rows) ? rows : null;
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}

function attemptOf(
  { atMs, durationMs, httpStatus, byteLength }: Omit<Exchange, 'error' | 'headerNames'>,
  error: AppError | null,
  pageToken: string | null,
  arrived: ArrivedPage | null,
): PageTry['attempts'][number] {
  return {
    atMs,
    durationMs,
    httpStatus: httpStatus === 0 ? null : httpStatus,
    byteLength,
    rowCount: arrived?.rows?.length ?? null,
    outcome: error === null ? 'ok' : error.code,
    pageToken,
    nextPageToken: arrived?.nextToken ?? null,
  };
}

const nodeTimeoutMs = 15_000;

/** Makes one call to a node. Any report is a success, whatever it says of the node's health. */
export async function askNodeCall(
  ports: AskPorts,
  call: NodeCall,
  node: NodeEndpoint,
  tags: readonly string[],
  signal: AbortSignal,
): Promise<PageTry> {
  const answer = await callNode(ports, node, call, tags, { timeoutMs: nodeTimeoutMs, signal });
  const { reading, body, httpStatus, durationMs, byteLength } = answer;
  const error = reading.kind === 'no-report' ? reading.error : null;
  const asked = { attempts: [attemptOf(answer, error, null, null)], headerNames: Object.keys(node.headers) };
  if (reading.kind === 'no-report') return { result: err(reading.error), ...asked };
  const { notes } = reading.report;
  const fetchedAtMs = ports.clock.nowMs();
  const page = { rawText: body, fetchedAtMs, httpStatus, durationMs, byteLength, notes };
  return { result: ok({ page, rows: null, nextToken: null }), ...asked };
}
