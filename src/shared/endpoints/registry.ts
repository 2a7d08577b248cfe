import * as data from './data.ts';
import type { EndpointDefinition, ParamsOf, ResponseOf } from './define.ts';
import * as metrics from './metrics.ts';

const all = [...Object.values(data), ...Object.values(metrics)].sort((a, b) => a.number - b.number);

type Endpoint = (typeof all)[number];

export type EndpointId = Endpoint['id'];

/** All known endpoints by id, in the order of the specification: every export of `data.ts` and `metrics.ts`. */
export const endpoints =
  // `Object.fromEntries` loses which id has which definition.
  Object.fromEntries(all.map((endpoint) => [endpoint.id, endpoint])) as {
    readonly [E in Endpoint as E['id']]: E;
  };

export type ParamsById = { [Id in EndpointId]: ParamsOf<(typeof endpoints)[Id]> };

export type ResponseById = { [Id in EndpointId]: ResponseOf<(typeof endpoints)[Id]> };

/** Finds a definition by id; ids from the window are arbitrary strings. */
export function findEndpoint(id: string): EndpointDefinition | undefined {
  // It was just checked to be a key.
  return Object.hasOwn(endpoints, id) ? endpoints[id as EndpointId] : undefined;
}
