/** One call of the node health interface (specification A): its four paths by GET and its three methods by JSON-RPC. */
export type NodeCall = {
  /** Kebab-case, unique, stable: it is part of stored queries. */
  readonly id: string;
  readonly title: string;
  /** Below the node's URL. */
  readonly path: string;
  /** Whether the answer can be narrowed to subnets. */
  readonly takesTags: boolean;
} & (
  | { readonly protocol: 'get' }
  | {
      readonly protocol: 'rpc';
      readonly method: 'health.health' | 'health.readiness' | 'health.liveness';
    }
);

export const nodeCalls: readonly NodeCall[] = [
  { id: 'get-ext-health', title: 'Health', path: '/ext/health', takesTags: true, protocol: 'get' },
  {
    id: 'get-ext-health-health',
    title: 'Health, by its long path',
    path: '/ext/health/health',
    takesTags: true,
    protocol: 'get',
  },
  {
    id: 'get-ext-health-readiness',
    title: 'Readiness',
    path: '/ext/health/readiness',
    takesTags: true,
    protocol: 'get',
  },
  {
    id: 'get-ext-health-liveness',
    title: 'Liveness',
    path: '/ext/health/liveness',
    takesTags: true,
    protocol: 'get',
  },
  {
    id: 'rpc-health-health',
    title: 'Health by JSON-RPC',
    path: '/ext/health',
    takesTags: true,
    protocol: 'rpc',
    method: 'health.health',
  },
  {
    id: 'rpc-health-readiness',
    title: 'Readiness by JSON-RPC',
    path: '/ext/health',
    takesTags: true,
    protocol: 'rpc',
    method: 'health.readiness',
  },
  {
    id: 'rpc-health-liveness',
    title: 'Liveness by JSON-RPC',
    path: '/ext/health',
    takesTags: false,
    protocol: 'rpc',
    method: 'health.liveness',
  },
];
