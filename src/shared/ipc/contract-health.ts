import type {
  FailureEpisode,
  Forecast,
  HistoryUse,
  Incident,
  NodeConfig,
  NodeProbe,
  NodeStatus,
  RecordingInfo,
  RecordingTask,
  ReportAt,
  ReportMoment,
  Strip,
  Uptime,
} from '../health/types.ts';

/** What a person says about a node. An empty name becomes the host of the address. */
export interface NodeFields {
  name: string;
  url: string;
  /** Null: automatic. */
  intervalMs: number | null;
  tags: string[];
  /** Extra request headers. `value` null keeps what the keychain holds under this name; it is never read back. */
  headers: { name: string; value: string | null }[];
  paused: boolean;
}

/** Calls about nodes, their history and their incidents. Where an `id` is about the past, a recording's id does as well. */
export interface HealthResults {
  'nodes.add': NodeConfig;
  'nodes.update': NodeConfig;
  'nodes.remove': null;
  /** Polls now; answers when the poll has ended. */
  'nodes.poll': NodeStatus;
  /** Asks an address by all four paths and by RPC, before it is added or changed; `id` is the node that is being changed. */
  'nodes.probe': NodeProbe;
  /**
   * The node's strip first, then one a chain and one a check, each of `cellCount` cells from `fromMs` to `toMs`; at most
   * `limit` of them. `nodes.uptime` names all.
   */
  'nodes.strips': Strip[];
  /** Newest first; `check` null for all checks. */
  'nodes.episodes': FailureEpisode[];
  /** The node first, then chains, then checks. */
  'nodes.uptime': Uptime[];
  /** Where stored reports change, oldest first; at most `limit`, `isCut` when there are more. */
  'nodes.moments': { moments: ReportMoment[]; isCut: boolean };
  /** The report that was the last one at `atMs`; null when none was stored by then. */
  'nodes.reportAt': ReportAt | null;
  'nodes.forecasts': Forecast[];
  'nodes.historyUse': HistoryUse[];
  /** Newest start first. */
  'incidents.list': { incidents: Incident[]; totalCount: number };
  /** Of `nodeId`, a node or a recording: a recording has the ids of the node that it was made of. Likewise below. */
  'incidents.note': Incident;
  /** Asks for a place; null when the user wants none. */
  'incidents.export': { path: string; count: number } | null;
  /** One self-contained HTML file. `redact` leaves out addresses, names and labels. */
  'incidents.postMortem': { path: string } | null;
  /** Writes the stored reports of a span to one file. */
  'recordings.save': { path: string; reportCount: number } | null;
  /** Asks for a file and reads it; null when the user wants none. */
  'recordings.open': RecordingInfo | null;
  'recordings.close': null;
  /** Ends the writing or reading that is under way; its call ends with `cancelled`. */
  'recordings.cancel': null;
}

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
