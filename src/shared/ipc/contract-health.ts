import type {
  FailureEpisode,
  Forecast,
  HistoryUse,
  Incident,
  IncidentFilter,
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
export interface HealthInvokeContract {
  'nodes.add': { args: NodeFields; result: NodeConfig };
  'nodes.update': { args: NodeFields & { id: string }; result: NodeConfig };
  'nodes.remove': { args: { id: string }; result: null };
  /** Polls now; answers when the poll has ended. */
  'nodes.poll': { args: { id: string }; result: NodeStatus };
  /** Asks an address by all four paths and by RPC, before it is added or changed; `id` is the node that is being changed. */
  'nodes.probe': {
    args: { id: string | null; url: string; headers: { name: string; value: string | null }[] };
    result: NodeProbe;
  };
  /**
   * The node's strip first, then one a chain and one a check, each of `cellCount` cells from `fromMs` to `toMs`; at most
   * `limit` of them. `nodes.uptime` names all.
   */
  'nodes.strips': {
    args: { id: string; fromMs: number; toMs: number; cellCount: number; limit: number };
    result: Strip[];
  };
  /** Newest first; `check` null for all checks. */
  'nodes.episodes': {
    args: { id: string; check: string | null; limit: number };
    result: FailureEpisode[];
  };
  /** The node first, then chains, then checks. */
  'nodes.uptime': { args: { id: string; fromMs: number; toMs: number }; result: Uptime[] };
  /** Where stored reports change, oldest first; at most `limit`, `isCut` when there are more. */
  'nodes.moments': {
    args: { id: string; fromMs: number; toMs: number; limit: number };
    result: { moments: ReportMoment[]; isCut: boolean };
  };
  /** The report that was the last one at `atMs`; null when none was stored by then. */
  'nodes.reportAt': { args: { id: string; atMs: number }; result: ReportAt | null };
  'nodes.forecasts': { args: { id: string }; result: Forecast[] };
  'nodes.historyUse': { args: undefined; result: HistoryUse[] };
  /** Newest start first. */
  'incidents.list': {
    args: { filter: IncidentFilter; offset: number; limit: number };
    result: { incidents: Incident[]; totalCount: number };
  };
  /** Of `nodeId`, a node or a recording: a recording has the ids of the node that it was made of. Likewise below. */
  'incidents.note': { args: { nodeId: string; id: string; note: string }; result: Incident };
  /** Asks for a place; null when the user wants none. */
  'incidents.export': {
    args: { filter: IncidentFilter; format: 'csv' | 'json' };
    result: { path: string; count: number } | null;
  };
  /** One self-contained HTML file. `redact` leaves out addresses, names and labels. */
  'incidents.postMortem': {
    args: { nodeId: string; id: string; redact: boolean };
    result: { path: string } | null;
  };
  /** Writes the stored reports of a span to one file. */
  'recordings.save': {
    args: { id: string; fromMs: number; toMs: number };
    result: { path: string; reportCount: number } | null;
  };
  /** Asks for a file and reads it; null when the user wants none. */
  'recordings.open': { args: undefined; result: RecordingInfo | null };
  'recordings.close': { args: { id: string }; result: null };
  /** Ends the writing or reading that is under way; its call ends with `cancelled`. */
  'recordings.cancel': { args: undefined; result: null };
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
