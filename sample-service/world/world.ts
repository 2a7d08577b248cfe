import { createChains, type Chain } from './chains.ts';
import { createContracts } from './contracts.ts';
import { createCast, createPeople } from './people.ts';
import { mix } from './random.ts';
import { createRecords, type Names } from './records.ts';
import { createTimeline } from './timeline.ts';
import { involves, type Transaction } from './transaction.ts';
import { createTransactions } from './transactions.ts';

export interface WorldOptions {
  readonly seed: number;
  /** 1 is the usual size; the busiest address has 20,000 × scale transactions. */
  readonly scale: number;
  readonly names: Names;
  /** When the service started, in seconds since 1970: transactions end shortly before. */
  readonly startSeconds: number;
  /** The chains' present, in seconds since 1970; later than the start once the clock was stepped. */
  readonly nowSeconds: () => number;
}

/** Where a walk starts, and its direction. */
export interface Walk {
  readonly order: 'asc' | 'desc';
  /** The place of a transaction; null for the first in this order. */
  readonly from: number | null;
}

/** Everything the service knows about chains and addresses, made once from the seed. */
export type World = ReturnType<typeof createWorld>;

export function createWorld({ seed, scale, names, startSeconds, nowSeconds }: WorldOptions) {
  const chains = createChains(seed);
  const timeline = createTimeline(seed, startSeconds);
  const cast = createCast(seed);
  const contracts = chains.flatMap((chain) =>
    createContracts(seed, chain, timeline, cast, names === 'upstream'),
  );
  const people = createPeople(seed);
  const all = createTransactions({ seed, scale, chains, contracts, cast, people, timeline });
  /** The transactions in which an account may take part, for all accounts that can take part in several. */
  const byParty = new Map<string, Transaction[]>();
  for (const address of [...Object.values(cast), ...people]) byParty.set(address, []);
  for (const transaction of all) {
    byParty.get(transaction.sender)?.push(transaction);
    for (const address of transaction.others) {
      if (address !== transaction.sender) byParty.get(address)?.push(transaction);
    }
  }

  const contractsByAddress = new Map(contracts.map((contract) => [contract.address, contract]));
  const contractAt = (address: string) => contractsByAddress.get(address);
  const records = createRecords(seed, names, timeline, contractAt, nowSeconds);
  let byHash: Map<string, Transaction> | null = null;
  const stands = ({ seconds, isLost }: Transaction) => seconds < nowSeconds() && !isLost;
  const standing = (chain: Chain, transaction: Transaction | undefined) =>
    transaction?.chain === chain && stands(transaction) ? transaction : null;
  const headBlock = (chain: Chain) => timeline.blockAt(chain, nowSeconds() - 1);
  let replacements = 0;

  return {
    seed,
    chains,
    contracts,
    cast,
    timeline,
    records,
    nowSeconds,
    /** Changes whenever answers may change. */
    version: () => `${nowSeconds()} ${replacements}`,
    /** By EVM chain id or blockchain id. */
    findChain: (id: string): Chain | null =>
      chains.find((chain) => chain.chainId === id || chain.blockchainId === id) ?? null,
    contractAt: (address: string) => contractAt(address.toLowerCase()),
    /** The transactions that exist now: all, or those in which an address takes part. */
    *walk({ order, from }: Walk, address?: string): Generator<Transaction, void> {
      const who = address === undefined ? null : address.toLowerCase();
      // Contracts, and the few addresses used only once, have no index: all transactions are searched.
      const list = (who === null ? undefined : byParty.get(who)) ?? all;
      const step = order === 'asc' ? 1 : -1;
      let i = from === null ? (order === 'asc' ? 0 : list.length - 1) : indexOfPlace(list, from);
      for (; i >= 0 && i < list.length; i += step) {
        const transaction = list[i];
        if (transaction === undefined || !stands(transaction)) continue;
        if (who === null || involves(transaction, who)) yield transaction;
      }
    },
    /** The transaction with this hash, unless it is in the future, on another chain, or was lost in a reorganisation. */
    findTransaction(chain: Chain, hash: string) {
      byHash ??= new Map(all.map((transaction) => [records.hash(transaction), transaction]));
      return standing(chain, byHash.get(hash.toLowerCase()));
    },
    /** The transaction that created a contract; null for an address that is not a contract of the chain, or not yet. */
    findDeployment(chain: Chain, contract: string) {
      const address = contract.toLowerCase();
      const { deployer } = contractAt(address) ?? {};
      const list = (deployer === undefined ? undefined : byParty.get(deployer)) ?? all;
      return standing(
        chain,
        list.find(({ deed }) => deed.created.includes(address)),
      );
    },
    /** The newest block of a chain. */
    headBlock,
    /** Replaces the newest `depth` blocks of a chain: new hashes, and one in four of the ordinary transactions is gone. */
    reorganise(chain: Chain, depth: number) {
      replacements += 1;
      const head = headBlock(chain);
      for (const transaction of all) {
        const block = timeline.blockAt(chain, transaction.seconds);
        if (transaction.chain !== chain || block > head || block <= head - depth) continue;
        transaction.replacements += 1;
        // Messages and creations stay, because other transactions depend on them.
        const isOrdinary = transaction.message === undefined && transaction.deed.created.length === 0;
        const draw = mix(seed, transaction.id, 0x4e0 + transaction.replacements, chain.index);
        if (isOrdinary && draw % 4 === 0) transaction.isLost = true;
      }
    },
    undoReorganisations() {
      replacements += 1;
      for (const transaction of all) {
        transaction.replacements = 0;
        transaction.isLost = false;
      }
    },
  };
}

/** The index of the transaction with this place in a list that is sorted by place. */
function indexOfPlace(list: readonly Transaction[], place: number): number {
  let [low, high] = [0, list.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle]?.place ?? 0) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}
