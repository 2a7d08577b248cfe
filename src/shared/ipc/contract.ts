import type * as z from 'zod/mini';
import type { ActivityExportStatus, BookEntry, CompletionStatus, WatchedAddress } from '../activity/types.ts';
import type { EndpointId, ParamsById, ResponseById } from '../endpoints/registry.ts';
import type { Attempt, BudgetStatus, RunPage, RunSummary } from '../explore/types.ts';
import type { AppLink } from '../app-link.ts';
import type { AppError, Result } from '../errors.ts';
import type { NodeStatus, RecordingInfo, RecordingTask } from '../health/types.ts';
import type { Settings } from '../settings.ts';
import type { ActivityEventContract, ActivityResults } from './contract-activity.ts';
import type { HealthEventContract, HealthResults } from './contract-health.ts';
import type { argumentSchemas } from './schemas.ts';

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

/** What each call from the window answers with. Its argument, one object or nothing, is what its schema lets through. */
export interface Results extends ActivityResults, HealthResults {
  'app.snapshot': AppSnapshot;
  /** Only `https:` and only right after the user's own click or key press. */
  'app.openExternal': null;
  /** Puts text on the clipboard, which the page itself has no permission for. */
  'app.copyText': null;
  /** Shows the profile folder, and no other, in the system's file manager. */
  'app.showDataFolder': null;
  /** A part of the window could not be drawn; the log keeps why, and `ref` finds it there. */
  'app.drawingFailed': { ref: string };
  /** The link of another program that waits to be gone to, each once; null without any. */
  'app.takeLink': AppLink | null;
  'settings.update': Settings;
  /** `storage: 'session'` keeps the key in memory until the app ends. */
  'secret.set': SecretStatus;
  'secret.remove': SecretStatus;
  /** Sends one small request with the key; ok when the service accepts it. */
  'secret.test': { answeredInMs: number };
  'endpoint.query': QueryResult<ResponseById[EndpointId]>;
  'endpoint.cancel': null;
  /** Begins a query of the user; answers when its first page is stored or has failed. `all` goes on by itself. */
  'runs.start': RunSummary;
  /** Fetches the next page, or all that are left, of a stored query; for `all` answers when it has begun. */
  'runs.continue': RunSummary;
  'runs.cancel': null;
  /** Newest first. `text` is looked for in titles, ids and parameters; empty for all. */
  'runs.list': { runs: RunSummary[]; nextCursor: string | null; totalCount: number };
  'runs.page': RunPage;
  'runs.attempts': Attempt[];
  'runs.remove': null;
  /** Asks the user for a place and writes all stored pages there; null when the user cancels. */
  'runs.export': { path: string; rowCount: number } | null;
}

export interface EventContract extends ActivityEventContract, HealthEventContract {
  'settings.changed': Settings;
  /** Another program has opened a link in the app: `app.takeLink`. */
  'link.waiting': null;
  'secret.changed': SecretStatus;
  'storage.changed': StorageStatus;
  'connection.changed': ConnectionStatus;
  'budget.changed': BudgetStatus;
  /** A query has moved on or ended. */
  'run.changed': RunSummary;
}

export type InvokeChannel = keyof Results;
export type EventChannel = keyof EventContract;
type Arguments = { [C in InvokeChannel]: z.output<(typeof argumentSchemas)[C]> };
export type ArgsOf<C extends InvokeChannel> = Arguments[C];
export type ResultOf<C extends InvokeChannel> = Results[C];
/** What was thrown while drawing. */
export type DrawingError = ArgsOf<'app.drawingFailed'>['error'];
export type Reply<T> = Promise<Result<T>>;

/** What the preload script puts on `window.watchkeeper`. */
export interface Bridge {
  invoke<C extends InvokeChannel>(channel: C, args: ArgsOf<C>): Reply<ResultOf<C>>;
  /** `payloads` is the JSON text of a list of what the channel carries. Returns the function that ends the listening. */
  listen(channel: EventChannel, listener: (payloads: string) => void): () => void;
}
