import type {
  ActivityExportStatus,
  BlockProof,
  BookEntry,
  ChainSync,
  CompletionStatus,
  ListId,
  WatchedAddress,
} from '../activity/types.ts';
import type { AppError } from '../errors.ts';
import type { BudgetStatus } from '../explore/types.ts';
import type { NodeStatus, RecordingInfo, RecordingTask } from '../health/types.ts';
import type { Settings } from '../settings.ts';

// What the window is answered and told, where no room of the domain has a type for it.

/** What the window may know of the API key: that there is one and where it is kept. Never the key. */
export interface SecretStatus {
  present: boolean;
  storage: 'keychain' | 'session' | 'none';
  /** Whether the system's keychain can be used; `unknown` until it has been asked. */
  keychain: 'unknown' | 'available' | 'locked' | 'absent';
  /** The key is too short or too uniform to be told apart from data, so it is not taken out of answers. */
  looksLikeData?: true;
}

/** How the local store was opened, and what had to be done for it. */
export interface StorageStatus {
  state: 'opening' | 'ready' | 'memory' | 'failed';
  /** Plain words for the user; empty when all is well. */
  notices: string[];
}

/** Whether the service answered last time it was asked. */
export interface ConnectionStatus {
  state: 'unknown' | 'online' | 'offline';
  /** Last answer of any kind from the service. */
  lastAnswerAtMs: number | null;
  error: AppError | null;
}

export interface AppSnapshot {
  version: string;
  /** The profile folder: everything that the app stores but the secrets. */
  dataFolder: string;
  /** The place by whose customs the system writes dates and numbers, such as `de-DE`. */
  locale: string;
  settings: Settings;
  secret: SecretStatus;
  storage: StorageStatus;
  connection: ConnectionStatus;
  watchlist: WatchedAddress[];
  book: BookEntry[];
  completion: CompletionStatus;
  activityExport: ActivityExportStatus;
  nodes: NodeStatus[];
  recordings: RecordingInfo[];
  recordingTask: RecordingTask | null;
  budget: BudgetStatus;
}

/** An answer of an endpoint, now or as it was known. */
export interface QueryResult<T> {
  data: T;
  fetchedAtMs: number;
  source: 'network' | 'cache';
  /** Older than the endpoint's freshness. */
  stale: boolean;
  /** What was odd about the answer and how it was read. */
  notes: string[];
  /** The body as it was received, when it was asked for. */
  rawText?: string;
  /** Why no newer answer could be had. */
  refreshError?: AppError;
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
