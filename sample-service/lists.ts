import { ServiceError } from './errors.ts';
import type { EndpointDefinition } from '../src/shared/endpoints/define.ts';
import { writeAnswer } from './json.ts';
import type { Cursor, PageTokens } from './paging.ts';
import type { Params } from './parameters.ts';
import { unindexedChainId, type Chain } from './world/chains.ts';
import type { Transaction } from './world/transaction.ts';
import type { World } from './world/world.ts';

/** Answers one endpoint: a body for 200, as JSON in UTF-8 or to be written as such, or a thrown `ServiceError`. */
export type Handler = (params: Params, endpoint: EndpointDefinition) => unknown;

/** One record of a list, and where a page that begins with it would begin. */
export interface Entry extends Cursor {
  readonly write: () => unknown;
}

/** The chain that a call names; 404 for an unknown one, 503 for one that cannot be served. */
export function chainOf(world: World, params: Params): Chain {
  const id = params['chainId'] ?? '';
  const chain = world.findChain(id);
  if (chain === null) {
    throw new ServiceError(404, `Chain ${id} ${id === unindexedChainId ? 'is not indexed' : 'not found'}`);
  }
  if (chain.status === 'UNAVAILABLE') throw new ServiceError(503, `Chain ${id} is currently unavailable`);
  return chain;
}

/** The size of the cache of written pages: enough for two walks through 20,000 transactions. */
const keptBytes = 64_000_000;

const end = Buffer.from('}');

/** The transactions of a list, and the parts that it shows of them. */
export interface TransactionList {
  readonly chains: readonly Chain[];
  /** Only those in which this address takes part. */
  readonly address?: string;
  readonly order?: 'asc' | 'desc';
  /** The records of it that belong to the list; absent: the transaction as a whole. */
  readonly partsOf?: (transaction: Transaction) => readonly number[];
  readonly write?: (transaction: Transaction, part: number) => unknown;
}

export type Lists = ReturnType<typeof createLists>;

export function createLists(world: World, tokens: PageTokens) {
  const { records } = world;
  const kept = new Map<string, { json: Buffer; next: Cursor | null }>();
  let bytes = 0;
  let keptVersion = '';

  /** A cached page; the cache is emptied when the world changes or it is full. */
  function page(key: string, make: () => { json: Buffer; next: Cursor | null }) {
    if (keptVersion !== world.version() || bytes > keptBytes) {
      keptVersion = world.version();
      kept.clear();
      bytes = 0;
    }
    let found = kept.get(key);
    if (found === undefined) {
      found = make();
      bytes += found.json.length;
      kept.set(key, found);
    }
    return found;
  }

  const lists = {
    /**
     * One page of a list in the specification's envelope, as JSON in UTF-8. `list` makes its entries from a cursor on, or
     * from the start; they may depend only on the parameters and the world, because pages are cached.
     */
    page(
      params: Params,
      endpoint: EndpointDefinition,
      list: (from: Cursor | null) => Iterable<Entry>,
    ): Buffer {
      const { pageToken, pageSize, ...rest } = params;
      const query = JSON.stringify([endpoint.number, Object.entries(rest).sort()]);
      const from = pageToken === undefined ? null : tokens.redeem(pageToken, query);
      if (pageToken !== undefined && from === null) {
        throw new ServiceError(400, 'Page token is invalid or has expired');
      }
      const spec = endpoint.params['pageSize'];
      // 0 is legal on endpoint 8 without a stated meaning; here it means the maximum.
      const size = Number(pageSize ?? spec?.default ?? 10) || (spec?.max ?? 100);
      const { json, next } = page(`${size} ${from?.at} ${from?.part} ${query}`, () => {
        const items: unknown[] = [];
        for (const { at, part, write } of list(from)) {
          if (items.length === size) {
            return { json: Buffer.from(writeAnswer(endpoint.api, items)), next: { at, part } };
          }
          items.push(write());
        }
        return { json: Buffer.from(writeAnswer(endpoint.api, items)), next: null };
      });
      const token = next === null ? '' : `"nextPageToken":"${tokens.issue(next, query)}",`;
      const head = `{${token}"${endpoint.paging?.itemsKey ?? 'items'}":`;
      return Buffer.concat([Buffer.from(head), json, end]);
    },
    /** One page of transactions from `startBlock`, inclusive, to `endBlock`, exclusive. */
    transactions(params: Params, endpoint: EndpointDefinition, list: TransactionList): Buffer {
      const { chains, address, order = 'desc', partsOf = () => [0], write = records.native } = list;
      const [first, end] = [Number(params['startBlock'] ?? 0), Number(params['endBlock'] ?? Infinity)];
      const isInRange = (block: number) => block >= first && block < end;
      function* entries(from: Cursor | null): Generator<Entry, void> {
        for (const transaction of world.walk({ order, from: from?.at ?? null }, address)) {
          if (!chains.includes(transaction.chain) || !isInRange(records.blockNumber(transaction))) continue;
          const { place: at } = transaction;
          for (const part of partsOf(transaction)) {
            // Its first parts may be on the previous page.
            if (at === from?.at && part < from.part) continue;
            yield { at, part, write: () => write(transaction, part) };
          }
        }
      }
      return lists.page(params, endpoint, entries);
    },
  };
  return lists;
}

/** The places of the values that are wanted. */
export function placesWhere<T>(values: readonly T[], isWanted: (value: T) => boolean): number[] {
  return values.flatMap((value, place) => (isWanted(value) ? [place] : []));
}
