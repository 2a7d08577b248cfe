import type { AppError } from '../errors.ts';
import type { AddressTransaction, TransactionDetail } from '../endpoints/records.ts';
import type { SpamVerdict } from './spam-types.ts';

/** The lists that make up an address's history on a chain: endpoints 1, 4, 3, 6 and 7. */
export const listIds = ['transactions', 'erc20', 'erc1155', 'internal', 'native'] as const;

export type ListId = (typeof listIds)[number];

export type OtherListId = Exclude<ListId, 'transactions'>;

/** The lists that an audit compares with the list of transactions. */
export const otherLists: readonly OtherListId[] = listIds.filter((list) => list !== 'transactions');

/** A half-open range of blocks `[from, to)`, as decimal strings. */
export interface BlockInterval {
  fromBlock: string;
  toBlock: string;
}

/** One entry of the ledger: a run has proven that these blocks of a list are complete. */
export interface BlockProof extends BlockInterval {
  runId: string;
  provenAtMs: number;
}

/** The state of one list of an address on one chain: how much is stored, and whether the rest is being fetched. */
export interface ChainSync {
  state: 'never' | 'running' | 'stopped' | 'complete' | 'failed';
  /** Stored elements of the list. */
  rowCount: number;
  /** Pages fetched by the current or last run. */
  pagesFetched: number;
  /** Blocks verified as complete, ascending, disjoint. */
  covered: BlockInterval[];
  /** The history is covered completely, back to the address's first transaction. */
  reachedStart: boolean;
  newestTimestampMs: number | null;
  oldestTimestampMs: number | null;
  /** When the newest end was last checked with the service. */
  checkedAtMs: number | null;
  /** Why the last run ended, when it failed. */
  error: AppError | null;
  /** The user has stopped it; it does not continue by itself. */
  stoppedByUser: boolean;
}

export interface WatchedChain {
  chainId: string;
  /** The chain's id for nodes; null when the service does not tell. */
  blockchainId: string | null;
  name: string;
  isTestnet: boolean;
  /** `OK`, `UNAVAILABLE`, or whatever the service sends; null for nothing. */
  status: string | null;
  nativeSymbol: string | null;
  nativeDecimals: number | null;
  /** As received; the scheme must be checked before opening it. */
  explorerUrl: string | null;
  /** For the list of transactions, which the timeline shows. */
  sync: ChainSync;
  /** For the other lists, which audits compare with the timeline. */
  otherLists: { list: OtherListId; sync: ChainSync }[];
  /** When the address became active on this chain, if that was after it was added; else null. */
  newSinceMs: number | null;
}

/** Colours for marking addresses; each has a shade in both themes. */
export const addressColours = ['blue', 'green', 'amber', 'red', 'violet', 'teal'] as const;

export type AddressColour = (typeof addressColours)[number];

/** A name that the user has given to any address. */
export interface BookEntry {
  /** Checksummed; identifies the entry. */
  address: string;
  name: string;
  note: string | null;
  changedAtMs: number;
}

/** The outcome for one line of a pasted or imported list of addresses. */
export interface AddedLine {
  /** Counted from 1. */
  line: number;
  input: string;
  outcome: 'added' | 'updated' | 'duplicate' | 'wrong-checksum' | 'not-an-address';
  /** The watched address; for a wrong checksum, the correct spelling. */
  address: string | null;
}

export interface WatchedAddress {
  /** Checksummed; identifies the entry. */
  address: string;
  label: string | null;
  tags: string[];
  colour: AddressColour | null;
  /** Nothing is fetched for it automatically. */
  paused: boolean;
  addedAtMs: number;
  chains: WatchedChain[];
  /** Ids of chains on which the address was active but which the service does not index. */
  unindexedChainIds: string[];
  /** When the list of chains was fetched; null if never. */
  chainsFetchedAtMs: number | null;
  chainsLoading: boolean;
  chainsError: AppError | null;
}

/** What is known of a row besides its transaction. */
export interface RowMarks {
  spam: SpamVerdict;
  /** Set if, on completion, parts of the list's element were missing from the transaction: both versions are kept. */
  integrityNote: string | null;
  /**
   * `reorganised`: its block's hash has changed since it was first seen. `gone`: a later walk over its block did not
   * find it. Earlier versions are kept.
   */
  reorg: 'reorganised' | 'gone' | null;
  /** Number of older versions (`activity.versions`). */
  versionCount: number;
  /** Value of what the row moved for the address at historic prices, in `valueCurrency`; null if a price is unknown. */
  valueThen: string | null;
  valueCurrency: string | null;
}

/**
 * A stored transaction of a watched address. A `partial` row has the list's element, which only contains
 * sub-transactions that involve the address; a `complete` one has the whole transaction.
 */
export type ActivityRow = {
  /** Identity in the store. */
  id: number;
  chainId: string;
  /** The watched address, checksummed. */
  address: string;
  txHash: string;
  blockNumber: string;
  timestampMs: number;
  fetchedAtMs: number;
  /** When the app first had the row; null if that was in version 0.2.0 or older, which did not keep it. */
  firstSeenMs: number | null;
  marks: RowMarks;
} & RowTransaction;

/** A decoded transaction: the list's element, or all of it. */
export type ReadTransaction =
  | { completeness: 'partial'; transaction: AddressTransaction }
  | { completeness: 'complete'; transaction: TransactionDetail };

export type RowTransaction = {
  /** Parts that could not be decoded and are missing from `transaction`. */
  unread: UnreadPart[];
} & (ReadTransaction | UnreadableRow);

/** A row with a decoded transaction. */
export type ReadableRow = Exclude<ActivityRow, UnreadableRow>;

/** The stored row cannot be decoded any more; only its text is available (`activity.text`). */
export interface UnreadableRow {
  completeness: 'unreadable';
  transaction: null;
}

/** A part of a transaction that could not be decoded. */
export interface UnreadPart {
  /** Its path, such as `erc20Transfers[1]`. */
  path: string;
  /** The reason, as the end of a sentence. */
  why: string;
  /** As received, cut if it is very long. */
  text: string;
}

export interface ActivityRows {
  /** In the order of the filter, or newest first: by time, then block, then index. */
  rows: ActivityRow[];
  /** Position of the first row among all that match. */
  offset: number;
  /** Total number of matching rows. */
  totalCount: number;
  /** Matching rows that are hidden; 0 if hidden rows are shown. */
  hiddenCount: number;
  /** Matching rows that are not complete yet. */
  partialCount: number;
  /** Matching rows without the amount or fee that they are ordered by; they come last, newest first. */
  unrankedCount: number;
}

/** A version of a row that was replaced. */
export interface RowVersion {
  why: 'integrity' | 'reorganised' | 'gone';
  transactionJson: string;
  fetchedAtMs: number;
  replacedAtMs: number;
}

/** A transaction that one list has and another lacks, in blocks verified as complete in both. */
export interface AuditGap {
  txHash: string;
  blockNumber: string;
  timestampMs: number | null;
  presentIn: ListId[];
  missingIn: ListId;
}

export interface AuditReport {
  gaps: AuditGap[];
  /** There are more gaps than listed. */
  isCut: boolean;
  /** Lists that could be compared, and why others could not. */
  compared: ListId[];
  notCompared: { list: ListId; why: 'never-fetched' | 'no-common-blocks' }[];
  /** Number of transactions compared. */
  transactionCount: number;
}

/** The estimated cost of fetching, shown before it starts. */
export interface SyncPlan {
  items: {
    address: string;
    chainId: string;
    list: ListId;
    /** Minimum number of calls; `estimatedCalls` is null if there is nothing to estimate from. */
    leastCalls: number;
    estimatedCalls: number | null;
  }[];
  leastCalls: number;
  /** Null if any part cannot be estimated. */
  estimatedCalls: number | null;
  /** At the current rate limits; null without an estimate. */
  estimatedMs: number | null;
  /** Share (1 is all) of the service's limit per day or, if only that is known, per minute; null if neither is. */
  share: { window: 'day' | 'minute'; part: number } | null;
}

/** Which histories are meant; null means all. */
export interface SyncScope {
  address: string | null;
  chainId: string | null;
}

/** `newer`: new elements. `holes`: gaps below the newest block. `older`: towards the first. `all`: everything. */
export const syncWhats = ['newer', 'holes', 'older', 'all'] as const;

export type SyncWhat = (typeof syncWhats)[number];

/** Progress of completing rows with endpoint 11. */
export interface CompletionStatus {
  /** Stored rows that are partial. */
  partialCount: number;
  /** Rows that are being completed or are queued. */
  waitingCount: number;
  /** True if the user asked for all rows of a filter; else rows on the screen or due by themselves are completed. */
  isAll: boolean;
  /** Completed since the queue was last empty. */
  doneCount: number;
  error: AppError | null;
}
