import fastify, { type FastifyInstance } from 'fastify';
import * as z from 'zod';
import type { ServiceClock } from './clock.ts';
import { errorBody, messageOf, statusOf } from './errors.ts';
import type { Fault, FaultInput, FaultTable } from './faults.ts';
import type { Limits } from './limits.ts';
import type { SampleNode } from './node/node.ts';
import { scenarioNames } from './node/scenario.ts';
import type { RequestLog, RequestRecord } from './request-log.ts';
import type { World } from './world/world.ts';

const nodeChangeSchema = z.strictObject({
  /** True: every request is refused with 403 "invalid host specified". */
  rejectHosts: z.boolean().optional(),
  /** False: 404 on all paths. */
  healthInterface: z.boolean().optional(),
  /** Another id in the `node-id` header. */
  nodeId: z.string().optional(),
  periodMs: z.int().min(10).optional(),
  /** Begins another scenario, by its name in `scenarios/` or its file. */
  scenario: z.string().optional(),
  /** True: forgets all results, as a restarted node does. */
  restart: z.boolean().optional(),
});

const checkChangeSchema = z.strictObject({
  error: z.nullable(z.string()),
  message: z.unknown().optional(),
  durationNs: z.int().min(0).optional(),
  /** True: the node reports no such check. */
  absent: z.boolean().optional(),
});

export type NodeChange = z.infer<typeof nodeChangeSchema>;
export type CheckChange = z.infer<typeof checkChangeSchema>;

/** What tests and people can change while the service runs; the same over HTTP and in the process. */
export interface Control {
  addFault(fault: FaultInput): Fault;
  removeFault(id: number): boolean;
  listFaults(): readonly Fault[];
  clearFaults(): void;
  /** Requests received, oldest first, with an id above `afterId`. */
  requests(afterId?: number): readonly RequestRecord[];
  clearRequests(): void;
  /** Moves the service's time. New transactions appear, tokens expire, nodes run their checks. */
  advanceClock(ms: number): void;
  /** Replaces the newest `depth` blocks of a chain: new hashes, and some transactions are gone. */
  reorganise(chainId: string, depth: number): void;
  setLimits(enabled: boolean): void;
  changeNode(name: string, change: NodeChange): void;
  /** Makes a check fail or pass from its next round on; null gives it back to the node. */
  changeCheck(node: string, check: string, change: CheckChange | null): void;
  /** Undoes everything above and begins the nodes' scenarios again. */
  reset(): void;
  describe(): ControlDescription;
}

export interface ControlDescription {
  readonly elsewhereUrl: string;
  readonly keyHeader: string;
  readonly chainNowSeconds: number;
  readonly clockOffsetMs: number;
  readonly chains: readonly {
    chainId: string;
    blockchainId: string;
    name: string;
    status: string;
    headBlock: number;
  }[];
  readonly accounts: Readonly<Record<string, string>>;
  readonly contracts: readonly { chainId: string; address: string; role: string; name: string | null }[];
}

/** A wrong name in a control call. */
class UnknownName extends Error {}

/** The name or file of a scenario, once it is known that there is one. */
function knownScenario(name: string): string {
  if (name.endsWith('.json') || scenarioNames().includes(name)) return name;
  throw new UnknownName(`no scenario ${name}; there are ${scenarioNames().join(', ')}`);
}

export interface ControlParts {
  readonly world: World;
  readonly faults: FaultTable;
  readonly log: RequestLog;
  readonly limits: Limits;
  readonly limitsAtStart: boolean;
  readonly clock: ServiceClock;
  readonly nodes: readonly SampleNode[];
  readonly keyHeader: string;
  readonly elsewhereUrl: () => string;
}

export function createControl(parts: ControlParts): Control {
  const { world, faults, log, limits, clock, nodes } = parts;

  function node(name: string): SampleNode {
    const found = nodes.find((candidate) => candidate.name === name);
    if (found === undefined)
      throw new UnknownName(`no node ${name}; there are ${nodes.map((n) => n.name).join(', ')}`);
    return found;
  }

  return {
    addFault: (fault) => faults.add(fault),
    removeFault: (id) => faults.remove(id),
    listFaults: () => faults.list(),
    clearFaults: () => faults.clear(),
    requests: (afterId) => log.list(afterId),
    clearRequests: () => log.clear(),
    advanceClock: (ms) => clock.advance(ms),
    reorganise(chainId, depth) {
      const chain = world.findChain(chainId);
      if (chain === null) throw new UnknownName(`no chain ${chainId}`);
      world.reorganise(chain, depth);
    },
    setLimits: (enabled) => limits.setEnabled(enabled),
    changeNode(name, { periodMs, restart, scenario, rejectHosts, healthInterface, nodeId }) {
      const changed = node(name);
      changed.changeHttp({
        ...(rejectHosts === undefined ? {} : { rejectHosts }),
        ...(healthInterface === undefined ? {} : { healthInterface }),
        ...(nodeId === undefined ? {} : { nodeId }),
      });
      if (periodMs !== undefined) changed.health.setPeriod(periodMs);
      if (scenario !== undefined) changed.play(knownScenario(scenario));
      if (restart === true) changed.health.restart();
    },
    changeCheck(name, check, change) {
      const { health } = node(name);
      if (!health.hasCheck(check)) throw new UnknownName(`node ${name} has no check ${check}`);
      if (change === null) {
        health.override(check, null);
        return;
      }
      const { error, durationNs, absent = false } = change;
      health.override(check, {
        error,
        absent,
        ...('message' in change ? { message: change.message } : {}),
        ...(durationNs === undefined ? {} : { durationNs }),
      });
    },
    reset() {
      faults.clear();
      log.clear();
      clock.reset();
      world.undoReorganisations();
      limits.reset();
      limits.setEnabled(parts.limitsAtStart);
      for (const each of nodes) each.reset();
    },
    describe: () => ({
      elsewhereUrl: parts.elsewhereUrl(),
      keyHeader: parts.keyHeader,
      chainNowSeconds: world.nowSeconds(),
      clockOffsetMs: clock.offsetMs(),
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
      contracts: world.contracts.map(({ chain, address, role, name = null }) => ({
        chainId: chain.chainId,
        address: world.records.spell(address),
        role,
        name,
      })),
    }),
  };
}

/** The control API over HTTP; README.md describes it. */
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

  const names = z.object({ node: z.string(), check: z.string().optional() });
  app.get('/', async () => control.describe());
  app.delete('/', async (_request, reply) => {
    control.reset();
    return reply.code(204).send();
  });
  app.get('/faults', async () => control.listFaults());
  app.post('/faults', async (request, reply) => {
    // `add` checks it; the type only says what it will turn out to be.
    return reply.code(201).send(control.addFault(request.body as FaultInput));
  });
  app.delete('/faults', async (_request, reply) => {
    control.clearFaults();
    return reply.code(204).send();
  });
  app.delete('/faults/:id', async (request, reply) => {
    const { id } = z.object({ id: z.coerce.number() }).parse(request.params);
    return reply.code(control.removeFault(id) ? 204 : 404).send();
  });
  app.get('/requests', async (request) => {
    const { after } = z.object({ after: z.coerce.number().optional() }).parse(request.query);
    return control.requests(after);
  });
  app.delete('/requests', async (_request, reply) => {
    control.clearRequests();
    return reply.code(204).send();
  });
  app.post('/clock', async (request) => {
    const { advanceMs } = z.strictObject({ advanceMs: z.int() }).parse(request.body);
    control.advanceClock(advanceMs);
    return control.describe();
  });
  app.post('/reorg', async (request, reply) => {
    const { chainId, depth } = z
      .strictObject({ chainId: z.string(), depth: z.int().positive() })
      .parse(request.body);
    control.reorganise(chainId, depth);
    return reply.code(204).send();
  });
  app.post('/limits', async (request, reply) => {
    control.setLimits(z.strictObject({ enabled: z.boolean() }).parse(request.body).enabled);
    return reply.code(204).send();
  });
  app.post('/nodes/:node', async (request, reply) => {
    control.changeNode(names.parse(request.params).node, nodeChangeSchema.parse(request.body));
    return reply.code(204).send();
  });
  app.post('/nodes/:node/checks/:check', async (request, reply) => {
    const { node, check } = names.parse(request.params);
    control.changeCheck(node, check ?? '', checkChangeSchema.parse(request.body));
    return reply.code(204).send();
  });
  app.delete('/nodes/:node/checks/:check', async (request, reply) => {
    const { node, check } = names.parse(request.params);
    control.changeCheck(node, check ?? '', null);
    return reply.code(204).send();
  });
  return app;
}
