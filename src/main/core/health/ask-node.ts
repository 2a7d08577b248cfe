import type { Clock, HttpClient, HttpOutcome, Random } from '../ports.ts';
import { classifyFailure } from './no-report.ts';
import { readRpcAnswer, rpcBody } from './node-rpc.ts';
import { readReport, reportedNodeId, type Reading } from './report.ts';

/** What a node, or what stands in its place, answered. */
export interface NodeAnswer {
  reading: Reading;
  /** Header `node-id`; null without one, and without an answer. */
  reportedNodeId: string | null;
}

/** A real report has a few kilobytes. */
const largestBodyBytes = 8 * 1024 * 1024;

/**
 * Asks a node for its health by GET, the interface to monitor (specification A). Where only JSON-RPC is let through, which
 * shows as 405, it is asked by POST instead, within the same time limit.
 */
export async function askNode(
  { http, clock, random }: { http: HttpClient; clock: Clock; random: Random },
  baseUrl: string,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<NodeAnswer> {
  const startedMs = clock.monotonicMs();
  const url = `${baseUrl}/ext/health`;
  const headers = { accept: 'application/json' };
  const exchange = { url, maxBytes: largestBodyBytes, signal };
  const answer = toAnswer(await http.send({ ...exchange, method: 'GET', headers, timeoutMs }), readReport);
  const leftMs = timeoutMs - (clock.monotonicMs() - startedMs);
  if (!refusesGet(answer.reading) || leftMs <= 0) return answer;
  // Differs from call to call, so that an old answer out of somebody's cache is not taken for the node's.
  const rpcId = Math.floor(random.fraction() * 1e9);
  const byRpc = toAnswer(
    await http.send({
      ...exchange,
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: rpcBody('health.health', [], rpcId),
      timeoutMs: leftMs,
    }),
    (status, answerHeaders, body) => readRpcAnswer(status, answerHeaders, body, rpcId),
  );
  // If it does not work either, the first answer is the one that explains it.
  return byRpc.reading.kind === 'report' ? byRpc : answer;
}

function refusesGet(reading: Reading): boolean {
  return reading.kind === 'no-report' && reading.error.code === 'upstream' && reading.error.status === 405;
}

function toAnswer(outcome: HttpOutcome, read: typeof readReport): NodeAnswer {
  if (outcome.kind === 'failure') return { reading: classifyFailure(outcome), reportedNodeId: null };
  const { status, headers, body } = outcome;
  return { reading: read(status, headers, body), reportedNodeId: reportedNodeId(headers) };
}
