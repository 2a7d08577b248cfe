import fastify, { type FastifyInstance } from 'fastify';
import * as z from 'zod';
import type { ServiceClock } from './clock.ts';
import { messageOf } from '../src/shared/errors.ts';
import { errorBody, statusOf, UnknownName } from './errors.ts';
import { faultSchema, type FaultInput, type FaultTable } from './faults.ts';
import type { Limits } from './limits.ts';
import { checkOverrideSchema, type CheckOverride } from './node/health.ts';
import type { SampleNode } from './node/node.ts';
import type { RequestLog } from './request-log.ts';
import type { World } from './world/world.ts';

const nodeChangeSchema = z.strictObject({
  /** True: every request is refused with 403 "invalid host specified". */
  rejectHosts: z.boolean().exactOptional(),
  /** False: 404 on all paths. */
  healthInterface: z.boolean().exactOptional(),
  /** Another id in the `node-id` header. */
  nodeId: z.string().exactOptional(),
  periodMs: z.int().min(10).exactOptional(),
  /** Begins another scenario, by its name in `scenarios/` or its file. */
  scenario: z.string().exactOptional(),
  /** True: forgets all results, as a restarted node does. */
  restart: z.boolean().exactOptional(),
});

export type NodeChange = z.infer<typeof nodeChangeSchema>;

export interface ControlParts {
  readonly world: World;
  readonly faults: FaultTable;
  readonly log: RequestLog;
  readonly limits: Limits;
  readonly clock: ServiceClock;
  readonly nodes: readonly SampleNode[];
  readonly keyHeader: string;
  readonly elsewhereUrl: () => string;
}

/** What tests and people can change while the service runs; the same over HTTP and in the process. */
export type Control = ReturnType<typeof createControl>;

export function createControl(parts: ControlParts) {
  const { world, faults, log, limits, clock, nodes } = parts;

  function node(name: string): SampleNode {
    const found = nodes.find((candidate) => candidate.name === name);
    if (found !== undefined) return found;
    throw new UnknownName(`no node ${name}; there are ${nodes.map((one) => one.name).join(', ')}`);
  }

  return {
    addFault: (fault: FaultInput) => faults.add(fault),
    clearFaults: () => faults.clear(),
    /** Requests received, oldest first, with an id above `afterId`. */
    requests: (afterId?: number) => log.list(afterId),
    clearRequests: () => log.clear(),
    /** Moves the service's time. New transactions appear, tokens expire, nodes run their checks. */
    advanceClock: (ms: number) => clock.advance(ms),
    /** Replaces the newest `depth` blocks of a chain: new hashes, and some transactions are gone. */
    reorganise(chainId: string, depth: number) {
      const chain = world.findChain(chainId);
      if (chain === null) throw new UnknownName(`no chain ${chainId}`);
      world.reorganise(chain, depth);
    },
    setLimits: (enabled: boolean) => limits.setEnabled(enabled),
    changeNode(name: string, { periodMs, restart, scenario, ...http }: NodeChange) {
      const changed = node(name);
      changed.changeHttp(http);
      if (periodMs !== undefined) changed.health.setPeriod(periodMs);
      if (scenario !== undefined) changed.play(scenario);
      if (restart === true) changed.health.restart();
    },
    /** Makes a check fail or pass from its next round on; null undoes this. */
    changeCheck(name: string, check: string, change: CheckOverride | null) {
      const { health } = node(name);
      if (!health.hasCheck(check)) throw new UnknownName(`node ${name} has no check ${check}`);
      health.override(check, change);
    },
    /** Undoes everything above and begins the nodes' scenarios again. */
    reset() {
      faults.clear();
      log.clear();
      clock.reset();
      world.undoReorganisations();
      limits.reset();
      for (const each of nodes) each.reset();
    },
    describe: () => ({
      elsewhereUrl: parts.elsewhereUrl(),
      keyHeader: parts.keyHeader,
      chains: world.chains.map((chain) => ({
        chainId: chain.chainId,
        blockchainId: chain.blockchainId,
        name: chain.name,
        status: chain.status,
        headBlock: world.headBlock(chain),
      })),
      accounts: Object.fromEntries(
        Object.entries(world.cast).map(([name, who]) => [name, world.records.spell(who)]),
      ),
    }),
  };
}

/** What each method takes, for calls from outside. */
const argumentsOf: Readonly<Record<keyof Control, z.ZodType<readonly unknown[]>>> = {
  addFault: z.tuple([faultSchema]),
  clearFaults: z.tuple([]),
  requests: z.tuple([z.number().optional()]),
  clearRequests: z.tuple([]),
  advanceClock: z.tuple([z.int()]),
  reorganise: z.tuple([z.string(), z.int().positive()]),
  setLimits: z.tuple([z.boolean()]),
  changeNode: z.tuple([z.string(), nodeChangeSchema]),
  changeCheck: z.tuple([z.string(), z.string(), checkOverrideSchema.nullable()]),
  reset: z.tuple([]),
  describe: z.tuple([]),
};

/** Control over HTTP: `POST /method` with an array of arguments, if there are any. */
export function createControlServer(control: Control): FastifyInstance {
  const app = fastify({ forceCloseConnections: true });
  app.setErrorHandler((error, _request, reply) => {
    const isMistake = error instanceof z.core.$ZodError || error instanceof UnknownName;
    const status = isMistake ? 400 : statusOf(error);
    return reply.code(status).send(errorBody(status, messageOf(error)));
  });
  app.setNotFoundHandler((request, reply) =>
    reply.code(404).send(errorBody(404, `Cannot ${request.method} ${request.url}`)),
  );
  for (const [name, schema] of Object.entries(argumentsOf)) {
    app.post(`/${name}`, async (request, reply) => {
      const args = schema.parse(request.body ?? []);
      // The arguments have passed the method's schema.
      const method = Reflect.get(control, name) as (...values: readonly unknown[]) => unknown;
      const result = method(...args) ?? null;
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(result));
    });
  }
  return app;
}
