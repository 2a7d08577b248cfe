import type { FastifyInstance } from 'fastify';
import type { Clock } from '../clock.ts';
import { primarySubnetId } from '../world/chains.ts';
import { sampleNodeId } from '../world/identifiers.ts';
import type { World } from '../world/world.ts';
import { standardChecks } from './checks.ts';
import { createNodeHealth } from './health.ts';
import { tellPast, type ToldPast } from './past.ts';
import { pastOfNode } from './past-stories.ts';
import { createScript, readScenario } from './scenario.ts';
import { createNodeServer, type NodeHttpState } from './server.ts';

/** One stand-in for a node. */
export type SampleNode = ReturnType<typeof createSampleNode>;

export interface NodeSetup {
  readonly name: string;
  /** Place among the nodes; determines the node id. */
  readonly index: number;
  /** Name of a scenario in `scenarios/`, or a file. */
  readonly scenario: string;
  readonly periodMs: number;
  readonly clock: Clock;
}

/** A node that follows the Primary Network and one other chain of the sample world. */
export function createSampleNode(
  world: World,
  { name, index, scenario, periodMs, clock }: NodeSetup,
  addHooks: (app: FastifyInstance) => void,
) {
  const [primary, , followed] = world.chains;
  if (primary === undefined || followed === undefined) throw new Error('the sample world has too few chains');
  const checks = standardChecks(world.seed + index, [
    { alias: 'P', subnetId: primarySubnetId, startHeight: 19_204_411, blocksPerRound: 3 },
    { alias: 'X', subnetId: primarySubnetId, startHeight: 2_511_873, blocksPerRound: 1 },
    { alias: 'C', subnetId: primarySubnetId, startHeight: world.headBlock(primary), blocksPerRound: 15 },
    {
      alias: followed.blockchainId,
      subnetId: followed.subnetId,
      startHeight: world.headBlock(followed),
      blocksPerRound: 7,
    },
  ]);
  const scriptOf = (of: string) => createScript(readScenario(of, followed.subnetId), clock.nowMs());
  let script = scriptOf(scenario);
  /** By control calls; absent fields follow the scenario. */
  let change: Partial<NodeHttpState> = {};
  const nodeId = sampleNodeId(world.seed, index);
  const roundsFromMs = clock.nowMs();
  const health = createNodeHealth(checks, clock, periodMs, script);

  function httpState(): NodeHttpState {
    const { down } = script.at(clock.nowMs()).phase;
    return { down, rejectHosts: false, healthInterface: true, nodeId, ...change };
  }

  function play(of: string): void {
    script = scriptOf(of);
    health.setScript(script);
  }

  return {
    name,
    health,
    server: createNodeServer(health, httpState, addHooks),
    changeHttp(changed: Partial<NodeHttpState>) {
      change = { ...change, ...changed };
    },
    /** Begins a scenario now. */
    play,
    /** Its past up to now; null for a node without one. */
    past(): ToldPast | null {
      const past = pastOfNode.get(name);
      const node = { name, nodeId, checks, periodMs, roundsFromMs };
      return past === undefined ? null : tellPast(node, past, clock.nowMs());
    },
    /** Undoes what control calls changed and begins the node's own scenario again. */
    reset() {
      change = {};
      for (const check of checks) health.override(check.name, null);
      health.setPeriod(periodMs);
      play(scenario);
    },
  };
}
