import type { NodeRpcMethod } from '../../../../shared/health/node-calls.ts';
import { isObject } from '../../../../shared/json.ts';
import { cleanText } from '../../../../shared/text.ts';
import { classifyAnswer, noReport } from './no-report.ts';
import { parseBody, problemOf, reportReading, toReport, type Reading } from './report.ts';

/** Body of a JSON-RPC 2.0 request. `tags` are subnet ids; `health.liveness` takes none. */
export const rpcBody = (method: NodeRpcMethod, tags: readonly string[], id: number): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, ...(tags.length === 0 ? {} : { params: { tags } }) });

/**
 * Parses a JSON-RPC response. Its status is 200 also for an unhealthy node and for errors, so only the body counts; a
 * response with another id than `id` is not accepted. Never throws.
 */
export function readRpcAnswer(status: number, bodyText: string, id: number): Reading {
  const notReport = (problem: string | null): Reading => classifyAnswer(status, bodyText, problem);
  if (status < 200 || status >= 300) return notReport(null);
  let place = '';
  try {
    const { value: answer, isCut } = parseBody(bodyText);
    if (!isObject(answer)) return notReport('not a JSON object');
    const { error } = answer;
    // The error for a request that could not be parsed has a null id.
    if (error !== undefined && error !== null && (answer['id'] === id || answer['id'] === null))
      return rpcError(error, status);
    if (answer['id'] !== id) return notReport('the response is for a different request');
    place = '`result`: ';
    return reportReading(toReport({ value: answer['result'], isCut }));
  } catch (cause) {
    return notReport(`${place}${problemOf(cause)}`);
  }
}

function rpcError(error: unknown, status: number): Reading {
  const { code, message } = isObject(error) ? error : { code: null, message: error };
  const words = typeof message === 'string' ? cleanText(message, 300) : '';
  const number = typeof code === 'number' ? ` (${code})` : '';
  const reason = `The node refused the call${number}${words === '' ? '' : `: ${words}`}.`;
  return noReport({ code: 'upstream', message: reason, status });
}
