import { createAccounts, slotPlan, type Accounts } from './accounts.ts';
import { createChains, unindexedChainId, type Chain } from './chains.ts';
import { createContracts, type Catalogue } from './contracts.ts';
import {
  cast,
  createAddressBook,
  entityChain,
  entityIndex,
  entityKind,
  entityKinds,
  type AddressBook,
  type Entity,
} from './entities.ts';
import { createHistory, type History } from './history.ts';
import { createReorgs, type Reorgs } from './reorgs.ts';
import { createRecords, type Records } from './records.ts';
import { createTimeline, type Timeline } from './timeline.ts';
import type { TransactionPlan } from './plan.ts';
import { createTransactions, creationOf, type Transactions } from './transactions.ts';
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
  readonly reorgs: Reorgs;
  nowSeconds(): number;
  /** By EVM chain id or blockchain id. */
  findChain(id: string): Chain | null;
  /** The transaction with this hash, unless it lies in the future, is on another chain or fell out of it. */
  findTransaction(chain: Chain, hash: string): TransactionPlan | null;
  /** The transaction that created a contract; null for what is no contract of the chain, or not yet. */
  findDeployment(chain: Chain, contract: Entity): TransactionPlan | null;
  /** How many transactions a chain has at present, those that fell out of it included. */
  headCount(chain: Chain): number;
  /** Chains on which an address has taken part in something, and ids of further ones that nobody indexed. */
  chainsOf(who: Entity | null): { indexed: Chain[]; unindexed: string[] };
}

export function createWorld(options: WorldOptions): World {
  const { seed, names, nowSeconds } = options;
  const chains = createChains(seed);
  const startEpoch = Math.round(epochsAtScaleOne * options.scale);
  const timeline = createTimeline(seed, options.startSeconds, startEpoch);
  const catalogue = chains.map((chain) => createContracts(chain, startEpoch, names === 'upstream'));
  const accounts = createAccounts(seed, startEpoch, chains);
  const transactions = createTransactions(seed, chains, catalogue, accounts);
  const book = createAddressBook(seed, (chainIndex, n) => {
    const chain = chains[chainIndex];
    if (chain === undefined) throw new RangeError(`no chain ${chainIndex} in the sample world`);
    return transactions.imitated(chain, n);
  });
  const reorgs = createReorgs(seed, timeline);
  const history = createHistory(accounts, transactions, catalogue, reorgs);
  const records = createRecords(seed, names, book, timeline, catalogue, reorgs, nowSeconds);

  function headCount(chain: Chain): number {
    return timeline.headCount(chain, nowSeconds());
  }

  function standing(chain: Chain, n: number): TransactionPlan | null {
    if (n < 0 || n >= headCount(chain)) return null;
    const plan = transactions.plan(chain, n);
    return reorgs.drops(plan) ? null : plan;
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
    reorgs,
    nowSeconds,
    headCount,
    findTransaction(chain, hash) {
      const found = records.transactionAt(hash);
      return found === null || found.chain !== chain.index ? null : standing(chain, found.n);
    },
    findDeployment(chain, contract) {
      if (entityChain(contract) !== chain.index) return null;
      const known =
        entityKind(contract) === entityKinds.contract && catalogue[chain.index]?.[entityIndex(contract)];
      const n = known ? known.epoch * chain.slotCount + slotPlan(chain).deploy : creationOf(contract);
      const plan = standing(chain, n);
      return plan?.created.includes(contract) === true ? plan : null;
    },
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
