import type { EndpointDefinition } from '../src/shared/endpoints/define.ts';
import { ServiceError } from './errors.ts';
import { takePage, type Cursor, type PageTokens } from './paging.ts';
import type { Params } from './parameters.ts';
import { unindexedChainId, type Chain } from './world/chains.ts';
import type { Entity } from './world/entities.ts';
import type { Range } from './world/history.ts';
import type { TransactionPlan } from './world/plan.ts';
import type { World } from './world/world.ts';

/** Answers one endpoint: a body for 200, or a thrown `ServiceError`. */
export type Handler = (params: Params, endpoint: EndpointDefinition) => unknown;

type Entries<T> = Iterable<{ readonly at: Cursor; readonly item: T }>;

/** The chain data interface, by the ids of `src/shared/endpoints/registry.ts`. */
export function createDataHandlers(world: World, tokens: PageTokens): Readonly<Record<string, Handler>> {
  function chainOf(params: Params): Chain {
    const id = params['chainId'] ?? '';
    const chain = world.findChain(id);
    if (chain === null) {
      throw new ServiceError(
        404,
        id === unindexedChainId ? `Chain ${id} is not indexed` : `Chain ${id} not found`,
      );
    }
    if (chain.status === 'UNAVAILABLE') throw new ServiceError(503, `Chain ${id} is currently unavailable`);
    return chain;
  }

  /** Whose list is asked for; null for an address that nobody has. */
  function whoOf(params: Params): Entity | null {
    return world.book.entityAt(params['address'] ?? '');
  }

  function blockRange(chain: Chain, params: Params): Range {
    const { startBlock, endBlock } = params;
    const head = world.headCount(chain);
    return {
      first: startBlock === undefined ? 0 : world.timeline.firstInBlock(chain, Number(startBlock)),
      end:
        endBlock === undefined ? head : Math.min(head, world.timeline.firstInBlock(chain, Number(endBlock))),
    };
  }

  /** One page of a list. `list` makes its entries from a cursor on, or from the beginning. */
  function page<T>(
    params: Params,
    endpoint: EndpointDefinition,
    list: (from: Cursor | null) => Entries<T>,
  ): Record<string, unknown> {
    const { pageToken, pageSize, ...rest } = params;
    const query = JSON.stringify([endpoint.id, Object.entries(rest).sort()]);
    const from = pageToken === undefined ? null : tokens.redeem(pageToken, query);
    if (pageToken !== undefined && from === null) {
      throw new ServiceError(400, 'Page token is invalid or has expired');
    }
    const size = Number(pageSize ?? endpoint.params['pageSize']?.default ?? 10);
    const { items, next } = takePage(list(from), size);
    return {
      ...(next === null ? {} : { nextPageToken: tokens.issue(next, query) }),
      [endpoint.paging?.itemsKey ?? 'items']: items,
    };
  }

  /** The transactions of an address from a cursor on. */
  function* walk(
    params: Params,
    order: 'asc' | 'desc',
    from: Cursor | null,
  ): Generator<{ plan: TransactionPlan; who: Entity }, void> {
    const chain = chainOf(params);
    const who = whoOf(params);
    if (who === null) return;
    const range = blockRange(chain, params);
    const remaining =
      from === null
        ? range
        : order === 'desc'
          ? { first: range.first, end: Math.min(range.end, from.n + 1) }
          : { first: Math.max(range.first, from.n), end: range.end };
    for (const plan of world.history.walk(chain, who, remaining, order)) yield { plan, who };
  }

  /** Records within transactions, newest transaction first; `places` lists those of a transaction that count. */
  function* recordsOf<T>(
    params: Params,
    from: Cursor | null,
    places: (plan: TransactionPlan, who: Entity) => number[],
    write: (plan: TransactionPlan, place: number) => T,
  ): Entries<T> & Generator<{ at: Cursor; item: T }, void> {
    for (const { plan, who } of walk(params, 'desc', from)) {
      for (const place of places(plan, who)) {
        if (from !== null && plan.n === from.n && place < from.part) continue;
        yield { at: { chain: plan.chain.index, n: plan.n, part: place }, item: write(plan, place) };
      }
    }
  }

  return {
    'address-transactions': (params, endpoint) => {
      const order = params['sortOrder'] === 'asc' ? 'asc' : 'desc';
      chainOf(params);
      return page(params, endpoint, function* (from) {
        for (const { plan, who } of walk(params, order, from)) {
          yield {
            at: { chain: plan.chain.index, n: plan.n, part: 0 },
            item: world.records.ofAddress(plan, who),
          };
        }
      });
    },

    'address-erc20-transfers': (params, endpoint) => {
      chainOf(params);
      return page(params, endpoint, (from) =>
        recordsOf(
          params,
          from,
          (plan, who) =>
            plan.moves.flatMap((move, place) =>
              move.kind === 'erc20' && (move.from === who || move.to === who) ? [place] : [],
            ),
          (plan, place) => ({
            ...world.records.block(plan),
            txHash: world.records.txHash(plan.chain, plan.n),
            ...world.records.transfer(plan, place),
          }),
        ),
      );
    },

    'chain-transactions': (params, endpoint) => {
      const chain = chainOf(params);
      const wanted = params['status'] === undefined ? null : params['status'] === 'success';
      return page(params, endpoint, function* (from) {
        for (let n = from?.n ?? world.headCount(chain) - 1; n >= 0; n -= 1) {
          const plan = world.transactions.plan(chain, n);
          if (wanted !== null && plan.success !== wanted) continue;
          yield { at: { chain: chain.index, n, part: 0 }, item: world.records.native(plan) };
        }
      });
    },

    transaction: (params) => {
      const chain = chainOf(params);
      const found = world.records.transactionAt(params['txHash'] ?? '');
      if (found === null || found.chain !== chain.index || found.n >= world.headCount(chain)) {
        throw new ServiceError(404, 'Transaction not found');
      }
      return world.records.detail(world.transactions.plan(chain, found.n), 'usd');
    },

    'address-chains': (params) => {
      const { indexed, unindexed } = world.chainsOf(whoOf(params));
      return { indexedChains: indexed.map(chainRecord), unindexedChains: unindexed };
    },
  };
}

/** A chain as endpoint 13 shows it. */
export function chainRecord(chain: Chain): Record<string, unknown> {
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
