/**
 * The words with a node: asks it by GET or JSON-RPC and reads what it answers into a report with a state for each check, or
 * says why there is none. Nothing of an earlier answer is known here; uses no other room.
 */
import type { NodeRpcMethod } from '../../../../shared/health/node-calls.ts';
import type { Clock, HttpClient, Random } from '../../ports.ts';
import { withoutEcho } from '../../secrets/without-echo.ts';
import { classifyFailure } from './no-report.ts';
import { readRpcAnswer, rpcBody } from './node-rpc.ts';
import { bodyValue, readReport, reportedNodeId, type Reading } from './report.ts';

/** What a node, or what stands in its place, answered. */
export interface NodeAnswer {
  reading: Reading;
  /** Header `node-id`; null without one, and without an answer. */
  reportedNodeId: string | null;
  /** As it came, where something did. */
  httpStatus?: number;
  body?: string;
}

/** The record of an exchange; where nothing answered, status and length are 0 and the body is empty. */
export interface NodeExchange {
  atMs: number;
  durationMs: number;
  httpStatus: number;
  byteLength: number;
  body: string;
}

export interface AskPorts {
  http: HttpClient;
  clock: Clock;
  random: Random;
  /** Reads answers; by default at once, on the calling thread. */
  reader?: ReportReader;
}

/** Reads what a node answered, by GET or by JSON-RPC. Never rejects. */
export interface ReportReader {
  report(...answer: Parameters<typeof readReport>): Promise<Reading>;
  rpcReport(...answer: Parameters<typeof readRpcAnswer>): Promise<Reading>;
  /** The body of an answer as a value; null for one that is no JSON. */
  body(bodyText: string): Promise<unknown>;
}

export const readAtOnce: ReportReader = {
  report: async (...answer) => readReport(...answer),
  rpcReport: async (...answer) => readRpcAnswer(...answer),
  body: async (bodyText) => bodyValue(bodyText),
};

/** Where a node is asked, and with which extra headers. */
export interface NodeEndpoint {
  /** Base URL without trailing slash. */
  url: string;
  headers: Readonly<Record<string, string>>;
}

export interface AskLimits {
  /** For the whole exchange. */
  timeoutMs: number;
  signal: AbortSignal;
}

/** A real report has a few kilobytes. */
const largestBodyBytes = 8 * 1024 * 1024;

const accept = { accept: 'application/json' };

/** What a node is asked; `tags` narrow the answer to subnets. */
export interface Question {
  what: 'health' | 'readiness' | 'liveness';
  tags: readonly string[];
}

const everything: Question = { what: 'health', tags: [] };

/**
 * Asks a node by GET, the interface to monitor (specification A). Where only JSON-RPC is let through, which shows as 405, it
 * is asked by POST instead, within the same time limit.
 */
export async function askNode(
  ports: AskPorts,
  endpoint: NodeEndpoint,
  { timeoutMs, signal }: AskLimits,
  { what, tags }: Question = everything,
): Promise<NodeAnswer> {
  const startedMs = ports.clock.monotonicMs();
  const path = what === 'health' ? '/ext/health' : `/ext/health/${what}`;
  const answer = await callNode(ports, endpoint, { protocol: 'get', path }, tags, { timeoutMs, signal });
  const leftMs = timeoutMs - (ports.clock.monotonicMs() - startedMs);
  if (!refusesGet(answer.reading) || leftMs <= 0) return answer;
  const call = { protocol: 'rpc', method: `health.${what}` } as const;
  const byRpc = await callNode(ports, endpoint, call, tags, { timeoutMs: leftMs, signal });
  // If it does not work either, the first answer is the one that explains it.
  return byRpc.reading.kind === 'report' ? byRpc : answer;
}

type NodeRequest = { protocol: 'get'; path: string } | { protocol: 'rpc'; method: NodeRpcMethod };

/** One exchange with a node, with the record of it. */
export async function callNode(
  { http, clock, random, reader = readAtOnce }: AskPorts,
  { url, headers }: NodeEndpoint,
  call: NodeRequest,
  tags: readonly string[],
  limits: AskLimits,
): Promise<NodeAnswer & NodeExchange> {
  const query = tags.map((tag) => `tag=${encodeURIComponent(tag)}`).join('&');
  // Differs from call to call, so that an old answer out of somebody's cache is not taken for the node's.
  const rpcId = Math.floor(random.fraction() * 1e9);
  const atMs = clock.nowMs();
  const startedMs = clock.monotonicMs();
  const outcome = await withoutEcho(http).send({
    ...limits,
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
  const durationMs = Math.round(clock.monotonicMs() - startedMs);
  if (outcome.kind === 'failure') {
    const record = { atMs, durationMs, httpStatus: 0, byteLength: 0, body: '' };
    return { reading: classifyFailure(outcome), reportedNodeId: null, ...record };
  }
  const { status, headers: answered, body, byteLength } = outcome;
  const reading = await (call.protocol === 'get'
    ? reader.report(status, answered, body)
    : reader.rpcReport(status, answered, body, rpcId));
  const record = { atMs, durationMs, httpStatus: status, byteLength, body };
  return { reading, reportedNodeId: reportedNodeId(answered), ...record };
}

function refusesGet(reading: Reading): boolean {
  return reading.kind === 'no-report' && reading.error.code === 'upstream' && reading.error.status === 405;
}
