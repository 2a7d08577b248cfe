import { contractHandlers } from './contract-routes.ts';
import { ServiceError } from './errors.ts';
import { chainOf, placesWhere, type Handler, type Lists } from './lists.ts';
import type { Params } from './parameters.ts';
import { unindexedChainId, type Chain } from './world/chains.ts';
import type { InternalCall, Move, Transaction } from './world/transaction.ts';
import type { World } from './world/world.ts';

/** The chain data interface, by the numbers of the specification. */
export function createDataHandlers(world: World, lists: Lists): Readonly<Record<number, Handler>> {
  const { records, timeline } = world;
  const addressOf = (params: Params) => params['address']?.toLowerCase() ?? '';

  /** Records inside the transactions of an address of which it is sender or receiver. */
  function partsOfAddress(
    find: (transaction: Transaction, touches: (part: Move | InternalCall) => boolean) => number[],
    write: (transaction: Transaction, place: number) => object,
  ): Handler {
    return (params, endpoint) => {
      const address = addressOf(params);
      const touches = (part: Move | InternalCall) => part.from === address || part.to === address;
      return lists.transactions(params, endpoint, {
        chains: [chainOf(world, params)],
        address,
        partsOf: (transaction) => find(transaction, touches),
        write: (transaction, place) => ({
          ...records.block(transaction),
          txHash: records.hash(transaction),
          ...write(transaction, place),
        }),
      });
    };
  }

  function transfersOfAddress(kind: Move['kind']): Handler {
    return partsOfAddress(
      ({ deed }, touches) => placesWhere(deed.moves, (move) => move.kind === kind && touches(move)),
      (transaction, place) => records.transfer(transaction, place),
    );
  }

  /** Whole transactions that meet a condition. */
  const where = (isWanted: (transaction: Transaction) => boolean) => (transaction: Transaction) =>
    isWanted(transaction) ? [0] : [];

  const withStatus = ({ status }: Params) =>
    where(({ deed }) => status === undefined || deed.success === (status === 'success'));

  return {
    ...contractHandlers(world, lists),

    1: (params, endpoint) => {
      const address = addressOf(params);
      return lists.transactions(params, endpoint, {
        chains: [chainOf(world, params)],
        address,
        order: params['sortOrder'] === 'asc' ? 'asc' : 'desc',
        write: (transaction) => records.ofAddress(transaction, address),
      });
    },

    3: transfersOfAddress('erc1155'),
    4: transfersOfAddress('erc20'),

    6: partsOfAddress(
      ({ deed }, touches) => placesWhere(deed.internals, (call) => isListedInternal(call) && touches(call)),
      (transaction, place) => records.internal(transaction, place),
    ),

    7: (params, endpoint) => {
      const address = addressOf(params);
      const chains = [chainOf(world, params)];
      const partsOf = where(({ sender, deed }) => sender === address || deed.to === address);
      return lists.transactions(params, endpoint, { chains, address, partsOf });
    },

    8: (params, endpoint) => {
      const chain = chainOf(world, params);
      const seconds = timeline.blockSeconds(chain, blockOf(chain, params['blockId'] ?? ''));
      const partsOf = where((transaction) => transaction.seconds === seconds);
      return lists.transactions(params, endpoint, { chains: [chain], order: 'asc', partsOf });
    },

    9: (params, endpoint) =>
      lists.transactions(params, endpoint, {
        chains: [chainOf(world, params)],
        partsOf: withStatus(params),
      }),

    11: (params) => {
      const transaction = world.findTransaction(chainOf(world, params), params['txHash'] ?? '');
      if (transaction === null) throw new ServiceError(404, 'Transaction not found');
      return records.detail(transaction, 'usd');
    },

    12: (params, endpoint) => {
      const { network } = params;
      const chains = world.chains.filter(
        (chain) =>
          chain.status === 'OK' &&
          (network === undefined || (chain.network === 'mainnet') === (network === 'mainnet')),
      );
      return lists.transactions(params, endpoint, { chains, partsOf: withStatus(params) });
    },

    13: (params) => {
      const address = addressOf(params);
      const own = new Set([...world.walk({ order: 'desc', from: null }, address)].map(({ chain }) => chain));
      return {
        indexedChains: world.chains.filter((chain) => own.has(chain)).map(chainRecord),
        unindexedChains: address === world.cast.demo ? [unindexedChainId] : [],
      };
    },
  };

  /** The number of a block given by number or hash; 404 for one that is not, or no longer, part of the chain. */
  function blockOf(chain: Chain, id: string): number {
    let block = Number(id);
    if (id.startsWith('0x')) {
      // Clients can only know hashes of blocks with transactions.
      block = -1;
      for (const transaction of world.walk({ order: 'desc', from: null })) {
        if (transaction.chain !== chain || records.blockHash(transaction) !== id.toLowerCase()) continue;
        block = records.blockNumber(transaction);
        break;
      }
    }
    if (block < chain.firstBlock || block > world.headBlock(chain)) {
      throw new ServiceError(404, 'Block not found');
    }
    return block;
  }
}

/** Which internal transactions endpoint 6 lists: calls that move value, and creations. */
function isListedInternal({ type, value }: InternalCall): boolean {
  if (type === 'CALL' || type === 'CALLCODE') return value > 0n;
  return type === 'CREATE' || type === 'CREATE2' || type === 'CREATE3';
}

/** A chain as endpoint 13 shows it. */
function chainRecord(chain: Chain): Record<string, unknown> {
  const base = `https://${chain.chainId}.chains.sample.example`;
  return {
    chainId: chain.chainId,
    status: chain.status,
    chainName: chain.name,
    description: chain.description,
    platformChainId: chain.blockchainId,
    subnetId: chain.subnetId,
    vmId: chain.vmId,
    vmName: 'EVM',
    explorerUrl: `${base}/explorer`,
    rpcUrl: `${base}/rpc`,
    wsUrl: base.replace('https:', 'wss:'),
    isTestnet: chain.network !== 'mainnet',
    private: false,
    chainLogoUri: `https://assets.sample.example/chains/${chain.chainId}.png`,
    enabledFeatures: chain.features,
    utilityAddresses: { multicall: '0xcA11bde05977b3631167028862bE2a173976CA11' },
    networkToken: chain.token,
  };
}
