import { createAccounts, type Accounts } from './accounts.ts';
import { createChains, unindexedChainId, type Chain } from './chains.ts';
import { createContracts, type Catalogue } from './contracts.ts';
import { cast, createAddressBook, type AddressBook, type Entity } from './entities.ts';
import { createHistory, type History } from './history.ts';
import { createRecords, type Records } from './records.ts';
import { createTimeline, type Timeline } from './timeline.ts';
import { createTransactions, type Transactions } from './transactions.ts';
import type { Names } from './wire.ts';

/** Epochs before the start at scale 1: as many transactions as the busiest address has. */
const epochsAtScaleOne = 20_000;

export interface WorldOptions {
  readonly seed: number;
  /** 1 is the usual size; from 0.01 to 1000. Grows the chains and `cast.whale`, leaves the other accounts alone. */
  readonly scale: number;
  readonly names: Names;
  /** When the service started, in seconds since 1970: transactions end shortly before. */
  readonly startSeconds: number;
  /** The present of the chains, in seconds since 1970; later than the start once a clock was stepped. */
  readonly nowSeconds: () => number;
}

/** All that the service knows about chains and addresses, made on demand from the seed. */
export interface World {
  readonly seed: number;
  readonly chains: readonly Chain[];
  readonly catalogue: Catalogue;
  readonly timeline: Timeline;
  readonly accounts: Accounts;
  readonly book: AddressBook;
  readonly transactions: Transactions;
  readonly history: History;
  readonly records: Records;
  nowSeconds(): number;
  /** By EVM chain id or blockchain id. */
  findChain(id: string): Chain | null;
  /** How many transactions a chain has at present. */
  headCount(chain: Chain): number;
  /** Chains on which an address has taken part in something, and ids of further ones that nobody indexed. */
  chainsOf(who: Entity | null): { indexed: Chain[]; unindexed: string[] };
}

export function createWorld(options: WorldOptions): World {
  const { seed, names, nowSeconds } = options;
  const chains = createChains(seed);
  const startEpoch = Math.round(epochsAtScaleOne * options.scale);
  const timeline = createTimeline(seed, options.startSeconds, startEpoch);
  const catalogue = chains.map((chain) => createContracts(chain, startEpoch));
  const accounts = createAccounts(seed, startEpoch, chains);
  const transactions = createTransactions(seed, chains, catalogue, accounts);
  const book = createAddressBook(seed, (chainIndex, n) => {
    const chain = chains[chainIndex];
    if (chain === undefined) throw new RangeError(`no chain ${chainIndex} in the sample world`);
    return transactions.imitated(chain, n);
  });
  const history = createHistory(seed, accounts, transactions, catalogue);
  const records = createRecords(seed, names, book, timeline, catalogue, nowSeconds);

  function headCount(chain: Chain): number {
    return timeline.headCount(chain, nowSeconds());
  }

  function takesPart(chain: Chain, who: Entity): boolean {
    const all = { first: 0, end: headCount(chain) };
    return history.walk(chain, who, all, 'desc').next().done !== true;
  }

  return {
    seed,
    chains,
    catalogue,
    timeline,
    accounts,
    book,
    transactions,
    history,
    records,
    nowSeconds,
    headCount,
    findChain: (id) => chains.find((chain) => chain.chainId === id || chain.blockchainId === id) ?? null,
    chainsOf(who) {
      if (who === null) return { indexed: [], unindexed: [] };
      return {
        indexed: chains.filter((chain) => takesPart(chain, who)),
        unindexed: who === cast.demo ? [unindexedChainId] : [],
      };
    },
  };
}
