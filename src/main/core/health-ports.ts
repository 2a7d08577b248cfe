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

export type { FailureEpisode as StoredEpisode, StoredUptime };

// Resolved promises mean that the data is on disk. Rejections are an `AppFailure` with code `storage`.

export interface StoredNode extends NodeConfig {
  /** The `node-id` header that this address sent before the current one. */
  previousNodeId: string | null;
  /** Learned from the node's answers filtered by tag. */
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
  /** Index of the span; 0 starts at `fromMs`. */
  cell: number;
  state: CheckState | NodeState;
  count: number;
  /** Error (or, for the node, reason) of the first of them. */
  firstError: string | null;
}

export interface UpkeepLimits {
  nowMs: number;
  keepDays: number;
  keepBytesPerNode: number;
  /** So many passing runs end a failure (`HealthSettings`): with fewer after it, an episode and the next are one. */
  recoverAfter: number;
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
  readCells(
    nodeId: string,
    fromMs: number,
    cellMs: number,
    cellCount: number,
    /** Only those of the node itself. */
    ofNode?: boolean,
  ): Promise<StoredCell[]>;
  /** Episodes that have not ended, or whose passes are still counted. */
  currentEpisodes(nodeId: string): Promise<FailureEpisode[]>;
  /** Newest start first, then by id; `check` null for all. `after`: the last one of those that were read before. */
  readEpisodes(
    nodeId: string,
    check: string | null,
    limit: number,
    after?: Pick<FailureEpisode, 'id' | 'startedAtMs'>,
  ): Promise<FailureEpisode[]>;
  /**
   * Exact sums over a span for the node (`check` null) and each check: milliseconds known to pass, known to fail, without
   * an answer and not known, by the rule in docs/uptime.md; computed in the store from roll-ups and, at the edges, from single runs.
   */
  readUptime(nodeId: string, fromMs: number, toMs: number): Promise<StoredUptime[]>;
  /**
   * Times of stored polls whose report differs from the one before in more than times, both ends included; oldest
   * first. Does not include days whose single runs were removed.
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
   * Upkeep, in small steps: packs past hours and days into compressed blocks with roll-ups, and removes what exceeds
   * the limits (or its single runs only), and failures that ended before what is kept. Returns true while there is more to do. The result
   * of `latest` is never removed.
   */
  maintain(limits: UpkeepLimits): Promise<boolean>;
  // The user's notes about incidents.
  readIncidentMarks(nodeId: string): Promise<IncidentMark[]>;
  putIncidentMark(nodeId: string, mark: IncidentMark): Promise<void>;
}

// ---- Recordings ------------------------------------------------------------------------------------------------------

/** Head of a recording's file. */
export interface RecordingFacts {
  nodeName: string;
  fromMs: number;
  toMs: number;
  /** Checks that belonged to a chain. */
  chainChecks: string[];
  reportCount: number;
  /** Size of its text in bytes. */
  textBytes: number;
}

/** An opened recording, with its past in a store of its own. */
export interface OpenedRecording extends RecordingFacts {
  store: HealthStore;
  /** Discards the store. Pending and later calls reject. */
  close(): void;
}

/**
 * Reads the file of a recording, which is untrusted, as a node `id`. Rejects with an `AppFailure`: `storage` when the
 * disk fails, `bad-response` for an invalid or incomplete recording or one with more than `textBytes` of text, or the
 * reason of `signal`; nothing of it is kept then.
 */
export type OpenRecording = (args: {
  path: string;
  id: string;
  textBytes: number;
  signal: AbortSignal;
  /** Progress: polls read, and share of the span. */
  onStep: (polls: number, share: number) => void;
}) => Promise<OpenedRecording>;
