import type { TakesParams } from '../../../shared/endpoints/check-params.ts';
import type { EndpointDefinition, FieldSpec } from '../../../shared/endpoints/define.ts';
import { endpoints, type EndpointId } from '../../../shared/endpoints/registry.ts';
import type { RunTarget } from '../../../shared/explore/types.ts';
import { nodeCalls, type NodeCall } from '../../../shared/health/node-calls.ts';

/** What the Explore view can ask: an endpoint of the service, or a call of a node, which is described like one. */
export interface Askable extends TakesParams {
  /** Unique over both. */
  id: string;
  title: string;
  path: string;
  /** The heading above it in the list. */
  group: string;
  isNodeCall: boolean;
  /** Further pages can be asked for. */
  isPaged: boolean;
  /** The query of a filled-in form; `params` have been checked. */
  targetOf: (params: Readonly<Record<string, string>>) => RunTarget;
}

/** A form to open, with values for its parameters by name. */
export interface ExploreRequest {
  id: string;
  values: Readonly<Record<string, string>>;
}

const groups = { data: 'Chain data', metrics: 'Chain metrics' };

function endpointAskable(endpointId: EndpointId): Askable {
  const { id, title, path, api, params, rules = [], paging }: EndpointDefinition = endpoints[endpointId];
  return {
    id,
    title,
    path,
    group: groups[api],
    isNodeCall: false,
    isPaged: paging !== null && paging.isSinglePage !== true,
    params,
    rules,
    targetOf: (given) => ({ kind: 'endpoint', endpointId, params: { ...given } }),
  };
}

/** Name of the form's field for the node. */
export const nodeField = 'node';
const tagsFieldOf = (call: NodeCall): string => (call.protocol === 'get' ? 'tag' : 'tags');
const nodeSpec: FieldSpec = {
  in: 'query',
  kind: 'watched-node',
  required: true,
  description: 'One of your watched nodes.',
};
const tagsSpec: FieldSpec = {
  in: 'query',
  kind: 'tags',
  required: false,
  description:
    'Subnet IDs, separated by spaces. Returns only the checks for these subnets and the global checks. Check for typos: a mistyped ID causes no error, and the response looks healthy.',
};

function nodeAskable(call: NodeCall): Askable {
  const { id: callId, title, path, takesTags } = call;
  const tagsField = tagsFieldOf(call);
  return {
    id: callId,
    title,
    path: call.protocol === 'get' ? `GET ${path}` : `${call.method} at ${path}`,
    group: 'Node calls',
    isNodeCall: true,
    isPaged: false,
    params: { [nodeField]: nodeSpec, ...(takesTags ? { [tagsField]: tagsSpec } : {}) },
    targetOf: (given) => ({
      kind: 'node',
      callId,
      nodeId: given[nodeField] ?? '',
      tags: (given[tagsField] ?? '').split(/[\s,]/).filter((tag) => tag !== ''),
    }),
  };
}

/** Everything that can be asked, by interface, in the order of the specification. */
export const catalogue: readonly Askable[] = [
  // The keys of a constant object, as its type says.
  ...(Object.keys(endpoints) as EndpointId[]).map(endpointAskable),
  ...nodeCalls.map(nodeAskable),
];

/** Undefined for a target that this version of the app does not know. */
export function findAskable(id: string): Askable | undefined {
  return catalogue.find((askable) => askable.id === id);
}

/** The form that asks for a target. */
export function requestOf(target: RunTarget): ExploreRequest {
  if (target.kind === 'endpoint') return { id: target.endpointId, values: target.params };
  const call = nodeCalls.find(({ id }) => id === target.callId);
  const tags = call?.takesTags === true ? { [tagsFieldOf(call)]: target.tags.join(' ') } : {};
  return { id: target.callId, values: { [nodeField]: target.nodeId, ...tags } };
}

/** Title of the query's endpoint; its id if this version of the app does not know it. */
export function titleOf(target: RunTarget): string {
  const { id } = requestOf(target);
  return findAskable(id)?.title ?? id;
}
