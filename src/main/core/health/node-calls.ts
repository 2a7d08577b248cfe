import { nodeCallUrl, type NodeCall, type NodeCallParams } from '../../../shared/health/node-calls.ts';
import type { HttpClient, HttpOutcome, Random } from '../ports.ts';
import { largestBodyBytes, newRpcId, toAnswer, type NodeAnswer } from './ask-node.ts';
import { readRpcAnswer, rpcBody } from './node-rpc.ts';
import { readReport } from './report.ts';

/** What came of a call: how it is to be understood, and how it came. */
export interface NodeCallAnswer extends NodeAnswer {
  /** Null when no answer came; `reading` then says why. */
  raw: { status: number; bodyText: string } | null;
}

/**
 * Makes any of the node calls once. `params` have passed `checkNodeCallParams`. Never throws: a node that cannot be
 * reached, an answer that is no report and an RPC error are readings.
 */
export async function callNode(
  { http, random }: { http: HttpClient; random: Random },
  baseUrl: string,
  call: NodeCall,
  params: NodeCallParams,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<NodeCallAnswer> {
  const exchange = {
    url: nodeCallUrl(call, baseUrl, params),
    maxBytes: largestBodyBytes,
    timeoutMs,
    signal,
  };
  const headers = { accept: 'application/json' };
  if (call.rpcMethod === null) {
    const outcome = await http.send({ ...exchange, method: 'GET', headers });
    return { ...toAnswer(outcome, readReport), raw: rawOf(outcome) };
  }
  const rpcId = newRpcId(random);
  const outcome = await http.send({
    ...exchange,
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: rpcBody(call.rpcMethod, params['tags'] ?? [], rpcId),
  });
  const answer = toAnswer(outcome, (status, answerHeaders, body) =>
    readRpcAnswer(status, answerHeaders, body, rpcId),
  );
  return { ...answer, raw: rawOf(outcome) };
}

function rawOf(outcome: HttpOutcome): NodeCallAnswer['raw'] {
  return outcome.kind === 'failure' ? null : { status: outcome.status, bodyText: outcome.body };
}
