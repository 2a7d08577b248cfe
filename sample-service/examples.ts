import { primarySubnetId } from './world/chains.ts';
import type { Contract } from './world/contracts.ts';
import { sampleNodeId } from './world/identifiers.ts';
import type { Transaction } from './world/transaction.ts';
import type { World } from './world/world.ts';

/** Parameters that return something, by default on the chain `chainId`. */
export type Examples = ReturnType<typeof createExamples>;

/** Finds, in any world, parameters with which every endpoint returns data. */
export function createExamples(world: World) {
  const { cast, chains, records } = world;
  const chain = present(chains[0], 'chain');
  const { chainId } = chain;
  const address = records.spell(cast.demo);
  const newest = (what: string, isWanted: (transaction: Transaction) => boolean, who?: string) => {
    for (const transaction of world.walk({ order: 'desc', from: null }, who)) {
      if (isWanted(transaction)) return transaction;
    }
    throw new Error(`the sample world has no ${what}`);
  };
  const isSent = ({ message }: Transaction) => message?.direction === 'SOURCE_TRANSACTION';
  const rich = newest('message', (found) => found.chain === chain && isSent(found), cast.demo);
  const txHash = records.hash(rich);
  const blockId = String(records.blockNumber(rich));
  const contract = (name: string, isWanted: (contract: Contract) => boolean) =>
    records.spell(present(world.contracts.find(isWanted), name).address);
  const contracts = {
    erc20: contract('ERC-20', ({ role }) => role === 'erc20'),
    erc721: contract('ERC-721', ({ ercType }) => ercType === 'ERC-721'),
    erc1155: contract('ERC-1155', ({ ercType }) => ercType === 'ERC-1155'),
    other: contract('other', ({ role }) => role === 'router'),
  };
  const received = newest(
    'arrival',
    ({ message }) => message?.source === chain && message.direction !== 'SOURCE_TRANSACTION',
  );
  const sent = newest('message', (found) => isSent(found) && found.message?.id === received.message?.id);
  const deployer = records.spell(cast.deployer);
  const nodeId = sampleNodeId(world.seed, 0);
  const ofAddress = { chainId, address };

  /** Complete parameters for each endpoint, by its number in the specification. */
  const endpoints: Readonly<Record<string, Readonly<Record<string, string>>>> = {
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
  };

  return {
    chainId,
    /** The demo account: several chains, every kind of record. */
    address,
    emptyAddress: records.spell(cast.empty),
    /** A transaction with every part that a detail can have, and its block. */
    txHash,
    blockId,
    /** All chains that answer. */
    chainIds: chains.filter(({ status }) => status === 'OK').map((each) => each.chainId),
    /** Addresses with 30 and with 20,000 × scale transactions. */
    addresses: { thirty: records.spell(cast.thirty), busy: records.spell(cast.busy) },
    contracts,
    deployer,
    /** Both halves of one message. */
    message: {
      sourceChainId: sent.chain.chainId,
      sourceTxHash: records.hash(sent),
      destinationChainId: received.chain.chainId,
      destinationTxHash: records.hash(received),
    },
    /** A validator that pays fees. */
    nodeId,
    subnetIds: [...new Set(chains.map(({ subnetId }) => subnetId))],
    endpoints,
  };
}

function present<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`the sample world has no ${what}`);
  return value;
}
