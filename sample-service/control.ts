import type { ServiceClock } from './clock.ts';
import { UnknownName } from './errors.ts';
import type { FaultInput, FaultTable } from './faults.ts';
import type { Limits } from './limits.ts';
import type { CheckOverride } from './node/health.ts';
import type { SampleNode } from './node/node.ts';
import type { NodeHttpState } from './node/server.ts';
import type { RequestLog } from './request-log.ts';
import type { World } from './world/world.ts';

export interface NodeChange extends Partial<Omit<NodeHttpState, 'down'>> {
  readonly periodMs?: number;
  /** Begins another scenario, by its name in `scenarios/` or its file. */
  readonly scenario?: string;
  /** True: forgets all results, as a restarted node does. */
  readonly restart?: boolean;
}

export interface ControlParts {
  readonly world: World;
  readonly faults: FaultTable;
  readonly log: RequestLog;
  readonly limits: Limits;
  readonly clock: ServiceClock;
  readonly nodes: readonly SampleNode[];
  readonly elsewhereUrl: () => string;
}

/** What tests can change while the service runs. */
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
    /** Requests received, oldest first. */
    requests: () => log.list(),
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
      chains: world.chains.map((chain) => ({
        chainId: chain.chainId,
        blockchainId: chain.blockchainId,
        headBlock: world.headBlock(chain),
      })),
      accounts: Object.fromEntries(
        Object.entries(world.cast).map(([name, who]) => [name, world.records.spell(who)]),
      ),
    }),
  };
}
