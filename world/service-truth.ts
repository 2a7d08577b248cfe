import { listIds, type ListId } from '../src/shared/activity/types.ts';
import type { HttpRequest } from '../src/main/core/ports.ts';
import { chanceOf } from './chance.ts';
import type { Oddity, ServicePlan } from './history.ts';
import type { Answer } from './network.ts';
import {
  addresses,
  elementsOf,
  hex,
  jsonOf,
  listOf,
  sortKey,
  withBlankSide,
  type Transaction,
} from './service-answers.ts';
import { minute, type WorldTime } from './time.ts';

interface Chain {
  id: string;
  head: number;
  forks: number;
  /** By address in lower case, oldest first. */
  transactions: Map<string, Transaction[]>;
}

/** An element as a page has it. */
interface Told {
  transaction: Transaction;
  json: unknown;
}

const units = 20;

/** A service of chain data with a truth: what it says when nothing is wrong. */
export class ServiceTruth {
  readonly url: string;
  readonly name: string;
  readonly plan: ServicePlan;
  readonly chains: Chain[];
  readonly lags = new Map<ListId, number>();
  readonly #lagged: { list: ListId; blocks: number; untilMs: number }[] = [];
  odd: { how: Oddity; pages: number } | null = null;
  /** Hashes that were ever told, and those of rows that were told oddly. */
  readonly told = new Set<string>();
  readonly toldOddly = new Set<string>();
  readonly poisoned = new Map<string, number>();
  /** When the truth last changed. */
  changedMs = 0;
  /** Requests about an address, by address in lower case. */
  readonly addressAsked = new Map<string, number>();
  /** Requests for pages, by chain, address in lower case and list. */
  readonly pagesAsked = new Map<string, number>();
  /** Transactions that came after the beginning. */
  readonly born = new Set<string>();
  /** When the newest transactions were asked for last, by chain and address in lower case. */
  readonly newsAskedMs = new Map<string, number>();
  /** When each was asked for last from a block on, as only the history does. */
  readonly askedMs = new Map<string, number>();
  readonly #time: WorldTime;
  readonly #seed: string;
  #windowMs = -1;
  #callsInWindow = 0;
  #tokens = new Map<string, string>();
  #issued = 0;
  #made = 0;

  constructor(
    time: WorldTime,
    which: number,
    plan: ServicePlan,
    { seed, count }: { seed: string; count: number },
  ) {
    this.#time = time;
    this.#seed = `${seed} ${which}`;
    this.plan = plan;
    this.name = `service${which}`;
    this.url = `https://${this.name}.example`;
    this.chains = Array.from({ length: plan.chains }, (_none, index) => ({
      id: String(43_114 + index),
      head: 0,
      forks: 0,
      transactions: new Map(),
    }));
    for (const chain of this.chains) {
      for (const address of addresses.slice(0, count)) this.#begin(chain, address.toLowerCase());
    }
  }

  #begin(chain: Chain, address: string): void {
    const { transactions, blocks, areRecent } = this.plan;
    const chance = chanceOf('chain', this.#seed, chain.id, address);
    const first = areRecent === true ? Math.ceil(blocks * 0.99) : 1;
    const made = Array.from({ length: transactions }, () => chance.from(first, blocks)).sort((a, b) => a - b);
    chain.head = Math.max(chain.head, blocks);
    chain.transactions.set(
      address,
      made.map((block, index) => this.#make(chain, block, index)),
    );
  }

  #make(chain: Chain, block: number, index: number): Transaction {
    this.#made += 1;
    const chance = chanceOf('transaction', this.#seed, chain.id, this.#made);
    const hash = `0x${hex(chance.from(0, 2 ** 31), 16)}${hex(this.#made, 16)}${hex(Number(chain.id), 16)}${hex(this.#seed.length, 15)}${this.name.slice(-1)}`;
    this.told.add(hash);
    if (this.#time.nowMs > 0) this.born.add(hash);
    const transfers = chance.pick([0, 0, 1, 2]);
    return {
      hash,
      block,
      index,
      blockHash: this.#blockHash(chain, block),
      sinceMs: this.#time.nowMs,
      transfers,
      bornMs: this.#time.nowMs > 0 ? this.#time.nowMs : null,
    };
  }

  #blockHash({ id, forks }: Chain, block: number): string {
    return `0x${hex(forks, 16)}${hex(block, 16)}${hex(Number(id), 16)}${hex(0, 15)}${this.name.slice(-1)}`;
  }

  /** New blocks with so many transactions. */
  grow(count: number, inNewestBlock = false): void {
    for (const chain of this.chains) {
      for (const list of chain.transactions.values()) {
        for (let made = 0; made < count; made += 1) {
          const newest = list.at(-1);
          if (inNewestBlock && made === 0 && newest !== undefined) {
            list.push({ ...this.#make(chain, newest.block, newest.index + 1), isLate: true });
            continue;
          }
          chain.head += 1 + (made % 3);
          list.push(this.#make(chain, chain.head, 0));
        }
      }
    }
    this.changedMs = this.#time.nowMs;
  }

  /** The newest blocks are replaced: some transactions are gone, others are in another block, all in blocks of another hash. */
  reorganise(blocks: number): void {
    for (const chain of this.chains) {
      const from = chain.head - blocks;
      chain.forks += 1;
      for (const [address, list] of chain.transactions) {
        const kept = list.filter(({ block }) => block <= from);
        const changed = list
          .filter(({ block }) => block > from)
          .flatMap((transaction) => {
            const chance = chanceOf('reorganised', this.#seed, transaction.hash, chain.forks);
            if (chance.happens(0.2)) return [];
            const block = Math.min(chain.head, transaction.block + (chance.happens(0.2) ? 1 : 0));
            return [
              { ...transaction, block, blockHash: this.#blockHash(chain, block), sinceMs: this.#time.nowMs },
            ];
          });
        chain.transactions.set(
          address,
          [...kept, ...changed].sort((a, b) => a.block - b.block || a.index - b.index),
        );
      }
    }
    this.changedMs = this.#time.nowMs;
  }

  /** The newest transactions are gone, and all others stay as they are. */
  takeBack(): void {
    for (const { transactions } of this.chains) for (const list of transactions.values()) list.pop();
    this.changedMs = this.#time.nowMs;
  }

  setLag(list: ListId, blocks: number): void {
    const before = this.lags.get(list) ?? 0;
    if (before > blocks) this.#lagged.push({ list, blocks: before, untilMs: this.#time.nowMs });
    this.lags.set(list, blocks);
    this.changedMs = this.#time.nowMs;
  }

  /** Since when the list shows the transaction as it is; Infinity while it does not. */
  visibleSinceMs(chainId: string, { block, sinceMs }: Transaction, list: ListId): number {
    const head = this.chains.find(({ id }) => id === chainId)?.head ?? 0;
    if (block > head - (this.lags.get(list) ?? 0)) return Infinity;
    const hidden = this.#lagged.filter((lag) => lag.list === list && block > head - lag.blocks - 1_000);
    return Math.max(sinceMs, ...hidden.map(({ untilMs }) => untilMs));
  }

  expireTokens(): void {
    this.#tokens.clear();
  }

  poison(count: number, status: number, areOldest = false): void {
    const first = this.chains[0]?.transactions.get(addresses[0].toLowerCase()) ?? [];
    const some = areOldest ? first.slice(0, count) : first.slice(-count);
    for (const { hash } of some) this.poisoned.set(hash, status);
  }

  /** Everything is told again, whole and in time. */
  heal(): void {
    this.odd = null;
    for (const [hash, status] of this.poisoned) if (status >= 500) this.poisoned.delete(hash);
    for (const list of listIds) if ((this.lags.get(list) ?? 0) > 0) this.setLag(list, 0);
  }

  /** What a list has now, newest first. */
  truth(chainId: string, address: string): readonly Transaction[] {
    const chain = this.chains.find(({ id }) => id === chainId);
    return [...(chain?.transactions.get(address.toLowerCase()) ?? [])].reverse();
  }

  answer(request: HttpRequest): Answer {
    const url = new URL(request.url);
    const about = /\/address(?:es)?\/(0x[0-9a-f]{40})\//i.exec(url.pathname)?.[1]?.toLowerCase();
    if (about !== undefined) this.addressAsked.set(about, (this.addressAsked.get(about) ?? 0) + 1);
    const limited = this.#limit();
    if (limited !== null) return limited;
    const chains = /^\/v1\/address\/(0x[0-9a-f]{40})\/chains$/i.exec(url.pathname);
    if (chains !== null) return this.#respond(this.#chainsOf(chains[1] ?? ''));
    const list = /^\/v1\/chains\/(\w+)\/addresses\/(0x[0-9a-f]{40})\/transactions(:\w+)?$/i.exec(
      url.pathname,
    );
    if (list !== null)
      return this.#page(list[1] ?? '', list[2] ?? '', listOf(list[3] ?? ''), url.searchParams);
    const detail = /^\/v1\/chains\/(\w+)\/transactions\/(0x\w+)$/.exec(url.pathname);
    if (detail !== null) return this.#detail(detail[1] ?? '', detail[2] ?? '');
    return this.#refuse(404, 'mistyped or missing');
  }

  #limit(): Answer | null {
    const { callsPerMinute } = this.plan;
    if (callsPerMinute === null) return null;
    const nowMs = this.#time.nowMs;
    const windowMs = nowMs - (nowMs % minute);
    if (windowMs !== this.#windowMs) {
      this.#windowMs = windowMs;
      this.#callsInWindow = 0;
    }
    this.#callsInWindow += 1;
    if (this.#callsInWindow <= callsPerMinute) return null;
    const seconds = Math.ceil((windowMs + minute - nowMs) / 1_000);
    return this.#refuse(429, 'too many', {
      'retry-after': String(seconds),
      'ratelimit-reset': String(seconds),
    });
  }

  #headers(): Record<string, string> {
    const { callsPerMinute, tellsLimits } = this.plan;
    if (callsPerMinute === null || !tellsLimits) return {};
    const left = Math.max(0, callsPerMinute - this.#callsInWindow) * units;
    return {
      'ratelimit-limit': String(callsPerMinute * units),
      'ratelimit-policy': `${callsPerMinute * units};w=60`,
      'ratelimit-remaining': String(left),
      'ratelimit-reset': String(Math.ceil((this.#windowMs + minute - this.#time.nowMs) / 1_000)),
    };
  }

  #respond(body: unknown): Answer {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return { status: 200, headers: { 'content-type': 'application/json', ...this.#headers() }, body: text };
  }

  #refuse(status: number, message: string, headers: Record<string, string> = {}): Answer {
    return {
      status,
      headers: { ...this.#headers(), ...headers },
      body: JSON.stringify({ message, statusCode: status, error: 'Error' }),
    };
  }

  /** The next answers are odd; null when this one is not. */
  #takeOdd(...which: readonly Oddity[]): Oddity | null {
    const { odd } = this;
    if (odd === null || !which.includes(odd.how)) return null;
    this.odd = odd.pages > 1 ? { ...odd, pages: odd.pages - 1 } : null;
    return odd.how;
  }

  #chainsOf(address: string): unknown {
    const active = this.chains.filter(
      ({ transactions }) => (transactions.get(address.toLowerCase())?.length ?? 0) > 0,
    );
    const indexedChains = active.map(({ id }) => ({
      chainId: id,
      chainName: `Chain ${id}`,
      status: 'OK',
      networkToken: { symbol: 'AVAX', decimals: 18 },
    }));
    switch (this.#takeOdd('chains-object', 'odd-chain')) {
      case 'chains-object':
        return { indexedChains: { first: indexedChains[0] }, unindexedChains: [] };
      case 'odd-chain':
        return {
          indexedChains: indexedChains.map((chain, index) =>
            index === 0 ? { ...chain, chainId: 43_114 } : chain,
          ),
          unindexedChains: [],
        };
      default:
        return { indexedChains, unindexedChains: ['99'] };
    }
  }

  #page(chainId: string, address: string, list: ListId, query: URLSearchParams): Answer {
    const chain = this.chains.find(({ id }) => id === chainId);
    if (chain === undefined) return this.#refuse(404, 'no such chain');
    const key = `${chainId} ${address.toLowerCase()} ${list}`;
    this.pagesAsked.set(key, (this.pagesAsked.get(key) ?? 0) + 1);
    const token = query.get('pageToken');
    if (list === 'transactions' && token === null && !query.has('endBlock'))
      this.newsAskedMs.set(`${chainId} ${address.toLowerCase()}`, this.#time.nowMs);
    if (this.odd === null && token === null && query.has('startBlock') && !query.has('endBlock'))
      this.askedMs.set(key, this.#time.nowMs);
    const cursor = token === null ? undefined : this.#tokens.get(token);
    if (token !== null && cursor === undefined) return this.#refuse(400, 'page token is unknown or expired');
    const from = Number(query.get('startBlock') ?? 0);
    const to = Math.min(
      Number(query.get('endBlock') ?? Infinity),
      chain.head - (this.lags.get(list) ?? 0) + 1,
    );
    const size = Math.min(Number(query.get('pageSize') ?? 10), this.plan.pageRows);
    const order = list === 'transactions' ? 'descending' : this.plan.otherOrder;
    const found = this.truth(chainId, address)
      .filter(({ block }) => block >= from && block < to)
      .flatMap((transaction) => elementsOf(transaction, list))
      .map((element) => ({ ...element, key: sortKey(element, order) }))
      .sort((a, b) => (a.key < b.key ? -1 : 1))
      // A token means "after this element", so that new ones do not shift the pages.
      .filter(({ key }) => cursor === undefined || key > cursor);
    const shown = found
      .slice(0, size)
      .map(({ transaction, key }) => ({ transaction, key, json: jsonOf(transaction, list, address) }));
    const last = shown.at(-1);
    let nextPageToken: string | undefined;
    if (found.length > shown.length && last !== undefined) {
      this.#issued += 1;
      nextPageToken = `token-${this.#issued}`;
      this.#tokens.set(nextPageToken, last.key);
    }
    return this.#respond(this.#asTold(shown, nextPageToken));
  }

  #asTold(shown: readonly Told[], nextPageToken: string | undefined): unknown {
    const whole = {
      transactions: shown.map(({ json }) => json),
      ...(nextPageToken === undefined ? {} : { nextPageToken }),
    };
    const [first, ...rest] = shown;
    if (first === undefined) return whole;
    const oddly = (transactions: unknown[]): unknown => {
      this.toldOddly.add(first.transaction.hash);
      return { ...whole, transactions };
    };
    if (nextPageToken !== undefined) {
      const odd = this.#takeOdd('token-number', 'token-object');
      if (odd !== null)
        return { ...whole, nextPageToken: odd === 'token-number' ? 7 : { token: nextPageToken } };
    }
    switch (this.#takeOdd('array-twice', 'no-array', 'odd-row', 'blank-side', 'duplicate-row', 'shuffled')) {
      case 'array-twice': {
        const half = Math.ceil(shown.length / 2);
        const text = (part: readonly Told[]): string => JSON.stringify(part.map(({ json }) => json));
        return `{"transactions":${text(shown.slice(0, half))},"transactions":${text(shown.slice(half))}}`;
      }
      case 'no-array':
        return { ...whole, transactions: undefined };
      case 'odd-row':
        return oddly([{ nativeTransaction: 'odd', txHash: 5 }, ...rest.map(({ json }) => json)]);
      case 'blank-side':
        return oddly([withBlankSide(first.json), ...rest.map(({ json }) => json)]);
      case 'duplicate-row':
        return { ...whole, transactions: [first.json, ...whole.transactions] };
      case 'shuffled':
        return { ...whole, transactions: [...whole.transactions].reverse() };
      default:
        return whole;
    }
  }

  #detail(chainId: string, hash: string): Answer {
    const chain = this.chains.find(({ id }) => id === chainId);
    const status = this.poisoned.get(hash.toLowerCase());
    if (status !== undefined) return this.#refuse(status, 'refused');
    for (const [address, list] of chain?.transactions ?? []) {
      const found = list.find((transaction) => transaction.hash === hash.toLowerCase());
      if (found === undefined) continue;
      const spelled = (text: string): string =>
        this.plan.spellsDetailsInCapitals ? text.slice(2).toUpperCase() : text;
      const told = { ...found, blockHash: spelled(found.blockHash) };
      return this.#respond(jsonOf(told, 'transactions', address, spelled(found.hash)));
    }
    return this.#refuse(404, 'mistyped or missing');
  }
}
