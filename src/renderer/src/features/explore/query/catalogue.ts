import type { EndpointDefinition } from '../../../../../shared/endpoints/define.ts';
import { endpoints, type EndpointId } from '../../../../../shared/endpoints/registry.ts';
import type { RunTarget } from '../../../../../shared/explore/types.ts';
import { nodeCalls, type NodeCall } from '../../../../../shared/health/node-calls.ts';
import { isSameChoice, type ExploreChoice } from '../../../state/explore-choice.ts';
import { shortHash } from '../../../ui/text/format.ts';

// The keys of a constant object, which is what the type says they are.
export const endpointIds = (Object.keys(endpoints) as EndpointId[]).sort(
  (a, b) => endpoints[a].number - endpoints[b].number,
);

/** The definition without its literal types, for code that treats all endpoints alike. */
export function definitionOf(id: EndpointId): EndpointDefinition {
  return endpoints[id];
}

/** The call with this id; undefined for one that this version of the app does not know. */
export function findNodeCall(id: string): NodeCall | undefined {
  return nodeCalls.find((call) => call.id === id);
}

/** One line of the list of what can be asked. */
export interface CatalogueEntry {
  key: string;
  choice: ExploreChoice;
  title: string;
  path: string;
}

export interface CatalogueGroup {
  title: string;
  entries: CatalogueEntry[];
}

function endpointEntries(api: EndpointDefinition['api']): CatalogueEntry[] {
  return endpointIds
    .map((endpointId) => ({ endpointId, definition: definitionOf(endpointId) }))
    .filter(({ definition }) => definition.api === api)
    .map(({ endpointId, definition }) => ({
      key: endpointId,
      choice: { kind: 'endpoint', endpointId },
      title: definition.title,
      path: definition.path,
    }));
}

/** Everything that can be asked, by interface, in the order of the specification. */
export const catalogue: readonly CatalogueGroup[] = [
  { title: 'Chain data', entries: endpointEntries('data') },
  { title: 'Metrics', entries: endpointEntries('metrics') },
  {
    title: 'Node calls',
    entries: nodeCalls.map((call) => ({
      key: call.id,
      choice: { kind: 'node', callId: call.id },
      title: call.title,
      path: call.protocol === 'get' ? `GET ${call.path}` : `${call.method} at ${call.path}`,
    })),
  },
];

/** The groups with what contains every word; groups without any are left out. */
export function searchCatalogue(text: string): CatalogueGroup[] {
  const words = text.trim().toLowerCase().split(/\s+/);
  return catalogue
    .map(({ title, entries }) => ({
      title,
      entries: entries.filter((entry) => {
        const haystack = `${title} ${entry.title} ${entry.path}`.toLowerCase();
        return words.every((word) => haystack.includes(word));
      }),
    }))
    .filter(({ entries }) => entries.length > 0);
}

export function entryOf(choice: ExploreChoice): CatalogueEntry | null {
  return (
    catalogue.flatMap(({ entries }) => entries).find((entry) => isSameChoice(entry.choice, choice)) ?? null
  );
}

/** The title of what was asked; its id where a later or earlier version of the app does not know it. */
export function titleOf(target: RunTarget): string {
  // A stored query may name what this version does not have.
  if (target.kind === 'node') return findNodeCall(target.callId)?.title ?? target.callId;
  return Object.hasOwn(endpoints, target.endpointId)
    ? definitionOf(target.endpointId).title
    : target.endpointId;
}

/** The parameters of a query in one line; ids and hashes shortened. */
export function paramsLine(target: RunTarget, nodeName: (id: string) => string): string {
  if (target.kind === 'node')
    return [nodeName(target.nodeId), ...target.tags.map((tag) => shortHash(tag))].join(' · ');
  return Object.entries(target.params)
    .filter(([name]) => name !== 'pageToken')
    .map(([name, value]) => (name === 'pageSize' ? `${value} a page` : shortHash(value)))
    .join(' · ');
}
