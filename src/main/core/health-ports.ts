import type { RecordedPoll } from '../../shared/health/check-run.ts';
import type {
  CheckState,
  FailureEpisode,
  HistoryUse,
  IncidentMark,
  NodeConfig,
  NodeState,
  ReportMoment,
  StoredUptime,
  TagChecks,
} from '../../shared/health/types.ts';

export type { FailureEpisode as StoredEpisode, IncidentMark as StoredIncidentMark, StoredUptime };

// A promise that resolves means: on disk. A rejection is an `AppFailure` with code `storage`.

export interface StoredNode extends NodeConfig {
  /** The header `node-id` that this address answered with before the present one. */
  previousNodeId: string | null;
  /** As learned from the node's filtered answers. */
  tagChecks: TagChecks[];
}

export interface StoredPoll extends RecordedPoll {
  nodeId: string;
  /** Episodes that began, went on or ended with this poll. */
  episodes: readonly FailureEpisode[];
}

/** How often a state was seen in one span of time. `check` null counts the node's own states. */
export interface StoredCell {
  check: string | null;
  /** 0 is the span that starts at `fromMs`. */
  cell: number;
  state: CheckState | NodeState;
  count: number;
  /** Error (or, for the node, reason) of the first of them. */
  firstError: string | null;
}

export interface HealthStore {
  listNodes(): Promise<StoredNode[]>;
  putNode(node: StoredNode): Promise<void>;
  /** Removes the node with its history. */
  removeNode(id: string): Promise<void>;
  /** Stores the poll, the runs that are not stored yet and the episodes: all or nothing. */
  recordPoll(poll: StoredPoll): Promise<void>;
  /** The last poll, and the last poll that brought a report, both without runs and episodes. */
  latest(nodeId: string): Promise<{ poll: StoredPoll | null; lastReport: StoredPoll | null }>;
  /** Counts by check, span and state over `cellCount` spans of `cellMs` from `fromMs`, computed in the store. */
  readCells(nodeId: string, fromMs: number, cellMs: number, cellCount: number): Promise<StoredCell[]>;
  /** Episodes that have not ended. */
  openEpisodes(nodeId: string): Promise<FailureEpisode[]>;
  /** Newest start first; `check` null for all. */
  readEpisodes(nodeId: string, check: string | null, limit: number): Promise<FailureEpisode[]>;
  /**
   * Every episode that touches a span: begun before `toMs`, and lasting or ended at `fromMs` or later. Newest start first;
   * `limit` 1 to 20,000.
   */
  readEpisodesIn(nodeId: string, fromMs: number, toMs: number, limit: number): Promise<FailureEpisode[]>;
  /**
   * Exact sums over a span for the node (`check` null) and each check: milliseconds known to pass, known to fail, without
   * an answer and not known, by the rule in docs/uptime.md; computed in the store from roll-ups and, at the edges, from single runs.
   */
  readUptime(nodeId: string, fromMs: number, toMs: number): Promise<StoredUptime[]>;
  /**
   * Times of stored polls whose report differs from the one before in more than times, both ends included; oldest first.
   * None of days that have lost their single runs.
   */
  readMoments(
    nodeId: string,
    fromMs: number,
    toMs: number,
    limit: number,
  ): Promise<{ moments: ReportMoment[]; isCut: boolean }>;
  /** The newest poll with a report at or before `atMs`, rebuilt exactly as it was recorded; without runs and episodes. */
  readPollAt(nodeId: string, atMs: number): Promise<StoredPoll | null>;
  /**
   * Every stored poll of `afterMs` < t ≤ `toMs` in order, with its runs, rebuilt exactly; for replays, exports and incidents.
   * `limit` 1 to 1,000; polls of the same time as the last one come with it. Empty only when there are no more.
   */
  scanPolls(nodeId: string, afterMs: number, toMs: number, limit: number): Promise<StoredPoll[]>;
  historyUse(): Promise<HistoryUse[]>;
  /**
   * Upkeep, in small steps: packs days that are over into compressed blocks with their roll-ups, and forgets (or rolls up
   * without single runs) what is older than the limits say. Returns true while there is more to do. Episodes, incidents and
   * what `latest` gives stay.
   */
  maintain(limits: { nowMs: number; keepDays: number; keepBytesPerNode: number }): Promise<boolean>;
  // What the user has said about incidents.
  readIncidentMarks(nodeId: string): Promise<IncidentMark[]>;
  putIncidentMark(nodeId: string, mark: IncidentMark): Promise<void>;
}

// ---- Recordings ------------------------------------------------------------------------------------------------------

/** What the file of a recording says of itself. */
export interface RecordingFacts {
  nodeName: string;
  fromMs: number;
  toMs: number;
  /** Checks that were known to be of a chain. */
  chainChecks: string[];
  reportCount: number;
  /** Bytes of its text. */
  textBytes: number;
}

/** A recording with its past in a store of its own. */
export interface OpenedRecording extends RecordingFacts {
  store: HealthStore;
  /** Forgets the store. Calls under way and later ones reject. */
  close(): void;
}

/**
 * Reads the file of a recording, which anyone may have written, as a node `id`. Rejects with an `AppFailure`: `storage` when
 * the disk refuses, `bad-response` for what is no whole recording or has more than `textBytes` of text, or with the reason
 * of `signal`; then nothing is left of it.
 */
export type OpenRecording = (args: {
  path: string;
  id: string;
  textBytes: number;
  signal: AbortSignal;
  /** So many polls, and this share of the span, are read. */
  onStep: (polls: number, share: number) => void;
}) => Promise<OpenedRecording>;
