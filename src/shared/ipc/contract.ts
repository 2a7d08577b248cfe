// Room: what the window and the main process say to each other. Calls with their arguments and answers (`calls*.ts`),
// events, and the types of both sides, all derived from these. Names of channels are in `channels.ts`, which the preload
// script is built from.

import type * as z from 'zod/mini';
import type {
  ActivityExportStatus,
  BookEntry,
  ChainSync,
  CompletionStatus,
  ListId,
  WatchedAddress,
} from '../activity/types.ts';
import type { EndpointId, ParamsById } from '../endpoints/registry.ts';
import type { BudgetStatus, RunSummary } from '../explore/types.ts';
import type { Result } from '../errors.ts';
import type { NodeStatus, RecordingTask } from '../health/types.ts';
import type { Settings } from '../settings.ts';
import type { ConnectionStatus, SecretStatus, StorageStatus } from './answers.ts';
import type { Call } from './call.ts';
import type { calls } from './calls.ts';

export interface EndpointQuery<Id extends EndpointId = EndpointId> {
  endpointId: Id;
  params: ParamsById[Id];
  /** `cached`: never ask the network. `if-stale`: ask when the stored answer is not fresh. `always`: ask. */
  refresh: 'cached' | 'if-stale' | 'always';
  includeRaw: boolean;
  /** Chosen by the caller; `endpoint.cancel` names it. */
  requestId: string;
}

/** What the window is told without asking. */
export interface EventContract {
  'settings.changed': Settings;
  /** Another program has opened a link in the app: `app.takeLink`. */
  'link.waiting': null;
  'secret.changed': SecretStatus;
  'storage.changed': StorageStatus;
  'connection.changed': ConnectionStatus;
  'budget.changed': BudgetStatus;
  /** A query has moved on or ended. */
  'run.changed': RunSummary;
  'watchlist.changed': WatchedAddress[];
  'book.changed': BookEntry[];
  /** Rows of this address and chain were added or changed, or the sync of the list moved on. */
  'activity.changed': { address: string; chainId: string; list: ListId; sync: ChainSync };
  'completion.changed': CompletionStatus;
  'activityExport.changed': ActivityExportStatus;
  /** The list of nodes changed. */
  'nodes.changed': NodeStatus[];
  /** One node's status changed. */
  'node.changed': NodeStatus;
  /** Incidents of the node began, ended or changed. */
  'incidents.changed': { nodeId: string };
  /** A recording is being written or read, and so far; null when that has ended. */
  'recordingTask.changed': RecordingTask | null;
}

export type InvokeChannel = keyof typeof calls;
export type EventChannel = keyof EventContract;
type Arguments = { [C in InvokeChannel]: z.output<(typeof calls)[C]['schema']> };
type Results = {
  [C in InvokeChannel]: (typeof calls)[C] extends Call<z.ZodMiniType, infer Answer> ? Answer : never;
};
export type ArgsOf<C extends InvokeChannel> = Arguments[C];
export type ResultOf<C extends InvokeChannel> = Results[C];
/** What was thrown while drawing. */
export type DrawingError = ArgsOf<'app.drawingFailed'>['error'];
/** What a person says about a node. An empty name becomes the host of the address. */
export type NodeFields = ArgsOf<'nodes.add'>;
export type IncidentFilter = ArgsOf<'incidents.list'>['filter'];
export type Reply<T> = Promise<Result<T>>;

/** What the preload script puts on `window.watchkeeper`. */
export interface Bridge {
  invoke<C extends InvokeChannel>(channel: C, args: ArgsOf<C>): Reply<ResultOf<C>>;
  /** `payloads` is the JSON text of a list of what the channel carries. Returns the function that ends the listening. */
  listen(channel: EventChannel, listener: (payloads: string) => void): () => void;
}
