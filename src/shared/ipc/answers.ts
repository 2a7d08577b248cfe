import type {
  BlockProof,
  BookEntry,
  ChainSync,
  CompletionStatus,
  ListId,
  WatchedAddress,
} from '../activity/types.ts';
import type { AppError } from '../errors.ts';
import type { BudgetStatus } from '../explore/types.ts';
import type { FileTask } from '../file-task.ts';
import type { NodeStatus, RecordingInfo } from '../health/types.ts';
import type { OutboundStatus } from '../outbound.ts';
import type { Settings } from '../settings.ts';
import type { UpdateStatus } from '../updates.ts';

// Types of results and events for which no room of the core has a type.

/** What the window may know of the API key: whether there is one and where it is kept, but never the key. */
export interface SecretStatus {
  present: boolean;
  storage: 'keychain' | 'session' | 'none';
  /** Whether the system's keychain is usable; `unknown` before the first access. */
  keychain: 'unknown' | 'available' | 'locked' | 'absent';
  /** The key might also be data (short or uniform), so it is not removed from responses. */
  looksLikeData?: true;
}

/** How the local store was opened, and what had to be repaired. */
export interface StorageStatus {
  state: 'opening' | 'ready' | 'memory' | 'failed';
  /** The disk refuses writes at the moment. */
  notKept: boolean;
  /** Notices for the user; empty when all is well. */
  notices: string[];
  /** Notices of the app that are not about the store. */
  others?: string[];
}

/** Whether the service answered the last request. */
export interface ConnectionStatus {
  /** `off`: the user has switched requests for chain data off. */
  state: 'unknown' | 'online' | 'offline' | 'off';
  /** Time of the last response of any kind from the service. */
  lastAnswerAtMs: number | null;
  /** Why it cannot be reached; when it is online, that it refuses the key. */
  error: AppError | null;
}

export interface AppSnapshot {
  version: string;
  /** The profile folder, which holds everything that the app stores except secrets. */
  dataFolder: string;
  /** The system's locale for dates and numbers, such as `de-DE`. */
  locale: string;
  settings: Settings;
  secret: SecretStatus;
  storage: StorageStatus;
  connection: ConnectionStatus;
  watchlist: WatchedAddress[];
  book: BookEntry[];
  completion: CompletionStatus;
  activityExport: FileTask | null;
  nodes: NodeStatus[];
  recordings: RecordingInfo[];
  recordingTask: FileTask | null;
  budget: BudgetStatus;
  outbound: OutboundStatus;
  /** How many are open. */
  alerts: number;
  updates: UpdateStatus;
}

/** A removal; `removals.settle` takes its id. */
export interface Removed {
  undoId: string;
}

/** An answer of an endpoint, from the service or the store. */
export interface QueryResult<T> {
  data: T;
  fetchedAtMs: number;
  source: 'network' | 'cache';
  /** Older than the endpoint's freshness. */
  stale: boolean;
  /** Oddities of the answer, and how they were handled. */
  notes: string[];
  /** The raw body, if it was requested. */
  rawText?: string;
  /** Why there is no newer answer. */
  refreshError?: AppError;
}

/** The ledger of one list. */
export interface ListLedger {
  list: ListId;
  sync: ChainSync;
  /** In order of blocks. */
  proofs: BlockProof[];
}

/** A stored row. */
export interface RowText {
  text: string;
  /** True if the text is as received; false if it was written again from decoded data. */
  isReceived: boolean;
  /** URL of the page that the element is from; null for a whole answer, or when unknown. */
  requestUrl: string | null;
}

/** A value that can be chosen in a pill. */
export interface FilterValue {
  value: string;
  /** Display name; the value itself if it has none. */
  label: string;
  /** Number of rows with this value. */
  count: number;
}
