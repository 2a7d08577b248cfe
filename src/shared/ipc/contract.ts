// Room: the IPC between the window and the main process. Calls with their arguments and answers (`calls*.ts`), events,
// and the types of both sides, which are derived from these. Names of channels are in `channels.ts`, which the preload
// script is built from.

import type * as z from 'zod/mini';
import type { BookEntry, ChainSync, CompletionStatus, ListId, WatchedAddress } from '../activity/types.ts';
import type { EndpointId, ParamsById } from '../endpoints/registry.ts';
import type { BudgetStatus, RunSummary } from '../explore/types.ts';
import type { Result } from '../errors.ts';
import type { FileTask } from '../file-task.ts';
import type { NodeStatus } from '../health/types.ts';
import type { OutboundStatus } from '../outbound.ts';
import type { Settings } from '../settings.ts';
import type { UpdateStatus } from '../updates.ts';
import type { ConnectionStatus, SecretStatus, StorageStatus } from './answers.ts';
import type { Call } from './call.ts';
import type { calls } from './calls.ts';

export interface EndpointQuery<Id extends EndpointId = EndpointId> {
  endpointId: Id;
  params: ParamsById[Id];
  /** `cached`: never send a request. `if-stale`: only if the stored answer is not fresh. `always`: in any case. */
  refresh: 'cached' | 'if-stale' | 'always';
  includeRaw: boolean;
  /** Chosen by the caller, for `endpoint.cancel`. */
  requestId: string;
}

/** Events from the main process to the window. */
export interface EventContract {
  'settings.changed': Settings;
  /** Another program has opened a link in the app; the window gets it with `app.takeLink`. */
  'link.waiting': null;
  'secret.changed': SecretStatus;
  'storage.changed': StorageStatus;
  'connection.changed': ConnectionStatus;
  'budget.changed': BudgetStatus;
  'outbound.changed': OutboundStatus;
  'updates.changed': UpdateStatus;
  /** A query has made progress or ended. */
  'run.changed': RunSummary;
  'watchlist.changed': WatchedAddress[];
  'book.changed': BookEntry[];
  /** Rows of this address and chain were added or changed, or its sync made progress. */
  'activity.changed': { address: string; chainId: string; list: ListId; sync: ChainSync };
  'completion.changed': CompletionStatus;
  'activityExport.changed': FileTask | null;
  /** The list of nodes changed. */
  'nodes.changed': NodeStatus[];
  /** One node's status changed. */
  'node.changed': NodeStatus;
  /** A poll of the node was stored. */
  'past.changed': { nodeId: string };
  /** Incidents of the node began, ended or changed. */
  'incidents.changed': { nodeId: string };
  /** Alerts or messages were added or changed: how many are open by now, neither acknowledged nor snoozed. */
  'alerts.changed': number;
  /** Progress of writing or reading a recording; null when that has ended. */
  'recordingTask.changed': FileTask | null;
}

export type InvokeChannel = keyof typeof calls;
export type EventChannel = keyof EventContract;
type Arguments = { [C in InvokeChannel]: z.output<(typeof calls)[C]['schema']> };
type Results = {
  [C in InvokeChannel]: (typeof calls)[C] extends Call<z.ZodMiniType, infer Answer> ? Answer : never;
};
export type ArgsOf<C extends InvokeChannel> = Arguments[C];
export type ResultOf<C extends InvokeChannel> = Results[C];
/** An error thrown while rendering. */
export type DrawingError = ArgsOf<'app.drawingFailed'>['error'];
/** The user's input about a node. An empty name becomes the host of the URL. */
export type NodeFields = ArgsOf<'nodes.add'>;
export type IncidentFilter = ArgsOf<'incidents.list'>['filter'];
export type Reply<T> = Promise<Result<T>>;

/** The object that the preload script exposes as `window.watchkeeper`. */
export interface Bridge {
  invoke<C extends InvokeChannel>(channel: C, args: ArgsOf<C>): Reply<ResultOf<C>>;
  /**
   * `events` is a list of pairs, of a channel and its payload, as JSON text, in the order in which they occurred. Returns
   * the function that removes the listener.
   */
  listen(listener: (events: string) => void): () => void;
}
