import { findEndpoint } from '../../../../../shared/endpoints/registry.ts';
import { requestUrl } from '../../../../../shared/endpoints/request-url.ts';
import type { RunSummary } from '../../../../../shared/explore/types.ts';
import { nodeCalls } from '../../../../../shared/health/node-calls.ts';

/** Quotes a text as one word for a POSIX shell. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/**
 * The first request of a run as a command: as it was made, with placeholders for secrets. Null for what this version of
 * the app does not know. `keyHeader` stands for the headers of a run that did not record them.
 */
export function curlOf(run: RunSummary, keyHeader: string): string | null {
  const { target, baseUrl } = run;
  if (target.kind === 'endpoint') {
    const endpoint = findEndpoint(target.endpointId);
    if (endpoint === undefined) return null;
    const headers = secretHeaders(run.headerNames ?? [keyHeader], '<API_KEY>');
    return ['curl', '-sS', ...headers, shellQuote(requestUrl(endpoint, baseUrl, target.params))].join(' ');
  }
  const call = nodeCalls.find(({ id }) => id === target.callId);
  if (call === undefined) return null;
  const { tags } = target;
  const url = `${baseUrl.replace(/\/+$/, '')}${call.path}`;
  const headers = secretHeaders(run.headerNames ?? [], '<VALUE>');
  if (call.protocol === 'get') {
    const query = tags.map((tag) => `tag=${encodeURIComponent(tag)}`).join('&');
    return ['curl', '-sS', ...headers, shellQuote(query === '' ? url : `${url}?${query}`)].join(' ');
  }
  const params = tags.length > 0 && call.takesTags ? { params: { tags } } : {};
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: call.method, ...params });
  const json = ['-H', shellQuote('content-type: application/json'), '--data', shellQuote(body)];
  return ['curl', '-sS', ...headers, ...json, shellQuote(url)].join(' ');
}

function secretHeaders(names: readonly string[], placeholder: string): string[] {
  return names.flatMap((name) => ['-H', shellQuote(`${name}: ${placeholder}`)]);
}
