import { checkParams } from '../../../shared/endpoints/check-params.ts';
import type { EndpointDefinition } from '../../../shared/endpoints/define.ts';
import { findEndpoint } from '../../../shared/endpoints/registry.ts';
import type { RunTarget } from '../../../shared/explore/types.ts';
import { notFound, refuse, unwrap } from '../../../shared/errors.ts';
import type { NodeConfig } from '../../../shared/health/types.ts';
import { nodeCalls, type NodeCall } from '../../../shared/health/node-calls.ts';
import type { ServiceProfile } from '../../../shared/settings.ts';
import type { QueryEngine } from '../endpoints/query-engine.ts';
import { baseUrlOf, type ServiceClient } from '../endpoints/service-client.ts';

export type QueryableNode = Pick<NodeConfig, 'id' | 'name' | 'url'>;

/** What asks the service that is in use. */
export interface Asking {
  service: ServiceClient;
  queries: QueryEngine;
}

/** A validated target, with the source that answers it. */
export interface PreparedTarget {
  /** With canonical parameters. */
  target: RunTarget;
  baseUrl: string;
  searchText: string;
  source:
    | {
        kind: 'endpoint';
        endpoint: EndpointDefinition;
        params: Readonly<Record<string, string>>;
        profile: ServiceProfile;
        asking: Asking;
      }
    | { kind: 'node'; nodeId: string; call: NodeCall; tags: readonly string[] };
}

/** Validates a target received from the window; throws what is wrong with it. Sends nothing. */
export function prepareTarget(
  target: RunTarget,
  asking: Asking | null,
  nodes: readonly QueryableNode[],
): PreparedTarget {
  return target.kind === 'endpoint' ? prepareEndpoint(target, asking) : prepareNode(target, nodes);
}

function prepareEndpoint(target: RunTarget & { kind: 'endpoint' }, asking: Asking | null): PreparedTarget {
  if (asking === null) refuse('The app is switching services. Try again in a moment.');
  const endpoint = findEndpoint(target.endpointId);
  if (endpoint === undefined) refuse('This endpoint doesn’t exist.');
  const params = unwrap(checkParams(endpoint, target.params));
  const profile = asking.service.profile();
  const baseUrl = baseUrlOf(endpoint, profile);
  return {
    target: { kind: 'endpoint', endpointId: target.endpointId, params },
    baseUrl,
    searchText: [endpoint.title, endpoint.id, ...Object.entries(params).flat()].join('\n'),
    source: { kind: 'endpoint', endpoint, params, profile, asking },
  };
}

function prepareNode(target: RunTarget & { kind: 'node' }, nodes: readonly QueryableNode[]): PreparedTarget {
  const call = nodeCalls.find(({ id }) => id === target.callId);
  if (call === undefined) refuse('This node call doesn’t exist.');
  const node = nodes.find(({ id }) => id === target.nodeId);
  if (node === undefined) notFound('You’re no longer watching this node.');
  const tags = [...new Set(target.tags.map((tag) => tag.trim()).filter((tag) => tag !== ''))];
  if (tags.length > 0 && !call.takesTags) refuse(`“${call.title}” can’t be limited to subnets.`);
  return {
    target: { kind: 'node', nodeId: node.id, callId: call.id, tags },
    baseUrl: node.url,
    searchText: [call.title, call.id, call.path, node.name, node.url, ...tags].join('\n'),
    source: { kind: 'node', nodeId: node.id, call, tags },
  };
}
