import type { FastifyInstance } from 'fastify';
import type { Clock } from '../clock.ts';
import { primarySubnetId } from '../world/chains.ts';
import { sampleId, sampleNodeId } from '../world/identifiers.ts';
import type { World } from '../world/world.ts';
import { standardChecks } from './checks.ts';
import { createNodeHealth, type NodeHealth } from './health.ts';
import { createNodeServer, type NodeHttpState } from './server.ts';

/** One stand-in for a node. */
export interface SampleNode {
  readonly name: string;
  readonly health: NodeHealth;
  readonly http: NodeHttpState;
  readonly server: FastifyInstance;
  /** Undoes what control calls changed. */
  reset(): void;
}

/** A healthy node that follows the Primary Network and one chain of the sample world. */
export function createSampleNode(
  world: World,
  name: string,
  index: number,
  clock: Clock,
  periodMs: number,
  addHooks: (app: FastifyInstance) => void,
): SampleNode {
  const seed = world.seed + index;
  const heightOf = (place: number) => {
    const chain = world.chains[place];
    return chain === undefined ? 0 : world.timeline.headBlock(chain, world.nowSeconds());
  };
  const followed = world.chains[2];
  const checks = standardChecks(seed, [
    { alias: 'P', subnetId: primarySubnetId, startHeight: 19_204_411, blocksPerRound: 3 },
    { alias: 'X', subnetId: primarySubnetId, startHeight: 511_873, blocksPerRound: 1 },
    { alias: 'C', subnetId: primarySubnetId, startHeight: heightOf(0), blocksPerRound: 15 },
    {
      alias: followed?.blockchainId ?? sampleId(seed, 0xb10c, 2),
      subnetId: followed?.subnetId ?? sampleId(seed, 0x5b4e, 2),
      startHeight: heightOf(2),
      blocksPerRound: 7,
    },
  ]);
  const health = createNodeHealth(checks, clock, periodMs);
  const nodeId = sampleNodeId(world.seed, index);
  const http: NodeHttpState = { rejectHosts: false, healthInterface: true, nodeId };
  return {
    name,
    health,
    http,
    server: createNodeServer(health, http, addHooks),
    reset() {
      Object.assign(http, { rejectHosts: false, healthInterface: true, nodeId });
      for (const check of checks) health.override(check.name, null);
      health.setPeriod(periodMs);
    },
  };
}
