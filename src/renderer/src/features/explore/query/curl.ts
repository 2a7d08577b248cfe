// A query of Explore: its form, its checks, the list of past queries, and the query as a command.
import type { EndpointDefinition } from '../../../../../shared/endpoints/define.ts';
import { requestUrl } from '../../../../../shared/endpoints/request-url.ts';
import type { NodeCall } from '../../../../../shared/health/node-calls.ts';
import { parseServiceUrl, type ServiceProfile } from '../../../../../shared/settings.ts';

/** Quotes a text as one word for a POSIX shell. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * The request as a command. It has a placeholder instead of the key. `origin` is the one that
 * was asked, which may differ from the current service.
 */
export function endpointCurl(
  endpoint: EndpointDefinition,
  params: Readonly<Record<string, string>>,
  profile: ServiceProfile,
  origin: string | null,
): string {
  const baseUrl = endpoint.api === 'data' ? profile.dataUrl : profile.metricsUrl;
  const asked = origin === null || parseServiceUrl(baseUrl)?.origin === origin ? baseUrl : origin;
  const header = `${profile.keyHeader}: <API_KEY>`;
  return ['curl', '-sS', '-H', shellQuote(header), shellQuote(requestUrl(endpoint, asked, params))].join(' ');
}

/** The same for a call of a node, which takes no key. */
export function nodeCurl(call: NodeCall, nodeUrl: string, tags: readonly string[]): string {
  const url = `${nodeUrl.replace(/\/+$/, '')}${call.path}`;
  if (call.protocol === 'get') {
    const query = tags.map((tag) => `tag=${encodeURIComponent(tag)}`).join('&');
    return ['curl', '-sS', shellQuote(query === '' ? url : `${url}?${query}`)].join(' ');
  }
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: call.method,
    ...(tags.length > 0 && call.takesTags ? { params: { tags } } : {}),
  };
  return [
    'curl',
    '-sS',
    '-H',
    shellQuote('content-type: application/json'),
    '--data',
    shellQuote(JSON.stringify(body)),
    shellQuote(url),
  ].join(' ');
}
