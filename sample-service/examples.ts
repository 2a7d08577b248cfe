import type { ReadyLine } from './options.ts';
import { cast } from './world/entities.ts';
import type { TransactionPlan } from './world/plan.ts';
import type { World } from './world/world.ts';

/** Parameters with which every endpoint returns something to look at. */
export function createExamples(world: World): ReadyLine['examples'] {
  const chain = world.chains[0];
  const collection = world.catalogue[0]?.find((contract) => contract.ercType === 'ERC-721');
  if (chain === undefined || collection === undefined) throw new Error('the sample world has no first chain');
  const all = { first: 0, end: world.headCount(chain) };
  let richest: TransactionPlan | null = null;
  for (const plan of world.history.walk(chain, cast.demo, all, 'desc')) {
    if (richest === null || partCount(plan) > partCount(richest)) richest = plan;
    if (partCount(plan) === allParts) break;
  }
  if (richest === null) throw new Error('the demo account of the sample world has no transactions');
  return {
    chainId: chain.chainId,
    address: world.book.addressOf(cast.demo),
    emptyAddress: world.book.addressOf(cast.empty),
    txHash: world.records.txHash(chain, richest.n),
    contract: world.book.addressOf(collection.entity),
    blockId: String(world.timeline.blockOf(chain, richest.n).block),
  };
}

const allParts = 5;

/** How many of the parts of a transaction detail are there: three kinds of transfers, internal ones, a message. */
function partCount(plan: TransactionPlan): number {
  const kinds = new Set(plan.moves.map((move) => move.kind)).size;
  return kinds + (plan.internals.length > 0 ? 1 : 0) + (plan.message === null ? 0 : 1);
}
