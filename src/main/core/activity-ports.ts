import type { RowFacets } from '../../shared/activity/facets.ts';
import type { ActivityFilter } from '../../shared/activity/filter.ts';
import type {
  ActivityRows,
  AddressColour,
  AuditReport,
  BlockInterval,
  BlockProof,
  BookEntry,
  ListId,
  RowMarks,
  RowVersion,
} from '../../shared/activity/types.ts';
import type { ArgsOf, ResultOf } from '../../shared/ipc/contract.ts';
import type { FilterValue } from '../../shared/ipc/answers.ts';

// A promise that resolves means: on disk. A rejection is an `AppFailure` with code `storage`.

export interface StoredAddress {
  address: string;
  label: string | null;
  tags: string[];
  colour: AddressColour | null;
  paused: boolean;
  addedAtMs: number;
}

export interface StoredChains {
  /** Decoded `ChainRecord[]` as JSON, in the order of the answer. */
  indexedJson: string;
  unindexedIds: string[];
  fetchedAtMs: number;
  /** When each chain was first seen, where that was after the first answer; by chain id. */
  newSinceMs: Record<string, number>;
}

export interface WatchlistStore {
  list(): Promise<StoredAddress[]>;
  /** Inserts or replaces; history that was kept when the address was removed is its own again. */
  put(address: StoredAddress): Promise<void>;
  /** Removes the address; `keepData` keeps its chains, rows and coverage for when it is added again, out of every answer. */
  remove(address: string, keepData: boolean): Promise<void>;
  readChains(address: string): Promise<StoredChains | null>;
  writeChains(address: string, chains: StoredChains): Promise<void>;
}

/** Names that the user has given. */
export interface BookStore {
  list(): Promise<BookEntry[]>;
  put(entry: BookEntry): Promise<void>;
  remove(address: string): Promise<void>;
}

/** Which list of which address on which chain. */
export interface ListRef {
  address: string;
  chainId: string;
  list: ListId;
}

export interface StoredRow {
  chainId: string;
  address: string;
  txHash: string;
  blockNumber: bigint;
  /** Null sorts after all others of its block. */
  blockIndex: number | null;
  blockHash: string | null;
  timestampMs: number;
  completeness: 'partial' | 'complete';
  /** The element of the list, or the transaction, as JSON. */
  transactionJson: string;
  /** The JSON is what came; else it was written from what had been read of it. */
  isReceived: boolean;
  /** Of the page that the JSON is an element of; null where it is a whole answer, or the page is not known. */
  requestUrl: string | null;
  fetchedAtMs: number;
  /** What filters look at (`facetsOf`). */
  facets: RowFacets;
}

/** An element of one of the other lists, kept to audit the list of transactions. */
export interface StoredRecord {
  txHash: string;
  blockNumber: bigint;
  timestampMs: number | null;
  /** The element as JSON. */
  recordJson: string;
  /** Tells equal elements of one transaction apart: 0, 1, 2 … in the order of the list. */
  number: number;
  fetchedAtMs: number;
}

/** A row as it is read back; its facets serve the store's own questions. */
export interface ReadRow extends Omit<StoredRow, 'facets'> {
  id: number;
  marks: RowMarks;
}

export type ReadRows = Omit<ActivityRows, 'rows'> & { rows: ReadRow[] };

/** A row by its transaction. */
export interface RowRef {
  rowId: number;
  chainId: string;
  txHash: string;
}

/** A row as it is to be stored in the place of another one. */
export interface CompletedRow {
  row: StoredRow;
  integrityNote: string | null;
  replaced: RowVersion | null;
}

/** The walk through one list of one address on one chain. */
export interface SyncState {
  /** Ascending, disjoint, not touching. */
  covered: BlockInterval[];
  /** The first block of the history is inside `covered`: nothing is older. */
  reachedStart: boolean;
  /** Where the walk under way goes on; null when none is under way. */
  resume: SyncResume | null;
  /** When the newest end was last confirmed. */
  checkedAtMs: number | null;
}

export interface SyncResume {
  pageToken: string;
  /** When the token was received: tokens expire. */
  receivedAtMs: number;
  /** The range that is being walked: `fromBlock` null means down to genesis, `toBlock` null means up to the newest. */
  fromBlock: string | null;
  toBlock: string | null;
  /** Exclusive end of what this walk has proven so far; blocks below `provenFrom` are not proven yet. */
  provenFrom: string | null;
  provenTo: string | null;
}

export interface StoredSync extends SyncState {
  /** Elements stored. */
  rowCount: number;
  /** The user has stopped it (`setStopped`). */
  stoppedByUser: boolean;
  newestTimestampMs: number | null;
  oldestTimestampMs: number | null;
}

/** A page of a list, or several pages, with what they prove. */
export interface ListPage extends ListRef {
  /** Of the list of transactions; empty for the others. */
  rows: readonly StoredRow[];
  /** Of the other lists; empty for the list of transactions. */
  records: readonly StoredRecord[];
  sync: SyncState;
  /** Blocks that this page adds to the ledger, by the run that fetched it. */
  proof: { runId: string; provenAtMs: number; blocks: BlockInterval[] } | null;
  /**
   * What of these blocks is stored but was last seen before `notSeenSinceMs` is gone from the chain: rows are marked and
   * kept, records of other lists are removed.
   */
  sweep: { blocks: BlockInterval[]; notSeenSinceMs: number } | null;
}

export interface ActivityStore {
  /**
   * Adds a page and moves the sync on, both or neither. A partial row never replaces a complete one. A row whose block has
   * another hash than the stored one replaces it, the old version is kept and the row marked `reorganised`; a row that was
   * `gone` and is there again is no longer so.
   */
  savePage(page: ListPage): Promise<StoredSync>;
  readSync(list: ListRef): Promise<StoredSync | null>;
  /** All syncs of all addresses that are watched. */
  listSyncs(): Promise<(ListRef & { sync: StoredSync })[]>;
  /** The ledger of one list in order of blocks. */
  readProofs(list: ListRef): Promise<BlockProof[]>;
  /** The user has stopped the list, or has started it again. */
  setStopped(list: ListRef, stopped: boolean): Promise<void>;
  /** The rows of one transaction, of every watched address that has it. */
  rowsOfTransaction(chainId: string, txHash: string): Promise<ReadRow[]>;
  /** Replaces rows, with the versions that they replace, and notes; all or nothing. Rows that are not stored are added. */
  putRows(rows: readonly CompletedRow[]): Promise<void>;
  readRow(rowId: number): Promise<ReadRow | null>;
  /** Newest first by time, then block, then index, then hash. */
  readRows(query: ArgsOf<'activity.rows'>): Promise<ReadRows>;
  /** Takes hold of the rows that match now, in the same order, for exports: what is written later changes nothing of them. */
  openScan(filter: ActivityFilter): Promise<{ scanId: number; totalCount: number }>;
  /** Rows of a scan from a place on, which is counted from 0; empty behind its end. */
  readScan(query: { scanId: number; from: number; limit: number }): Promise<ReadRow[]>;
  /** Every scan has to be closed: the store keeps all that it held. */
  closeScan(scanId: number): Promise<void>;
  /** Partial rows that match, newest first. */
  partialRows(query: { filter: ActivityFilter; limit: number }): Promise<RowRef[]>;
  /** Complete rows up to this time that wait for the price of theirs (`RowFacets.awaitsPrice`), newest first. */
  rowsAwaitingPrice(query: { untilMs: number; limit: number }): Promise<RowRef[]>;
  /** Reads ahead what filters and far places need, so that the first of them need not wait. */
  prepare(): Promise<void>;
  /** Stored rows of all watched addresses that are partial. */
  countPartial(): Promise<number>;
  values(query: ArgsOf<'activity.values'>): Promise<FilterValue[]>;
  versions(rowId: number): Promise<RowVersion[]>;
  /** Joins the lists over the blocks that are proven in both; at most `limit` gaps. */
  audit(address: string, chainId: string, limit: number): Promise<AuditReport>;
  judgeRow(rowId: number, decision: 'show' | 'hide' | null): Promise<void>;
  /** `token`: a value of the token field. */
  judgeToken(token: string, decision: 'show' | 'hide' | null): Promise<void>;
  /** A stored transaction on another chain than `chainId` with this cross-chain message. */
  findMessage(messageId: string, chainId: string): Promise<ResultOf<'activity.otherHalf'>>;
}
