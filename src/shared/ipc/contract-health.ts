import type * as z from 'zod/mini';
import type {
  FailureEpisode,
  Forecast,
  HistoryUse,
  Incident,
  NodeConfig,
  NodeProbe,
  NodeStatus,
  ReceivedAnswer,
  RecordingInfo,
  RecordingTask,
  ReportAt,
  ReportMoment,
  Strip,
  Uptime,
} from '../health/types.ts';
import type { healthSchemas } from './schemas-health.ts';

/** What calls about nodes, their history and their incidents answer; `schemas-health.ts` says what they are given. */
export interface HealthResults {
  'nodes.add': NodeConfig;
  'nodes.update': NodeConfig;
  'nodes.remove': null;
  /** Polls now; answers when the poll has ended. */
  'nodes.poll': NodeStatus;
  /** Asks an address by all four paths and by RPC, before it is added or changed. */
  'nodes.probe': NodeProbe;
  /** The node's strip first, then one a chain and one a check. `nodes.uptime` names all. */
  'nodes.strips': Strip[];
  /** Newest first. */
  'nodes.episodes': FailureEpisode[];
  /** The node first, then chains, then checks. */
  'nodes.uptime': Uptime[];
  /** Where stored reports change, oldest first; `isCut` when there are more. */
  'nodes.moments': { moments: ReportMoment[]; isCut: boolean };
  /** The report that was the last one at `atMs`; null when none was stored by then. */
  'nodes.reportAt': ReportAt | null;
  'nodes.forecasts': Forecast[];
  /** Null when nothing came since the start, or since the address was changed. */
  'nodes.received': ReceivedAnswer | null;
  'nodes.historyUse': HistoryUse[];
  /** Newest start first. */
  'incidents.list': { incidents: Incident[]; totalCount: number };
  'incidents.note': Incident;
  /** Asks for a place; null when the user wants none. */
  'incidents.export': { path: string; count: number } | null;
  /** One self-contained HTML file. */
  'incidents.postMortem': { path: string } | null;
  /** Writes the stored reports of a span to one file. */
  'recordings.save': { path: string; reportCount: number } | null;
  /** Asks for a file and reads it; null when the user wants none. */
  'recordings.open': RecordingInfo | null;
  'recordings.close': null;
  /** Ends the writing or reading that is under way; its call ends with `cancelled`. */
  'recordings.cancel': null;
}

export type HealthArgs<C extends keyof HealthResults> = z.infer<(typeof healthSchemas)[C]>;
export type HealthAnswer<C extends keyof HealthResults> = Promise<HealthResults[C]>;

/** What a person says about a node. An empty name becomes the host of the address. */
export type NodeFields = HealthArgs<'nodes.add'>;
export type IncidentFilter = HealthArgs<'incidents.list'>['filter'];

export interface HealthEventContract {
  /** The list of nodes changed. */
  'nodes.changed': NodeStatus[];
  /** One node's status changed. */
  'node.changed': NodeStatus;
  /** Incidents of the node began, ended or changed. */
  'incidents.changed': { nodeId: string };
  /** A recording is being written or read, and so far; null when that has ended. */
  'recordingTask.changed': RecordingTask | null;
}
