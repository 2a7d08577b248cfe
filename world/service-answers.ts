import type { ListId } from '../src/shared/activity/types.ts';
import type { ServicePlan } from './history.ts';
import { beginningMs } from './node-truth.ts';

// What a service says of a transaction, in each of its lists.

/** A transaction as the chain has it now. */
export interface Transaction {
  hash: string;
  block: number;
  index: number;
  blockHash: string;
  /** Since when it is so in the service's answers, in true time. */
  sinceMs: number;
  transfers: number;
  /** When it came, in true time; null where it was there long before. */
  bornMs: number | null;
  /** It came into a block that had others already. */
  isLate?: boolean;
}

/** The addresses of the world, in the app's spelling. */
export const addresses = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
] as const;
const stranger = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const tokenContract = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';

/** An element of a list. */
export interface Element {
  transaction: Transaction;
  /** Among the equal elements of a transaction. */
  number: number;
}

export function elementsOf(transaction: Transaction, list: ListId): Element[] {
  const isWhole = list === 'transactions' || list === 'native';
  const count = isWhole ? 1 : list === 'erc20' ? transaction.transfers : 0;
  return Array.from({ length: count }, (_none, number) => ({ transaction, number }));
}

export function jsonOf(
  transaction: Transaction,
  list: ListId,
  address: string,
  hash = transaction.hash,
): unknown {
  const sides = { from: { address: stranger }, to: { address } };
  const place = {
    blockNumber: String(transaction.block),
    blockTimestamp:
      transaction.bornMs === null
        ? Math.floor(beginningMs / 1_000) - 2_000_000 + (transaction.block % 1_000_000)
        : Math.floor((beginningMs + transaction.bornMs) / 1_000),
    blockHash: transaction.blockHash,
    txHash: hash,
  };
  const native = {
    ...place,
    blockIndex: transaction.index,
    txStatus: '1',
    value: '1',
    gasUsed: '21000',
    gasPrice: '1',
    ...sides,
  };
  const transfer = {
    ...sides,
    value: '5',
    erc20Token: { address: tokenContract, name: 'T', symbol: 'T', decimals: 6 },
  };
  if (list === 'native') return native;
  if (list === 'erc20') return { ...place, ...transfer };
  const erc20Transfers = Array.from({ length: transaction.transfers }, (_none, logIndex) => ({
    ...transfer,
    logIndex,
  }));
  return {
    nativeTransaction: native,
    erc20Transfers,
    erc721Transfers: [],
    erc1155Transfers: [],
    internalTransactions: [],
  };
}

export function withBlankSide(json: unknown): unknown {
  return JSON.parse(JSON.stringify(json).replace(/"to":\{"address":"[^"]*"\}/, '"to":{"address":" "}'));
}

export function sortKey(
  { transaction: { block, index, hash }, number }: Element,
  order: ServicePlan['otherOrder'],
): string {
  const by = order === 'descending' ? 1e12 - block : order === 'ascending' ? block : (block * 7_919) % 1_009;
  const place = order === 'descending' ? 1e6 - index : index;
  return `${digits(by)} ${digits(place)} ${hash} ${digits(number)}`;
}

export function listOf(path: string): ListId {
  const lists: Record<string, ListId> = {
    ':listErc20': 'erc20',
    ':listErc1155': 'erc1155',
    ':listInternals': 'internal',
    ':listNative': 'native',
  };
  return lists[path] ?? 'transactions';
}

const digits = (value: number): string => String(value).padStart(13, '0');
export const hex = (value: number, width: number): string =>
  value.toString(16).padStart(width, '0').slice(-width);
