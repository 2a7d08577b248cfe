import { contractHandlers } from './contract-routes.ts';
import { ServiceError } from './errors.ts';
import {
  blockRange,
  chainOf,
  movePlaces,
  partEntries,
  remaining,
  transactionEntries,
  type Entry,
  type Handler,
  type Lists,
} from './lists.ts';
import type { Cursor } from './paging.ts';
import type { Params } from './parameters.ts';
import type { Chain } from './world/chains.ts';
import type { Entity } from './world/entities.ts';
import type { Order } from './world/history.ts';
import type { InternalCall, Move, TransactionPlan } from './world/plan.ts';
import type { NativeTransaction } from './world/wire.ts';
import type { World } from './world/world.ts';

/** The chain data interface, by the numbers of the specification. */
export function createDataHandlers(world: World, lists: Lists): Readonly<Record<number, Handler>> {
  const { records, timeline } = world;
  const native = (plan: TransactionPlan) => records.native(plan);

  /** The transactions of the address in `params`, from a cursor on; none for an address that nobody has. */
  function walk(params: Params, chain: Chain, order: Order, from: Cursor | null): Iterable<TransactionPlan> {
    const who = world.book.entityAt(params['address'] ?? '');
    if (who === null) return [];
    return world.history.walk(chain, who, remaining(blockRange(world, chain, params), from, order), order);
  }

  const blockAndHash = (plan: TransactionPlan) => ({
    ...records.block(plan),
    txHash: records.txHash(plan.chain, plan.n),
  });

  /** Records inside the transactions of an address of which it is sender or receiver. */
  function partsOfAddress(
    find: (plan: TransactionPlan, touches: (part: Move | InternalCall) => boolean) => number[],
    write: (plan: TransactionPlan, place: number) => object,
  ): Handler {
    return (params, endpoint) => {
      const chain = chainOf(world, params);
      const who: Entity | null = world.book.entityAt(params['address'] ?? '');
      const touches = (part: Move | InternalCall) => part.from === who || part.to === who;
      return lists.page(params, endpoint, (from) =>
        partEntries(
          walk(params, chain, 'desc', from),
          from,
          (plan) => find(plan, touches),
          (plan, place) => ({ ...blockAndHash(plan), ...write(plan, place) }),
        ),
      );
    };
  }

  function transfersOfAddress(kind: Move['kind']): Handler {
    return partsOfAddress(
      (plan, touches) => movePlaces(plan, (move) => move.kind === kind && touches(move)),
      (plan, place) => records.transfer(plan, place),
    );
  }

  /** Whether a transaction passes the `status` filter. */
  function statusFilter(params: Params): (plan: TransactionPlan) => boolean {
    const { status } = params;
    return (plan) => status === undefined || plan.success === (status === 'success');
  }

  /** The newest transactions of several chains, merged by time. */
  function* latest(
    chains: readonly Chain[],
    isWanted: (plan: TransactionPlan) => boolean,
    from: Cursor | null,
  ): Generator<Entry<NativeTransaction>, void> {
    const heads = chains.map((chain) => startOf(chain, from));
    for (;;) {
      let newest: { plan: TransactionPlan; position: number; source: (typeof heads)[number] } | null = null;
      for (const source of heads) {
        const plan = source.current();
        if (plan === null) continue;
        const position = timeline.positionOf(plan.chain, plan.n);
        if (newest === null || position > newest.position) newest = { plan, position, source };
      }
      if (newest === null) return;
      newest.source.advance();
      const { plan } = newest;
      if (isWanted(plan))
        yield { at: { chain: plan.chain.index, n: plan.n, part: 0 }, item: records.native(plan) };
    }
  }

  /** A chain's newest transactions that come after `from` in the merged order: older, or as old on a later chain. */
  function startOf(chain: Chain, from: Cursor | null) {
    let end = world.headCount(chain);
    const fromChain = from === null ? undefined : world.chains[from.chain];
    if (from !== null && fromChain !== undefined) {
      const limit = timeline.positionOf(fromChain, from.n);
      const isAfter = (n: number) => {
        const position = timeline.positionOf(chain, n);
        return position < limit || (position === limit && chain.index > fromChain.index);
      };
      if (chain === fromChain) end = Math.min(end, from.n + 1);
      else {
        end = Math.min(end, timeline.countBefore(chain, limit) + chain.slotCount);
        while (end > 0 && !isAfter(end - 1)) end -= 1;
      }
    }
    const plans = world.history.all(chain, { first: 0, end }, 'desc');
    let next = plans.next();
    return {
      current: () => (next.done === true ? null : next.value),
      advance() {
        next = plans.next();
      },
    };
  }

  return {
    ...contractHandlers(world, lists),

    1: (params, endpoint) => {
      const chain = chainOf(world, params);
      const order = params['sortOrder'] === 'asc' ? 'asc' : 'desc';
      const who = world.book.entityAt(params['address'] ?? '');
      return lists.page(params, endpoint, (from) =>
        who === null
          ? []
          : transactionEntries(walk(params, chain, order, from), (plan) => records.ofAddress(plan, who)),
      );
    },

    3: transfersOfAddress('erc1155'),
    4: transfersOfAddress('erc20'),

    6: partsOfAddress(
      (plan, touches) =>
        plan.internals.flatMap((call, place) => (isListedInternal(call) && touches(call) ? [place] : [])),
      (plan, place) => records.internal(plan, place),
    ),

    7: (params, endpoint) => {
      const chain = chainOf(world, params);
      const who = world.book.entityAt(params['address'] ?? '');
      return lists.page(params, endpoint, (from) =>
        transactionEntries(
          filtered(walk(params, chain, 'desc', from), (plan) => plan.sender === who || plan.to === who),
          native,
        ),
      );
    },

    8: (params, endpoint) => {
      const chain = chainOf(world, params);
      const block = blockOf(chain, params['blockId'] ?? '');
      const range = {
        first: timeline.firstInBlock(chain, block),
        end: Math.min(world.headCount(chain), timeline.firstInBlock(chain, block + 1)),
      };
      return lists.page(params, endpoint, (from) =>
        transactionEntries(world.history.all(chain, remaining(range, from, 'asc'), 'asc'), native),
      );
    },

    9: (params, endpoint) => {
      const chain = chainOf(world, params);
      return lists.page(params, endpoint, (from) => latest([chain], statusFilter(params), from));
    },

    11: (params) => {
      const chain = chainOf(world, params);
      const plan = world.findTransaction(chain, params['txHash'] ?? '');
      if (plan === null) throw new ServiceError(404, 'Transaction not found');
      return records.detail(plan, 'usd');
    },

    12: (params, endpoint) => {
      const { network } = params;
      const chains = world.chains.filter(
        (chain) =>
          chain.status === 'OK' &&
          (network === undefined || (chain.network === 'mainnet') === (network === 'mainnet')),
      );
      return lists.page(params, endpoint, (from) => latest(chains, statusFilter(params), from));
    },

    13: (params) => {
      const { indexed, unindexed } = world.chainsOf(world.book.entityAt(params['address'] ?? ''));
      return { indexedChains: indexed.map(chainRecord), unindexedChains: unindexed };
    },
  };

  /** The number of a block given by number or hash; 404 for one that is not, or no longer, part of the chain. */
  function blockOf(chain: Chain, id: string): number {
    let block = Number(id);
    if (id.startsWith('0x')) {
      const found = records.blockAt(id);
      const stands =
        found !== null &&
        found.chain === chain.index &&
        found.generation === world.reorgs.generation(chain, found.block);
      block = stands ? found.block : -1;
    }
    if (block < chain.firstBlock || block > timeline.headBlock(chain, world.nowSeconds())) {
      throw new ServiceError(404, 'Block not found');
    }
    return block;
  }
}

function* filtered<T>(values: Iterable<T>, isWanted: (value: T) => boolean): Generator<T, void> {
  for (const value of values) if (isWanted(value)) yield value;
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
