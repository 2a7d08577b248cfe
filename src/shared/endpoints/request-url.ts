import type { EndpointDefinition } from './define.ts';

/**
 * The URL of a request. `baseUrl` is a service address without query; `params` have passed `checkParams`. Each value
 * is percent-encoded into exactly its own place, so none can add a path segment or a query parameter.
 */
export function requestUrl(
  endpoint: EndpointDefinition,
  baseUrl: string,
  params: Readonly<Record<string, string>>,
): string {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_placeholder, name: string) => {
    const value = params[name];
    // URL parsers read these as steps in the path, percent-encoded or not.
    if (value === undefined || value === '' || value === '.' || value === '..') {
      throw new Error(`Path parameter ${name} has not been checked.`);
    }
    return encodeURIComponent(value);
  });
  const query = Object.entries(endpoint.params).flatMap(([name, spec]) => {
    const value = params[name];
    return spec.in === 'query' && value !== undefined
      ? [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`]
      : [];
  });
  return `${baseUrl.replace(/\/+$/, '')}${path}${query.length === 0 ? '' : `?${query.join('&')}`}`;
}

/**
 * The key under which an answer is stored: the same for every spelling of the same request to the same service.
 * `service` is the base URL; `params` have passed `checkParams`.
 */
export function cacheKey(
  endpoint: EndpointDefinition,
  service: string,
  params: Readonly<Record<string, string>>,
): string {
  return `${endpoint.id} ${service} ${canonicalParams(params)}`;
}

/** Parameters as JSON with their names in order. */
export function canonicalParams(params: Readonly<Record<string, string>>): string {
  const sorted = Object.entries(params).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return JSON.stringify(Object.fromEntries(sorted));
}
