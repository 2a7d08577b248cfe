import type { Chain } from './chains.ts';
import type { TransactionPlan } from './plan.ts';
import { mix } from './random.ts';
import type { Timeline } from './timeline.ts';

/** One replacement of the newest blocks of a chain: from `firstBlock` to the head of that moment, inclusive. */
interface Reorg {
  readonly chain: number;
  readonly firstBlock: number;
  readonly lastBlock: number;
}

/** Blocks that were replaced: they have new hashes, and some of their transactions are gone. */
export interface Reorgs {
  /** Replaces the newest `depth` blocks below and including `headBlock`. */
  replace(chain: Chain, headBlock: number, depth: number): void;
  /** How often a block was replaced. */
  generation(chain: Chain, block: number): number;
  /** Whether a transaction did not make it into the blocks that stand now: one in four of the ordinary ones. */
  drops(plan: TransactionPlan): boolean;
  /** Changes with every replacement. */
  version(): number;
  clear(): void;
}

export function createReorgs(seed: number, timeline: Timeline): Reorgs {
  let reorgs: Reorg[] = [];
  let version = 0;

  function covering(chain: Chain, block: number): number {
    let count = 0;
    for (const reorg of reorgs) {
      if (reorg.chain === chain.index && block >= reorg.firstBlock && block <= reorg.lastBlock) count += 1;
    }
    return count;
  }

  return {
    replace(chain, headBlock, depth) {
      reorgs.push({ chain: chain.index, firstBlock: headBlock - depth + 1, lastBlock: headBlock });
      version += 1;
    },
    generation: covering,
    drops(plan) {
      // Messages and creations stay: others already rely on them.
      if (reorgs.length === 0 || plan.message !== null || plan.created.length > 0) return false;
      const generations = covering(plan.chain, timeline.blockOf(plan.chain, plan.n).block);
      for (let generation = 1; generation <= generations; generation += 1) {
        if (mix(seed, plan.n, 0x4e0 + generation, plan.chain.index) % 4 === 0) return true;
      }
      return false;
    },
    version: () => version,
    clear() {
      reorgs = [];
      version += 1;
    },
  };
}
