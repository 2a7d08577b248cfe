import { checkParamValue } from '../endpoints/check-params.ts';
import type { ParamSpec } from '../endpoints/define.ts';
import { err, ok, type Result } from '../errors.ts';

/** A parameter of a node call; all of them are optional and may be given several times. */
export type NodeCallParam = Pick<ParamSpec, 'kind' | 'description'>;

/** One call of the node health interface (specification A) as data: its form, its request and its test follow from it. */
export interface NodeCall {
  /** Kebab-case, unique, stable. */
  readonly id: string;
  readonly title: string;
  readonly method: 'GET' | 'POST';
  /** Below the base URL of the node. */
  readonly path: string;
  /** The JSON-RPC method of a POST; null for a GET. */
  readonly rpcMethod: 'health.health' | 'health.readiness' | 'health.liveness' | null;
  /** Names as they are sent: repeated in the query of a GET, as a list in the `params` of a POST. */
  readonly params: Readonly<Record<string, NodeCallParam>>;
}

/** Chosen values by the parameter's name, each of them checked; a parameter without values is missing. */
export type NodeCallParams = Readonly<Record<string, readonly string[]>>;

const subnetIds: NodeCallParam = {
  kind: 'subnet-id',
  description:
    'Only the checks of these subnets, and all global ones; an id that the node does not know selects global checks alone.',
};

/** The seven calls, in the order of the specification. */
export const nodeCalls = [
  {
    id: 'node-health',
    title: 'Health of the node',
    method: 'GET',
    path: '/ext/health',
    rpcMethod: null,
    params: { tag: subnetIds },
  },
  {
    id: 'node-health-health',
    title: 'Health of the node, by its longer name',
    method: 'GET',
    path: '/ext/health/health',
    rpcMethod: null,
    params: { tag: subnetIds },
  },
  {
    id: 'node-readiness',
    title: 'Whether the node has finished initializing',
    method: 'GET',
    path: '/ext/health/readiness',
    rpcMethod: null,
    params: { tag: subnetIds },
  },
  {
    id: 'node-liveness',
    title: 'Whether the node answers',
    method: 'GET',
    path: '/ext/health/liveness',
    rpcMethod: null,
    params: { tag: subnetIds },
  },
  {
    id: 'node-rpc-health',
    title: 'Health of the node (JSON-RPC)',
    method: 'POST',
    path: '/ext/health',
    rpcMethod: 'health.health',
    params: { tags: subnetIds },
  },
  {
    id: 'node-rpc-readiness',
    title: 'Whether the node has finished initializing (JSON-RPC)',
    method: 'POST',
    path: '/ext/health',
    rpcMethod: 'health.readiness',
    params: { tags: subnetIds },
  },
  {
    id: 'node-rpc-liveness',
    title: 'Whether the node answers (JSON-RPC)',
    method: 'POST',
    path: '/ext/health',
    rpcMethod: 'health.liveness',
    params: {},
  },
] as const satisfies readonly NodeCall[];

/** The call with this id, or undefined: ids arrive as unknown strings from the window. */
export function findNodeCall(id: string): NodeCall | undefined {
  return nodeCalls.find((call) => call.id === id);
}

/** More subnets than any node follows; with them the address stays of a length that every server reads. */
const mostValues = 64;

/**
 * Checks parameters from a form or the window: an object of lists of texts. The value has only known names, each with its
 * values trimmed, without empty ones and once each. The error lists every problem, each naming its parameter.
 */
export function checkNodeCallParams(call: NodeCall, input: unknown): Result<NodeCallParams> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return invalid(['The parameters must be an object of names and lists of texts.']);
  }
  const issues: string[] = [];
  const checked: [string, string[]][] = [];
  for (const [name, values] of Object.entries(input)) {
    const spec = Object.hasOwn(call.params, name) ? call.params[name] : undefined;
    if (spec === undefined) {
      issues.push(`${name.slice(0, 40)}: this call has no such parameter.`);
    } else if (!isListOfTexts(values)) {
      issues.push(`${name}: must be a list of texts.`);
    } else {
      const given = [...new Set(values.map((value) => value.trim()).filter((value) => value !== ''))];
      if (given.length > mostValues) issues.push(`${name}: must be at most ${mostValues} values.`);
      for (const value of given) {
        const check = checkParamValue({ ...spec, in: 'query', required: false }, value);
        if (!check.ok) issues.push(`${name}: ${check.problem}`);
      }
      if (given.length > 0) checked.push([name, given]);
    }
  }
  return issues.length === 0 ? ok(Object.fromEntries(checked)) : invalid(issues);
}

function isListOfTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((element) => typeof element === 'string');
}

function invalid(issues: string[]): Result<never> {
  return err({ code: 'invalid-params', message: issues.join(' '), issues });
}

/** The address of a call. `baseUrl` is that of a node, without trailing slash; `params` have passed `checkNodeCallParams`. */
export function nodeCallUrl(call: NodeCall, baseUrl: string, params: NodeCallParams): string {
  const query =
    call.method === 'POST'
      ? []
      : Object.entries(params).flatMap(([name, values]) =>
          values.map((value) => `${name}=${encodeURIComponent(value)}`),
        );
  return `${baseUrl}${call.path}${query.length === 0 ? '' : `?${query.join('&')}`}`;
}
