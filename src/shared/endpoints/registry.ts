import * as data from './data.ts';
import type { EndpointDefinition, ParamsOf, ResponseOf } from './define.ts';
import * as metrics from './metrics.ts';

const all = [...Object.values(data), ...Object.values(metrics)].sort((a, b) => a.number - b.number);

type Endpoint = (typeof all)[number];

export type EndpointId = Endpoint['id'];

/** Every endpoint that the app knows, by id, in the order of the specification: each export of `data.ts` and `metrics.ts`. */
export const endpoints =
  // Which id has which definition, the type of `fromEntries` does not say.
  Object.fromEntries(all.map((endpoint) => [endpoint.id, endpoint])) as {
    readonly [E in Endpoint as E['id']]: E;
  };

export type ParamsById = { [Id in EndpointId]: ParamsOf<(typeof endpoints)[Id]> };

export type ResponseById = { [Id in EndpointId]: ResponseOf<(typeof endpoints)[Id]> };

/** The definition with this id, or undefined: ids arrive as unknown strings from the window. */
export function findEndpoint(id: string): EndpointDefinition | undefined {
  // It is a key, as was just asked.
  return Object.hasOwn(endpoints, id) ? endpoints[id as EndpointId] : undefined;
}
