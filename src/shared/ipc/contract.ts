import type { ActivityExportStatus, BookEntry, CompletionStatus, WatchedAddress } from '../activity/types.ts';
import type { EndpointId, ParamsById, ResponseById } from '../endpoints/registry.ts';
import type { Attempt, BudgetStatus, RunPage, RunSummary, RunTarget } from '../explore/types.ts';
import type { AppError, Result } from '../errors.ts';
import type { NodeStatus, RecordingInfo, RecordingTask } from '../health/types.ts';
import type { Settings } from '../settings.ts';
import type { EventChannel, InvokeChannel } from './channels.ts';
import type { ActivityEventContract, ActivityInvokeContract } from './contract-activity.ts';
import type { HealthEventContract, HealthInvokeContract } from './contract-health.ts';

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

export interface EndpointQuery<Id extends EndpointId = EndpointId> {
  endpointId: Id;
  params: ParamsById[Id];
  /** `cached`: never ask the network. `if-stale`: ask when the stored answer is not fresh. `always`: ask. */
  refresh: 'cached' | 'if-stale' | 'always';
  includeRaw: boolean;
  /** Chosen by the caller; `endpoint.cancel` names it. */
  requestId: string;
}

/** What was thrown while drawing. */
export interface DrawingError {
  name: string;
  stack: string;
}

/** Arguments and result of every call. Arguments are one object, or nothing. */
export interface InvokeContract extends ActivityInvokeContract, HealthInvokeContract {
  'app.snapshot': { args: undefined; result: AppSnapshot };
  /** Only `https:` and only right after the user's own click or key press. */
  'app.openExternal': { args: { url: string }; result: null };
  /** Puts text on the clipboard, which the page itself has no permission for. */
  'app.copyText': { args: { text: string }; result: null };
  /** Shows the profile folder, and no other, in the system's file manager. */
  'app.showDataFolder': { args: undefined; result: null };
  /** A part of the window could not be drawn; the log keeps why, and `ref` finds it there. */
  'app.drawingFailed': { args: { where: string; error: DrawingError }; result: { ref: string } };
  'settings.update': { args: Partial<Settings>; result: Settings };
  /** `storage: 'session'` keeps the key in memory until the app ends. */
  'secret.set': { args: { key: string; storage: 'keychain' | 'session' }; result: SecretStatus };
  'secret.remove': { args: undefined; result: SecretStatus };
  /** Sends one small request with the key; ok when the service accepts it. */
  'secret.test': { args: undefined; result: { answeredInMs: number } };
  'endpoint.query': { args: EndpointQuery; result: QueryResult<ResponseById[EndpointId]> };
  'endpoint.cancel': { args: { requestId: string }; result: null };
  /** Begins a query of the user; answers when its first page is stored or has failed. `all` goes on by itself. */
  'runs.start': { args: { target: RunTarget; pages: 'one' | 'all' }; result: RunSummary };
  /** Fetches the next page, or all that are left, of a stored query; for `all` answers when it has begun. */
  'runs.continue': { args: { runId: string; pages: 'one' | 'all' }; result: RunSummary };
  'runs.cancel': { args: { runId: string }; result: null };
  /** Newest first. `text` is looked for in titles, ids and parameters; empty for all. */
  'runs.list': {
    args: { text: string; cursor: string | null; limit: number };
    result: { runs: RunSummary[]; nextCursor: string | null; totalCount: number };
  };
  'runs.page': { args: { runId: string; index: number }; result: RunPage };
  'runs.attempts': { args: { runId: string }; result: Attempt[] };
  'runs.remove': { args: { runId: string }; result: null };
  /** Asks the user for a place and writes all stored pages there; null when the user cancels. */
  'runs.export': {
    args: { runId: string; format: 'csv' | 'json' };
    result: { path: string; rowCount: number } | null;
  };
}

export interface EventContract extends ActivityEventContract, HealthEventContract {
  'settings.changed': Settings;
  'secret.changed': SecretStatus;
  'storage.changed': StorageStatus;
  'connection.changed': ConnectionStatus;
  'budget.changed': BudgetStatus;
  /** A query has moved on or ended. */
  'run.changed': RunSummary;
}

export type ArgsOf<C extends InvokeChannel> = InvokeContract[C]['args'];
export type ResultOf<C extends InvokeChannel> = InvokeContract[C]['result'];
export type Reply<T> = Promise<Result<T>>;

/** What the preload script puts on `window.watchkeeper`. */
export interface Bridge {
  invoke<C extends InvokeChannel>(channel: C, args: ArgsOf<C>): Reply<ResultOf<C>>;
  /** `payloads` is the JSON text of a list of what the channel carries. Returns the function that ends the listening. */
  listen(channel: EventChannel, listener: (payloads: string) => void): () => void;
}

// A channel without a contract, or a contract without a channel, does not compile here.
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
export type ContractIsComplete = [
  Same<InvokeChannel, keyof InvokeContract>,
  Same<EventChannel, keyof EventContract>,
];
const contractIsComplete: ContractIsComplete = [true, true];
void contractIsComplete;
