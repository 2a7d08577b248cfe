import type { NodeRpcMethod } from '../../../../shared/health/node-calls.ts';
import type { HttpClient, Ports } from '../../ports.ts';
import { withoutEcho } from '../../secrets/without-echo.ts';
import { askedToWait, classifyFailure, errorOfNode, reportedNodeId } from './no-report.ts';
import { readRpcAnswer, rpcBody } from './node-rpc.ts';
import { bodyValue, readReport, type Reading } from './report.ts';

/** The response of the node, or of whatever answers at its address. */
export interface NodeAnswer {
  reading: Reading;
  /** From the response header `node-id`; null when it is missing or nothing answered. */
  reportedNodeId: string | null;
  /** Status and raw body; absent when nothing answered. */
  httpStatus?: number;
  body?: string;
  /** GET was refused, and JSON-RPC brought the report. */
  refusesGet?: true;
  /** When a report was asked for, if the computer slept meanwhile: it may be as old. */
  askedAtMs?: number;
}

export interface AskPorts extends Pick<Ports, 'clock' | 'random'> {
  http: HttpClient;
  /** Parses responses; by default synchronously, on the calling thread. */
  reader?: ReportReader;
}

/** Parses a node's response to a GET or JSON-RPC request. Never rejects. */
export const readAtOnce = {
  report: async (...answer: Parameters<typeof readReport>) => readReport(...answer),
  rpcReport: async (...answer: Parameters<typeof readRpcAnswer>) => readRpcAnswer(...answer),
  body: async (bodyText: string) => bodyValue(bodyText),
};

export type ReportReader = typeof readAtOnce;

/** What requests to a node need. */
export interface NodeAccess {
  headers: Readonly<Record<string, string>>;
  /** SHA-256 of the only certificate that is trusted; null for those that the authorities vouch for. */
  certificate?: string | null;
}

export interface NodeEndpoint extends NodeAccess {
  /** Base URL without trailing slash. */
  url: string;
}

interface AskLimits {
  /** For the whole request, from connecting to the end of the body. */
  timeoutMs: number;
  signal: AbortSignal;
}

/** Real reports have a few kilobytes. */
const largestBodyBytes = 8 * 1024 * 1024;

const accept = { accept: 'application/json' };

/** What to ask a node; `tags` restrict the report to subnets. */
export interface Question {
  what: 'health' | 'readiness' | 'liveness';
  tags: readonly string[];
  /** Only by JSON-RPC, because the node is known to refuse GET. */
  byRpc?: boolean;
}

/** Asks by GET (specification A); after a 405, as only JSON-RPC is let through, by POST, within the same time limit. */
export async function askNode(
  ports: AskPorts,
  endpoint: NodeEndpoint,
  { timeoutMs, signal }: AskLimits,
  { what, tags, byRpc = false }: Question,
): Promise<NodeAnswer> {
  const untilMs = ports.clock.monotonicMs() + timeoutMs;
  const path = what === 'health' ? '/ext/health' : `/ext/health/${what}`;
  const send = (request: NodeRequest, leftMs: number) =>
    callNode(ports, endpoint, request, tags, { timeoutMs: leftMs, signal });
  const call = { protocol: 'rpc', method: `health.${what}` } as const;
  if (byRpc) return await send(call, timeoutMs);
  const answer = await send({ protocol: 'get', path }, timeoutMs);
  const leftMs = untilMs - ports.clock.monotonicMs();
  if (answer.httpStatus !== 405 || leftMs <= 0) return answer;
  const second = await send(call, leftMs);
  // If JSON-RPC fails too, the response to GET explains the problem better.
  return second.reading.kind === 'report' ? { ...second, refusesGet: true } : answer;
}

type NodeRequest = { protocol: 'get'; path: string } | { protocol: 'rpc'; method: NodeRpcMethod };

/** Sends one request and parses the response; without one, status and length are 0 and the body is empty. */
export async function callNode(
  { http, clock, random, reader = readAtOnce }: AskPorts,
  { url, headers, certificate = null }: NodeEndpoint,
  call: NodeRequest,
  tags: readonly string[],
  limits: AskLimits,
) {
  const query = tags.map((tag) => `tag=${encodeURIComponent(tag)}`).join('&');
  // A new id for each call, so that a response from a cache is not taken for the node's.
  const rpcId = Math.floor(random.fraction() * 1e9);
  const atMs = clock.nowMs();
  const startedMs = clock.monotonicMs();
  const outcome = await withoutEcho(http).send({
    ...limits,
    certificate,
    maxBytes: largestBodyBytes,
    ...(call.protocol === 'get'
      ? {
          method: 'GET',
          url: `${url}${call.path}${query === '' ? '' : `?${query}`}`,
          headers: { ...headers, ...accept },
        }
      : {
          method: 'POST',
          url: `${url}/ext/health`,
          headers: { ...headers, ...accept, 'content-type': 'application/json' },
          body: rpcBody(call.method, tags, rpcId),
        }),
  });
  const sent = { atMs, durationMs: Math.round(clock.monotonicMs() - startedMs) };
  if (outcome.kind === 'failure') {
    const nothing = { reportedNodeId: null, httpStatus: 0, byteLength: 0, body: '' };
    return { ...sent, ...nothing, reading: classifyFailure(outcome) };
  }
  const { status, headers: answered, body, byteLength } = outcome;
  const read = (): Promise<Reading> =>
    call.protocol === 'get' ? reader.report(status, body) : reader.rpcReport(status, body, rpcId);
  const named = reportedNodeId(answered);
  const given = status === 429 ? askedToWait(answered, clock.nowMs()) : await read();
  const reading = named !== null && given.state === 'unreachable' ? errorOfNode(status) : given;
  return { ...sent, reading, reportedNodeId: named, httpStatus: status, byteLength, body };
}
