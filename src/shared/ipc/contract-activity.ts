import type { ActivityFilter, ChoiceField } from '../activity/filter.ts';
import type {
  ActivityExportStatus,
  ActivityRows,
  AddedLine,
  AddressColour,
  AuditGap,
  AuditReport,
  BlockProof,
  BookEntry,
  ChainSync,
  CompletionStatus,
  ListId,
  RowVersion,
  SyncPlan,
  SyncScope,
  SyncWhat,
  WatchedAddress,
} from '../activity/types.ts';

/** Rows of the timeline from a place on. */
export interface ActivityQuery {
  filter: ActivityFilter;
  /** Place of the first row. */
  offset: number;
  /** A row that has to be `before` places below the first; in place of `offset` if the row matches the filter. */
  anchor: { rowId: number; before: number } | null;
  /** 1 to 500. */
  limit: number;
}

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
export interface ActivityInvokeContract {
  'watchlist.add': { args: { address: string; label: string | null }; result: WatchedAddress };
  /** Text with an address a line (CSV of our own export, JSON of it, or plain lines); tells what became of each. */
  'watchlist.addMany': { args: { text: string }; result: AddedLine[] };
  'watchlist.update': {
    args: {
      address: string;
      label: string | null;
      tags: string[];
      colour: AddressColour | null;
      paused: boolean;
    };
    result: null;
  };
  /** Stops watching. `keepData` leaves the stored history, which is there again when the address is added again. */
  'watchlist.remove': { args: { address: string; keepData: boolean }; result: null };
  /** Chains of a long list that are on the screen: their histories are fetched before all others that wait. */
  'watchlist.showing': { args: { address: string; chainIds: string[] }; result: null };
  'watchlist.refreshChains': { args: { address: string }; result: null };
  /** Asks the user for a place; null when they want none. */
  'watchlist.export': { args: { format: 'csv' | 'json' }; result: { path: string } | null };
  /** Names an address, or changes its name. */
  'book.put': { args: { address: string; name: string; note: string | null }; result: BookEntry };
  'book.remove': { args: { address: string }; result: null };
  'activity.rows': { args: ActivityQuery; result: ActivityRows };
  /** Values of a field that stored rows have and that hold `text`, the most frequent first. */
  'activity.values': { args: { field: ChoiceField; text: string; limit: number }; result: FilterValue[] };
  /** Starts, or goes on with, fetching; progress arrives as `activity.changed`. */
  'activity.sync': { args: { scope: SyncScope; what: SyncWhat }; result: null };
  /** Stops fetching until the user starts it again. */
  'activity.cancel': { args: { scope: SyncScope }; result: null };
  'activity.plan': { args: { scope: SyncScope; what: SyncWhat }; result: SyncPlan };
  'activity.ledger': { args: { address: string; chainId: string }; result: ListLedger[] };
  /** The rows on the screen: partial ones among them are completed before all others. */
  'activity.showing': { args: { rowIds: number[] }; result: null };
  /** Completes every partial row that the filter lets through, in the background; with `false` ends that. */
  'activity.completeAll': { args: { filter: ActivityFilter; run: boolean }; result: null };
  /** The JSON that is stored of a row; null when the row is there no longer. */
  'activity.text': { args: { rowId: number }; result: RowText | null };
  'activity.versions': { args: { rowId: number }; result: RowVersion[] };
  'activity.audit': { args: { address: string; chainId: string }; result: AuditReport };
  /**
   * Closes a gap of the audit. What the list of transactions lacks is fetched alone, and stored as a complete row of the
   * address; another list is asked again for the block, and the call ends when it has answered.
   */
  'activity.pull': {
    args: { address: string; chainId: string } & Pick<AuditGap, 'txHash' | 'blockNumber' | 'missingIn'>;
    result: null;
  };
  /** The user's word about one row or one token; null takes it back. `token` is a value of the token field. */
  'activity.judge': {
    args: {
      target: { kind: 'row'; rowId: number } | { kind: 'token'; token: string };
      decision: 'show' | 'hide' | null;
    };
    result: null;
  };
  /** The stored transaction on another chain that carries the same cross-chain message; null when it is not stored. */
  'activity.otherHalf': {
    args: { messageId: string; chainId: string };
    result: { chainId: string; txHash: string; timestampMs: number | null } | null;
  };
  /** Asks for a place and begins to write; null when the user wants none. Progress: `activityExport.changed`. */
  'activity.export': {
    args: { filter: ActivityFilter; format: 'csv' | 'jsonl' | 'json' };
    result: { path: string } | null;
  };
  'activity.cancelExport': { args: undefined; result: null };
}

export interface ActivityEventContract {
  'watchlist.changed': WatchedAddress[];
  'book.changed': BookEntry[];
  /** Rows of this address and chain were added or changed, or the sync of the list moved on. */
  'activity.changed': { address: string; chainId: string; list: ListId; sync: ChainSync };
  'completion.changed': CompletionStatus;
  'activityExport.changed': ActivityExportStatus;
}
