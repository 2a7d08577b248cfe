import type { Examples } from './options.ts';
import { primarySubnetId, unindexedChainId, type Chain } from './world/chains.ts';
import type { Contract } from './world/contracts.ts';
import { cast } from './world/entities.ts';
import { sampleNodeId } from './world/identifiers.ts';
import { messageRoutes, newestDelivery } from './world/messages.ts';
import type { TransactionPlan } from './world/plan.ts';
import type { World } from './world/world.ts';

/** Finds, in any world, parameters with which every endpoint returns something to look at. */
export function createExamples(world: World): Examples {
  const chain = present(world.chains[0], 'chain');
  const { chainId } = chain;
  const address = world.book.addressOf(cast.demo);
  const deployer = world.book.addressOf(cast.deployer);
  const rich = richestOf(world, chain);
  const txHash = world.records.txHash(chain, rich.n);
  const blockId = String(world.timeline.blockOf(chain, rich.n).block);
  const contract = (name: string, isWanted: (contract: Contract) => boolean) =>
    world.book.addressOf(present(world.catalogue[0]?.find(isWanted), name).entity);
  const contracts = {
    erc20: contract('ERC-20', ({ role }) => role === 'erc20'),
    // With upstream names it has 0, because their schema requires some.
    erc20WithoutDecimals: contract('ERC-20 without decimals', ({ symbol }) => symbol === 'PTS'),
    erc721: contract('ERC-721', ({ ercType }) => ercType === 'ERC-721'),
    erc1155: contract('ERC-1155', ({ ercType }) => ercType === 'ERC-1155'),
    other: contract('other', ({ role }) => role === 'router'),
  };
  const served = world.chains.filter(({ status }) => status === 'OK');
  const message = newestMessage(world, chain);
  const nodeId = sampleNodeId(world.seed, 0);
  const ofAddress = { chainId, address };

  return {
    chainId,
    address,
    emptyAddress: world.book.addressOf(cast.empty),
    txHash,
    contract: contracts.erc721,
    blockId,
    chainIds: served.map((each) => each.chainId),
    unavailableChainId: present(
      world.chains.find(({ status }) => status === 'UNAVAILABLE'),
      'unavailable chain',
    ).chainId,
    unindexedChainId,
    addresses: {
      one: world.book.addressOf(cast.one),
      thirty: world.book.addressOf(cast.thirty),
      busy: world.book.addressOf(cast.busy),
      whale: world.book.addressOf(cast.whale),
      whaleChainId: present(world.chains[2], 'third chain').chainId,
    },
    contracts,
    deployer,
    plainTxHash: world.records.txHash(chain, newestWhere(world, chain, isPlain).n),
    message,
    nodeId,
    subnetIds: [...new Set(world.chains.map(({ subnetId }) => subnetId))],
    blockchainIds: world.chains.map(({ blockchainId }) => blockchainId),
    endpoints: {
      1: { ...ofAddress, sortOrder: 'desc' },
      2: { chainId, address: contracts.erc721, currency: 'eur' },
      3: ofAddress,
      4: ofAddress,
      5: { chainId, address: contracts.erc20 },
      6: ofAddress,
      7: ofAddress,
      8: { chainId, blockId },
      9: { chainId, status: 'success' },
      10: { chainId, address: deployer },
      11: { chainId, txHash },
      12: { network: 'mainnet' },
      13: { address },
      14: { network: 'mainnet', metric: 'validatorWeight', subnetId: primarySubnetId },
      15: { chainId, metric: 'txCount' },
      16: { nodeId, metric: 'perNodeDailyFeesPaid' },
      17: { timeInterval: 'day', groupBy: 'srcBlockchainId,destBlockchainId', network: 'mainnet' },
    },
  };
}

function newestWhere(
  world: World,
  chain: Chain,
  isWanted: (plan: TransactionPlan) => boolean,
): TransactionPlan {
  for (const plan of world.history.all(chain, { first: 0, end: world.headCount(chain) }, 'desc')) {
    if (isWanted(plan)) return plan;
  }
  throw new Error(`chain ${chain.chainId} of the sample world has no such transaction`);
}

function isPlain(plan: TransactionPlan): boolean {
  return plan.success && plan.method.callType === 'NATIVE_TRANSFER';
}

/** The demo account's newest transaction with all parts. */
function richestOf(world: World, chain: Chain): TransactionPlan {
  const range = { first: 0, end: world.headCount(chain) };
  let richest: TransactionPlan | null = null;
  for (const plan of world.history.walk(chain, cast.demo, range, 'desc')) {
    if (richest === null || partCount(plan) > partCount(richest)) richest = plan;
    if (partCount(richest) === allParts) break;
  }
  return present(richest, 'transaction of the demo account');
}

const allParts = 5;

/** How many of the parts of a transaction detail are there: three kinds of transfers, internal ones, a message. */
function partCount(plan: TransactionPlan): number {
  const kinds = new Set(plan.moves.map((move) => move.kind)).size;
  return kinds + (plan.internals.length > 0 ? 1 : 0) + (plan.message === null ? 0 : 1);
}

/** Both halves of the newest message that left a chain and arrived. */
function newestMessage(world: World, source: Chain): Examples['message'] {
  const route = present(
    messageRoutes(world).find((candidate) => candidate.source === source),
    'message route',
  );
  const { sentN, receivedN } = present(newestDelivery(world, route), 'delivered message');
  return {
    sourceChainId: source.chainId,
    sourceTxHash: world.records.txHash(source, sentN),
    destinationChainId: route.destination.chainId,
    destinationTxHash: world.records.txHash(route.destination, receivedN),
  };
}

function present<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(`the sample world has no ${what}`);
  return value;
}
