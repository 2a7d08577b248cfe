import type { EndpointId } from '../../../shared/endpoints/registry.ts';

/** What the Explore view can ask: an endpoint of the service or a call of a node. */
export type ExploreChoice = { kind: 'endpoint'; endpointId: EndpointId } | { kind: 'node'; callId: string };

/** A form to open, with values for its parameters by name. */
export interface ExploreRequest {
  choice: ExploreChoice;
  values: Readonly<Record<string, string>>;
}

export function isSameChoice(a: ExploreChoice | null, b: ExploreChoice): boolean {
  if (a?.kind === 'endpoint') return b.kind === 'endpoint' && a.endpointId === b.endpointId;
  return a?.kind === 'node' && b.kind === 'node' && a.callId === b.callId;
}
