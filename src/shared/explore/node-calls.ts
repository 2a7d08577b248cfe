/**
 * One call of a node's health interface (specification, "A. Node health interface"). A GET asks its path with a `tag` for
 * each tag; an RPC call is posted to its path with `method`.
 */
export interface NodeCall {
  /** Kebab-case, unique, stable: it is stored with past queries. */
  readonly id: string;
  readonly title: string;
  /** One sentence for the form. */
  readonly description: string;
  readonly path: string;
  /** The JSON-RPC method; null for a plain GET. */
  readonly method: string | null;
  /** Whether the answer can be narrowed to subnets. */
  readonly takesTags: boolean;
}

/** The seven calls, in the order of the specification. */
export const nodeCalls = [
  {
    id: 'get-health',
    title: 'Health',
    description: 'The holistic status of the node: 200 when healthy, 503 when not.',
    path: '/ext/health',
    method: null,
    takesTags: true,
  },
  {
    id: 'get-health-health',
    title: 'Health, long path',
    description: 'The same report at its second path.',
    path: '/ext/health/health',
    method: null,
    takesTags: true,
  },
  {
    id: 'get-readiness',
    title: 'Readiness',
    description: 'Healthy once the node has finished initializing.',
    path: '/ext/health/readiness',
    method: null,
    takesTags: true,
  },
  {
    id: 'get-liveness',
    title: 'Liveness',
    description: 'Healthy once the interface answers at all.',
    path: '/ext/health/liveness',
    method: null,
    takesTags: true,
  },
  {
    id: 'rpc-health',
    title: 'health.health',
    description: 'The last set of check results, by JSON-RPC.',
    path: '/ext/health',
    method: 'health.health',
    takesTags: true,
  },
  {
    id: 'rpc-readiness',
    title: 'health.readiness',
    description: 'The last evaluation of the startup checks, by JSON-RPC.',
    path: '/ext/health',
    method: 'health.readiness',
    takesTags: true,
  },
  {
    id: 'rpc-liveness',
    title: 'health.liveness',
    description: 'Healthy when the node answers, by JSON-RPC; it has no checks.',
    path: '/ext/health',
    method: 'health.liveness',
    takesTags: false,
  },
] as const satisfies readonly NodeCall[];

/** The call with this id, or undefined: ids arrive as unknown strings from the window and the store. */
export function findNodeCall(id: string): NodeCall | undefined {
  return nodeCalls.find((call) => call.id === id);
}
