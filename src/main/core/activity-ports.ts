import type { RowFacets } from '../../shared/activity/facets.ts';
import type { ActivityFilter } from '../../shared/activity/filter.ts';
import type { HiddenReason } from '../../shared/activity/spam-types.ts';
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
  SyncWhat,
} from '../../shared/activity/types.ts';
import type { ArgsOf, ResultOf } from '../../shared/ipc/contract.ts';
import type { FilterValue } from '../../shared/ipc/answers.ts';

// Resolved promises mean that the data is on disk. Rejections are an `AppFailure` with code `storage`.

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
  /** When each chain was first seen, if that was after the first answer; by chain id. */
  newSinceMs: Record<string, number>;
}

export interface WatchlistStore {
  list(): Promise<StoredAddress[]>;
  /** Inserts or replaces all or none of them; history that was kept when an address was removed is used again. */
  put(...addresses: StoredAddress[]): Promise<void>;
  /**
   * Removes the address. `keep` hides its chains, rows and coverage until it is added again, `leave` until
   * `removeLeft`; `delete` resolves when all is deleted, and until then nothing of it is found.
   */
  remove(address: string, data: 'keep' | 'leave' | 'delete'): Promise<void>;
  /** Deletes data that was kept by `leave` and whose address was not added again. */
  removeLeft(): Promise<void>;
  readChains(address: string): Promise<StoredChains | null>;
  writeChains(address: string, chains: StoredChains): Promise<void>;
}

/** Names given by the user. */
export interface BookStore {
  list(): Promise<BookEntry[]>;
  put(entry: BookEntry): Promise<void>;
  remove(address: string): Promise<void>;
}

/** Identifies a list: address, chain and which of the lists. */
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
  /** Null sorts last in its block. */
  blockIndex: number | null;
  blockHash: string | null;
  timestampMs: number;
  completeness: 'partial' | 'complete';
  /** The element of the list, or the whole transaction, as JSON. */
  transactionJson: string;
  /** True if the JSON is as received; false if it was written again from decoded data. */
  isReceived: boolean;
  /** URL of the page that the element is from; null for a whole answer, or when unknown. */
  requestUrl: string | null;
  fetchedAtMs: number;
  /** The data that filters use (`facetsOf`). */
  facets: RowFacets;
}

/** An element of one of the other lists, kept to audit the list of transactions. */
export interface StoredRecord {
  txHash: string;
  blockNumber: bigint;
  timestampMs: number | null;
  /** The element as JSON. */
  recordJson: string;
  /** Distinguishes equal elements of one transaction: 0, 1, 2 … in the order of the list. */
  number: number;
}

/** A row read from the store, without the facets, which only the store uses. */
export interface ReadRow extends Omit<StoredRow, 'facets'> {
  id: number;
  /** When the app first had it; null for a row that was stored by version 0.2.0 or older. */
  firstSeenMs: number | null;
  /** A detail has shown it in another block than the list, which has not been read there since. */
  isMoved: boolean;
  marks: RowMarks;
}

/** What an export tells of a row besides its transaction. */
export type ScannedRow = Pick<
  ReadRow,
  'chainId' | 'address' | 'txHash' | 'timestampMs' | 'completeness' | 'fetchedAtMs'
> &
  Pick<RowMarks, 'integrityNote' | 'reorg' | 'valueThen' | 'valueCurrency'> & {
    blockNumber: string;
    hiddenReason: HiddenReason | null;
  };

/** Rows of a scan, packed for their way from thread to thread, which takes longer for many small parts. */
export interface ScanPage {
  /** `ScannedRow[]` as JSON. */
  rowsJson: string;
  /** `StoredRow.transactionJson` of each. */
  texts: string[];
}

export type ReadRows = Omit<ActivityRows, 'rows'> & { rows: ReadRow[] };

/** Refers to a row and its transaction. */
export interface RowRef {
  rowId: number;
  chainId: string;
  txHash: string;
}

/** Rows that a lookup skips, by themselves or by their chain. */
export interface ExceptRows {
  rowIds: readonly number[];
  chainIds: readonly string[];
}

/** A row to store, and the version that it replaces. */
export interface CompletedRow {
  row: StoredRow;
  integrityNote: string | null;
  replaced: RowVersion | null;
}

/** The sync state of one list of one address on one chain. */
export interface SyncState {
  /** Ascending, disjoint, not touching. */
  covered: BlockInterval[];
  /** `covered` includes the first block of the history: there is nothing older. */
  reachedStart: boolean;
  /** When the newest end was last checked. */
  checkedAtMs: number | null;
}

export interface StoredSync extends SyncState {
  /** Elements stored. */
  rowCount: number;
  /** The user has stopped it (`setWishes`). */
  stoppedByUser: boolean;
  /** What the user asked for and has not got yet (`setWishes`); null for nothing. */
  owed: SyncWhat | null;
  /** How often proof was taken back. */
  doubts: number;
  newestTimestampMs: number | null;
  oldestTimestampMs: number | null;
}

/** What the user wants of a list. */
export type Wish = Pick<StoredSync, 'stoppedByUser' | 'owed'>;

/** A list's state after a page. */
export interface SavedPage extends StoredSync {
  /** Nothing was stored: proof was taken back since the run of the page read the list's state. */
  isOutdated: boolean;
  /** The address's other lists on the chain have lost proof. */
  areOthersDoubted: boolean;
}

/** One or more pages of a list, with what they prove. */
export interface ListPage extends ListRef {
  /** For the list of transactions only. */
  rows: readonly StoredRow[];
  /** For the other lists only. */
  records: readonly StoredRecord[];
  sync: SyncState;
  /** `StoredSync.doubts` of the state on which `sync` is built. */
  doubts: number;
  /** Blocks that the page adds to the ledger, and the run that fetched it. */
  proof: { runId: string; provenAtMs: number; blocks: BlockInterval[] } | null;
  /** When the walk of these pages got its first one: marks what it has seen. It is compared only for being the same. */
  walkAtMs: number;
  /**
   * Stored elements in these blocks that another walk has seen last are gone from the chain: rows are marked and kept,
   * records of other lists are removed.
   */
  sweep: BlockInterval[];
}

export interface ActivityStore {
  /**
   * Adds a page and updates the sync state in one transaction. A partial row never replaces a complete one. A row whose
   * block has another hash than the stored one replaces it; the old version is kept and the row marked `reorganised`. A
   * row marked `gone` that is found again is unmarked. Where rows show that the chain has changed, the other lists of the
   * address and chain lose their proof from that block on.
   */
  savePage(page: ListPage): Promise<SavedPage>;
  /**
   * Takes back the proof of blocks, which then count as missing. `around`: also of those around them, up to the nearest
   * stored elements: where one element is missing, its neighbours may be too. Null if nothing is stored of the list.
   */
  withdraw(list: ListRef, blocks: readonly BlockInterval[], around: boolean): Promise<StoredSync | null>;
  readSync(list: ListRef): Promise<StoredSync | null>;
  /** The syncs of all watched addresses. */
  listSyncs(): Promise<(ListRef & { sync: StoredSync })[]>;
  /** The ledger of a list, in order of blocks. */
  readProofs(list: ListRef): Promise<BlockProof[]>;
  /** Stores what the user wants of lists; leaves out those of addresses that are not watched any more. */
  setWishes(wishes: readonly (ListRef & Wish)[]): Promise<void>;
  /** The rows of a transaction, for every watched address that has it. */
  rowsOfTransaction(chainId: string, txHash: string): Promise<ReadRow[]>;
  /**
   * Replaces rows, storing the old versions and notes, in one transaction. Adds rows that are not stored yet, and leaves
   * out those of addresses that are not watched any more; rejects when none is left. Where a row shows that the chain has
   * changed, all lists of its address and chain lose their proof from that block on: returns whose.
   */
  putRows(rows: readonly CompletedRow[]): Promise<Omit<ListRef, 'list'>[]>;
  readRow(rowId: number): Promise<ReadRow | null>;
  /** Newest first by time, then block, then index, then hash. */
  readRows(query: ArgsOf<'activity.rows'>): Promise<ReadRows>;
  /**
   * Rows of an address that are not hidden, newest first: of blocks since `fromMs`, and first stored since `seenMs`.
   * Needs no preparation.
   */
  readNews(query: {
    address: string;
    fromMs: number;
    seenMs: number;
    offset: number;
    limit: number;
  }): Promise<ReadRow[]>;
  /** Takes a snapshot of the matching rows, in order, for an export; later writes do not affect it. */
  openScan(filter: ActivityFilter): Promise<{ scanId: number; totalCount: number }>;
  /** Rows of a scan from an index on; empty after its end. */
  readScan(query: { scanId: number; from: number; limit: number }): Promise<ScanPage>;
  /** Must be called for every scan: until then the store keeps all the data that it covers. */
  closeScan(scanId: number): Promise<void>;
  /** Partial rows that match, newest first. */
  partialRows(query: { filter: ActivityFilter; except: ExceptRows; limit: number }): Promise<RowRef[]>;
  /** Complete rows up to this time that lack their historic price (`RowFacets.awaitsPrice`), newest first. */
  rowsAwaitingPrice(query: { untilMs: number; except: ExceptRows; limit: number }): Promise<RowRef[]>;
  /** Preloads what filters and distant positions need. */
  prepare(): Promise<void>;
  /** Number of partial rows of all watched addresses. */
  countPartial(): Promise<number>;
  values(query: ArgsOf<'activity.values'>): Promise<FilterValue[]>;
  versions(rowId: number): Promise<RowVersion[]>;
  /** Compares the lists over blocks proven in both; returns at most `limit` gaps. */
  audit(address: string, chainId: string, limit: number): Promise<AuditReport>;
  /** Returns the decision before, and so does the next one. */
  judgeRow(rowId: number, decision: 'show' | 'hide' | null): Promise<'show' | 'hide' | null>;
  /** `token`: in the form of the filter's field. */
  judgeToken(token: string, decision: 'show' | 'hide' | null): Promise<'show' | 'hide' | null>;
  /** A stored transaction on another chain than `chainId` with this cross-chain message. */
  findMessage(messageId: string, chainId: string): Promise<ResultOf<'activity.otherHalf'>>;
}
