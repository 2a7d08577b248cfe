import type {
  ActivityExportStatus,
  ActivityRows,
  AddedLine,
  AuditReport,
  BlockProof,
  BookEntry,
  ChainSync,
  CompletionStatus,
  ListId,
  RowVersion,
  SyncPlan,
  WatchedAddress,
} from '../activity/types.ts';

/** The ledger of one list. */
export interface ListLedger {
  list: ListId;
  sync: ChainSync;
  /** In order of blocks. */
  proofs: BlockProof[];
}

/** What is stored of a row. */
export interface RowText {
  text: string;
  /** It is what came; else it was written from what had been read of it. */
  isReceived: boolean;
  /** The request for the page that it is an element of; null where it is a whole answer, or the page is not known. */
  requestUrl: string | null;
}

/** A value that a pill can choose. */
export interface FilterValue {
  value: string;
  /** For people; the value itself where there is no name. */
  label: string;
  /** Rows that have it. */
  count: number;
}

/** Calls about watched addresses, their names and their history. */
export interface ActivityResults {
  'watchlist.add': WatchedAddress;
  /** Text with an address a line (CSV of our own export, JSON of it, or plain lines); tells what became of each. */
  'watchlist.addMany': AddedLine[];
  'watchlist.update': null;
  /** Stops watching. `keepData` leaves the stored history, which is there again when the address is added again. */
  'watchlist.remove': null;
  /** Chains of a long list that are on the screen: their histories are fetched before all others that wait. */
  'watchlist.showing': null;
  'watchlist.refreshChains': null;
  /** Asks the user for a place; null when they want none. */
  'watchlist.export': { path: string } | null;
  /** Names an address, or changes its name. */
  'book.put': BookEntry;
  'book.remove': null;
  'activity.rows': ActivityRows;
  /** Values of a field that stored rows have and that hold `text`, the most frequent first. */
  'activity.values': FilterValue[];
  /** Starts, or goes on with, fetching; progress arrives as `activity.changed`. */
  'activity.sync': null;
  /** Stops fetching until the user starts it again. */
  'activity.cancel': null;
  'activity.plan': SyncPlan;
  'activity.ledger': ListLedger[];
  /** The rows on the screen: partial ones among them are completed before all others. */
  'activity.showing': null;
  /** Completes every partial row that the filter lets through, in the background; with `false` ends that. */
  'activity.completeAll': null;
  /** The JSON that is stored of a row; null when the row is there no longer. */
  'activity.text': RowText | null;
  'activity.versions': RowVersion[];
  'activity.audit': AuditReport;
  /**
   * Closes a gap of the audit. What the list of transactions lacks is fetched alone, and stored as a complete row of the
   * address; another list is asked again for the block, and the call ends when it has answered.
   */
  'activity.pull': null;
  /** The user's word about one row or one token; null takes it back. `token` is a value of the token field. */
  'activity.judge': null;
  /** The stored transaction on another chain that carries the same cross-chain message; null when it is not stored. */
  'activity.otherHalf': { chainId: string; txHash: string; timestampMs: number | null } | null;
  /** Asks for a place and begins to write; null when the user wants none. Progress: `activityExport.changed`. */
  'activity.export': { path: string } | null;
  'activity.cancelExport': null;
}

export interface ActivityEventContract {
  'watchlist.changed': WatchedAddress[];
  'book.changed': BookEntry[];
  /** Rows of this address and chain were added or changed, or the sync of the list moved on. */
  'activity.changed': { address: string; chainId: string; list: ListId; sync: ChainSync };
  'completion.changed': CompletionStatus;
  'activityExport.changed': ActivityExportStatus;
}
