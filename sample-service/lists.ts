import { ServiceError } from './errors.ts';
import type { ServedEndpoint } from './endpoint-table.ts';
import { writeAnswer } from './json.ts';
import { createPageCache } from './page-cache.ts';
import { takePage, type Cursor, type PageTokens } from './paging.ts';
import type { Params } from './parameters.ts';
import { unindexedChainId, type Chain } from './world/chains.ts';
import type { Range } from './world/history.ts';
import type { Move, TransactionPlan } from './world/plan.ts';
import type { World } from './world/world.ts';

/** Answers one endpoint: a body for 200, as JSON in UTF-8 or to be written as such, or a thrown `ServiceError`. */
export type Handler = (params: Params, endpoint: ServedEndpoint) => unknown;

export interface Entry<T> {
  /** Where a page that begins with this item would begin. */
  readonly at: Cursor;
  readonly item: T;
}

/** The chain that a call names; 404 for an unknown one, 503 for one that cannot be served. */
export function chainOf(world: World, params: Params): Chain {
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

/** The transactions from `startBlock`, inclusive, to `endBlock`, exclusive, as far as they have happened. */
export function blockRange(world: World, chain: Chain, params: Params): Range {
  const { startBlock, endBlock } = params;
  const head = world.headCount(chain);
  return {
    first: startBlock === undefined ? 0 : world.timeline.firstInBlock(chain, Number(startBlock)),
    end: endBlock === undefined ? head : Math.min(head, world.timeline.firstInBlock(chain, Number(endBlock))),
  };
}

/** The part of a range that a page from `cursor` on still has before it. */
export function remaining(range: Range, cursor: Cursor | null, order: 'asc' | 'desc'): Range {
  if (cursor === null) return range;
  return order === 'desc'
    ? { first: range.first, end: Math.min(range.end, cursor.n + 1) }
    : { first: Math.max(range.first, cursor.n), end: range.end };
}

/** Pages that are kept: two walks through 20,000 transactions. */
const keptBytes = 64_000_000;

const end = Buffer.from('}');

export interface Lists {
  /**
   * One page of a list in the specification's envelope, as JSON in UTF-8. `list` makes its entries from a cursor on, or from the
   * start; they may depend on the parameters and on the world, and on nothing else.
   */
  page(
    params: Params,
    endpoint: ServedEndpoint,
    list: (from: Cursor | null) => Iterable<Entry<unknown>>,
  ): Buffer;
}

export function createLists(world: World, tokens: PageTokens): Lists {
  const pages = createPageCache<Cursor | null>(
    keptBytes,
    () => `${world.reorgs.version()} ${world.nowSeconds()}`,
  );
  return {
    page(params, endpoint, list) {
      const { pageToken, pageSize, ...rest } = params;
      const query = JSON.stringify([endpoint.number, Object.entries(rest).sort()]);
      const from = pageToken === undefined ? null : tokens.redeem(pageToken, query);
      if (pageToken !== undefined && from === null) {
        throw new ServiceError(400, 'Page token is invalid or has expired');
      }
      const spec = endpoint.params['pageSize'];
      // 0 is legal on endpoint 8 and has no stated meaning; here it asks for as much as there is.
      const size = Number(pageSize ?? spec?.default ?? 10) || (spec?.max ?? 100);
      const start = from === null ? '' : `${from.chain} ${from.n} ${from.part}`;
      const { json, next } = pages.get(`${size} ${start} ${query}`, () => {
        const taken = takePage(list(from), size);
        return { json: Buffer.from(writeAnswer(endpoint.api, taken.items)), next: taken.next };
      });
      const token = next === null ? '' : `"nextPageToken":"${tokens.issue(next, query)}",`;
      const head = `{${token}"${endpoint.paging?.itemsKey ?? 'items'}":`;
      return Buffer.concat([Buffer.from(head), json, end]);
    },
  };
}

/** Whole transactions as list entries. */
export function* transactionEntries<T>(
  plans: Iterable<TransactionPlan>,
  write: (plan: TransactionPlan) => T,
): Generator<Entry<T>, void> {
  for (const plan of plans) yield { at: { chain: plan.chain.index, n: plan.n, part: 0 }, item: write(plan) };
}

/**
 * Records inside transactions as list entries. `places` names those of a transaction that belong to the list; the first
 * transaction may have been begun on the page before.
 */
export function* partEntries<T>(
  plans: Iterable<TransactionPlan>,
  from: Cursor | null,
  places: (plan: TransactionPlan) => number[],
  write: (plan: TransactionPlan, place: number) => T,
): Generator<Entry<T>, void> {
  for (const plan of plans) {
    for (const place of places(plan)) {
      if (from !== null && plan.n === from.n && place < from.part) continue;
      yield { at: { chain: plan.chain.index, n: plan.n, part: place }, item: write(plan, place) };
    }
  }
}

/** The places of a transaction's moves that are wanted. */
export function movePlaces(plan: TransactionPlan, isWanted: (move: Move) => boolean): number[] {
  return plan.moves.flatMap((move, place) => (isWanted(move) ? [place] : []));
}
