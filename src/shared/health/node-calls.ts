/** Methods of the JSON-RPC interface, by POST at `/ext/health`. */
export type NodeRpcMethod = 'health.health' | 'health.readiness' | 'health.liveness';

/** One call of the node health interface (specification A): its four paths by GET and its three methods by JSON-RPC. */
export type NodeCall = {
  /** Kebab-case, unique and never changed, since stored queries contain it. */
  readonly id: string;
  readonly title: string;
  /** Relative to the node's URL. */
  readonly path: string;
  /** Whether the response can be restricted to subnets. */
  readonly takesTags: boolean;
} & (
  | { readonly protocol: 'get' }
  | {
      readonly protocol: 'rpc';
      readonly method: NodeRpcMethod;
    }
);

export const nodeCalls: readonly NodeCall[] = [
  get('get-ext-health', 'Health', '/ext/health'),
  get('get-ext-health-health', 'Health (long path)', '/ext/health/health'),
  get('get-ext-health-readiness', 'Readiness', '/ext/health/readiness'),
  get('get-ext-health-liveness', 'Liveness', '/ext/health/liveness'),
  rpc('rpc-health-health', 'Health via JSON-RPC', 'health.health'),
  rpc('rpc-health-readiness', 'Readiness via JSON-RPC', 'health.readiness'),
  { ...rpc('rpc-health-liveness', 'Liveness via JSON-RPC', 'health.liveness'), takesTags: false },
];

function get(id: string, title: string, path: string): NodeCall {
  return { id, title, path, takesTags: true, protocol: 'get' };
}

function rpc(id: string, title: string, method: NodeRpcMethod): NodeCall {
  return { id, title, path: '/ext/health', takesTags: true, protocol: 'rpc', method };
}
