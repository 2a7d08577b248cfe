import type { FieldSpec } from '../../../../../shared/endpoints/define.ts';
import type { AppState } from '../../../state/app.svelte.ts';

export interface Suggestion {
  value: string;
  /** Words beside the value; the value itself where there are none. */
  label: string;
}

/** What the app knows that fits a parameter: watched addresses, chains and nodes by their names. */
export function suggestionsFor(
  spec: FieldSpec,
  app: Pick<AppState, 'watchlist' | 'chainNames' | 'nodes'>,
): Suggestion[] {
  switch (spec.kind) {
    case 'address':
      return app.watchlist.map(({ address, label }) => ({ value: address, label: label ?? address }));
    case 'chain':
      return [
        ...(spec.values ?? []).map((value) => ({ value, label: value })),
        ...[...app.chainNames].map(([value, label]) => ({ value, label })),
      ];
    case 'node-id':
      return app.nodes.flatMap(({ node, nodeId }) =>
        nodeId === null ? [] : [{ value: nodeId, label: node.name }],
      );
    case 'tx-hash':
    case 'block':
    case 'subnet-id':
    case 'blockchain-id':
    case 'integer':
    case 'timestamp':
    case 'page-token':
    case 'watched-node':
    case 'tags':
    case 'choice':
      return [];
  }
}
