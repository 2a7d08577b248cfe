import type { AppError } from '../errors.ts';
import type { AddressTransaction, TransactionDetail } from '../endpoints/records.ts';

/** A half-open range of blocks `[from, to)`, as decimal strings. */
export interface BlockInterval {
  fromBlock: string;
  toBlock: string;
}

/** How much of one address's history on one chain is in the store, and what is being done about the rest. */
export interface ChainSync {
  state: 'never' | 'running' | 'stopped' | 'complete' | 'failed';
  /** Stored transactions of the address on the chain. */
  rowCount: number;
  /** Pages fetched by the run that is under way or ended last. */
  pagesFetched: number;
  /** Blocks proven complete, ascending, disjoint. */
  covered: BlockInterval[];
  /** The history is covered without a hole back to the first transaction of the address. */
  reachedStart: boolean;
  newestTimestampMs: number | null;
  oldestTimestampMs: number | null;
  /** When the newest end of the history was last confirmed with the service. */
  checkedAtMs: number | null;
  /** Why the last run ended, when it failed. */
  error: AppError | null;
}

export interface WatchedChain {
  chainId: string;
  name: string;
  isTestnet: boolean;
  /** `OK`, `UNAVAILABLE`, or whatever the service says; null when it says nothing. */
  status: string | null;
  nativeSymbol: string | null;
  nativeDecimals: number | null;
  /** As the service gave it; whoever opens it checks the scheme. */
  explorerUrl: string | null;
  sync: ChainSync;
}

export interface WatchedAddress {
  /** Checksummed; also its identity. */
  address: string;
  label: string | null;
  addedAtMs: number;
  chains: WatchedChain[];
  /** Ids of chains where the address was active but whose data the service does not index. */
  unindexedChainIds: string[];
  /** When the list of chains was fetched; null while it never was. */
  chainsFetchedAtMs: number | null;
  chainsLoading: boolean;
  chainsError: AppError | null;
}

/**
 * One stored transaction of a watched address. A `partial` row holds the list's element, in which only the
 * sub-transactions that touch the address are present; a `complete` one holds the transaction detail.
 */
export type ActivityRow = {
  chainId: string;
  /** The watched address, checksummed. */
  address: string;
  txHash: string;
  blockNumber: string;
  timestampMs: number;
  fetchedAtMs: number;
} & (
  | { completeness: 'partial'; transaction: AddressTransaction }
  | { completeness: 'complete'; transaction: TransactionDetail }
);

export interface ActivityRows {
  /** Newest first. */
  rows: ActivityRow[];
  /** Opaque; pass it back to go on. Null at the end. */
  nextCursor: string | null;
  /** Rows that match, over all pages. */
  totalCount: number;
}
