import { byText } from '../by-text.ts';
import type { EndpointDefinition } from './define.ts';

/**
 * The URL of a request. `baseUrl` is a service's URL without a query; `params` have passed `checkParams`. Values are
 * percent-encoded, so that none can add a path segment or a query parameter.
 */
export function requestUrl(
  endpoint: EndpointDefinition,
  baseUrl: string,
  params: Readonly<Record<string, string>>,
): string {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_placeholder, name: string) => {
    const value = params[name];
    // URL parsers treat these as relative path segments, even when percent-encoded.
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
 * The key under which an answer is stored: the same for all spellings of a request to a service. `service` is the base
 * URL; `params` have passed `checkParams`.
 */
export function cacheKey(
  endpoint: EndpointDefinition,
  service: string,
  params: Readonly<Record<string, string>>,
): string {
  return `${endpoint.id} ${service} ${canonicalParams(params)}`;
}

/** Parameters as JSON, sorted by name. */
export function canonicalParams(params: Readonly<Record<string, string>>): string {
  const sorted = Object.entries(params).sort(([a], [b]) => byText(a, b));
  return JSON.stringify(Object.fromEntries(sorted));
}
