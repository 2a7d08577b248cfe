import type { EndpointDefinition } from '../src/shared/endpoints/define.ts';
import { endpoints } from '../src/shared/endpoints/registry.ts';

/** What the service needs of an endpoint's definition. */
export type ServedEndpoint = Pick<
  EndpointDefinition,
  'id' | 'number' | 'api' | 'path' | 'params' | 'rules' | 'paging'
>;

/** The definitions of all endpoints, by their number in the specification. */
export function servedEndpoints(): ReadonlyMap<number, ServedEndpoint> {
  const all: readonly ServedEndpoint[] = Object.values(endpoints);
  return new Map(all.map((endpoint) => [endpoint.number, endpoint]));
}
