import type { AppError } from '../errors.ts';
import type { AddressTransaction, TransactionDetail } from '../endpoints/records.ts';
import type { SpamVerdict } from './spam-types.ts';

/** The lists that make up the history of an address on a chain: endpoints 1, 4, 3, 6 and 7. */
export const listIds = ['transactions', 'erc20', 'erc1155', 'internal', 'native'] as const;

export type ListId = (typeof listIds)[number];

/** A half-open range of blocks `[from, to)`, as decimal strings. */
export interface BlockInterval {
  fromBlock: string;
  toBlock: string;
}

/** One entry of the ledger: a run has proven these blocks of a list complete. */
export interface BlockProof extends BlockInterval {
  runId: string;
  provenAtMs: number;
}

/** How much of one list of an address on one chain is in the store, and what is being done about the rest. */
export interface ChainSync {
  state: 'never' | 'running' | 'stopped' | 'complete' | 'failed';
  /** Stored elements of the list. */
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
  /** The user has stopped it: it does not go on by itself. */
  stoppedByUser: boolean;
}

export interface WatchedChain {
  chainId: string;
  /** The id that nodes know it by; null where the service does not tell. */
  blockchainId: string | null;
  name: string;
  isTestnet: boolean;
  /** `OK`, `UNAVAILABLE`, or whatever the service says; null when it says nothing. */
  status: string | null;
  nativeSymbol: string | null;
  nativeDecimals: number | null;
  /** As the service gave it; whoever opens it checks the scheme. */
  explorerUrl: string | null;
  /** Of the list of transactions, which the timeline shows. */
  sync: ChainSync;
  /** Of the other lists, against which the timeline is audited. */
  otherLists: { list: Exclude<ListId, 'transactions'>; sync: ChainSync }[];
  /** When the address was first seen to be active on this chain, after the address was added; null if from the beginning. */
  newSinceMs: number | null;
}

/** Colours that an address can be marked with; each has a tone in both themes. */
export const addressColours = ['blue', 'green', 'amber', 'red', 'violet', 'teal'] as const;

export type AddressColour = (typeof addressColours)[number];

/** A name that the user has given to any address. */
export interface BookEntry {
  /** Checksummed; its identity. */
  address: string;
  name: string;
  note: string | null;
  changedAtMs: number;
}

/** What became of one line of a list of addresses that was pasted or read from a file. */
export interface AddedLine {
  /** Counted from 1. */
  line: number;
  input: string;
  outcome: 'added' | 'updated' | 'duplicate' | 'wrong-checksum' | 'not-an-address';
  /** The address as it is watched; for a wrong checksum the right spelling. */
  address: string | null;
}

export interface WatchedAddress {
  /** Checksummed; also its identity. */
  address: string;
  label: string | null;
  tags: string[];
  colour: AddressColour | null;
  /** Nothing is fetched for it by itself. */
  paused: boolean;
  addedAtMs: number;
  chains: WatchedChain[];
  /** Ids of chains where the address was active but whose data the service does not index. */
  unindexedChainIds: string[];
  /** When the list of chains was fetched; null while it never was. */
  chainsFetchedAtMs: number | null;
  chainsLoading: boolean;
  chainsError: AppError | null;
}

/** What is known about a row beside its transaction. */
export interface RowMarks {
  spam: SpamVerdict;
  /** On completion the list's parts were not all among the transaction's: both versions are kept. */
  integrityNote: string | null;
  /**
   * `reorganised`: its block has another hash than when it was first seen. `gone`: a later walk over its block did not find
   * it. The versions before are kept.
   */
  reorg: 'reorganised' | 'gone' | null;
  /** Older versions that are kept (`activity.versions`). */
  versionCount: number;
  /** What the row moved for the address at the prices of its time, in `valueCurrency`; null where a price is not known. */
  valueThen: string | null;
  valueCurrency: string | null;
}

/**
 * One stored transaction of a watched address. A `partial` row holds the list's element, in which only the
 * sub-transactions that touch the address are present; a `complete` one holds the transaction detail.
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
  marks: RowMarks;
  /** Parts of what came that could not be read, and are missing in `transaction`. */
  unread: UnreadPart[];
} & (
  | { completeness: 'partial'; transaction: AddressTransaction }
  | { completeness: 'complete'; transaction: TransactionDetail }
  | UnreadableRow
);

/** A row with its transaction. */
export type ReadableRow = Exclude<ActivityRow, UnreadableRow>;

/** What is stored of the row can no longer be read, all of it: there is its text alone (`activity.text`). */
export interface UnreadableRow {
  completeness: 'unreadable';
  transaction: null;
}

/** What of a transaction could not be read. */
export interface UnreadPart {
  /** Where it stands, as `erc20Transfers[1]`. */
  path: string;
  /** Why, as the end of a sentence. */
  why: string;
  /** As it came; cut where it is very long. */
  text: string;
}

export interface ActivityRows {
  /** Newest first by time, then block, then index, then hash. */
  rows: ActivityRow[];
  /** Place of the first of them among all that match. */
  offset: number;
  /** Rows that match, all in all. */
  totalCount: number;
  /** Rows that would match but are hidden; 0 when hidden rows are shown. */
  hiddenCount: number;
  /** Of the matching rows, those that are not complete yet. */
  partialCount: number;
}

/** A version of a row that another one has replaced. */
export interface RowVersion {
  why: 'integrity' | 'reorganised' | 'gone';
  transactionJson: string;
  fetchedAtMs: number;
  replacedAtMs: number;
}

/** A transaction that one list has and another, over blocks proven complete in both, has not. */
export interface AuditGap {
  txHash: string;
  blockNumber: string;
  timestampMs: number | null;
  presentIn: ListId[];
  missingIn: ListId;
}

export interface AuditReport {
  gaps: AuditGap[];
  /** More gaps than are listed. */
  isCut: boolean;
  /** Lists that could be compared, and why the others could not. */
  compared: ListId[];
  notCompared: { list: ListId; why: 'never-fetched' | 'no-common-blocks' }[];
  /** Transactions looked at. */
  transactionCount: number;
}

/** What fetching would cost, said before it is begun. */
export interface SyncPlan {
  items: {
    address: string;
    chainId: string;
    list: ListId;
    /** At least so many calls; `estimatedCalls` null where nothing is known to estimate from. */
    leastCalls: number;
    estimatedCalls: number | null;
  }[];
  leastCalls: number;
  /** Null when any part cannot be estimated. */
  estimatedCalls: number | null;
  /** At the present limits; null without an estimate. */
  estimatedMs: number | null;
  /** Part (1 is all) of what the service allows in a day, or where it tells only that, in a minute; null without either. */
  share: { window: 'day' | 'minute'; part: number } | null;
}

/** Which part of the histories is meant; null means all. */
export interface SyncScope {
  address: string | null;
  chainId: string | null;
}

/** `newer`: what is new. `holes`: gaps below the newest block. `older`: on towards the first. `all`: everything, all lists. */
export type SyncWhat = 'newer' | 'holes' | 'older' | 'all';

/** Completing rows with endpoint 11. */
export interface CompletionStatus {
  /** Stored rows that are partial. */
  partialCount: number;
  /** Rows that are being completed now or wait for their turn. */
  waitingCount: number;
  /** Whether the user has asked for all of a filter; else it is what is on the screen, or has become due by itself. */
  isAll: boolean;
  /** Completed since the queue was last empty. */
  doneCount: number;
  error: AppError | null;
}

/** An export under way. */
export interface ActivityExportStatus {
  state: 'idle' | 'running' | 'done' | 'cancelled' | 'failed';
  rowsWritten: number;
  totalCount: number;
  path: string | null;
  error: AppError | null;
}
