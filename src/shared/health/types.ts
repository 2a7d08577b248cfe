import type * as z from 'zod/mini';
import type { AppError } from '../errors.ts';
import type { checkState, failureEpisode, healthReport, incidentMark, nodeState } from './stored.ts';

export interface NodeConfig {
  id: string;
  name: string;
  /** Base URL of the node, http or https, no trailing slash. */
  url: string;
  /** Null: chosen by the app from what it learns of the node's own period. */
  intervalMs: number | null;
  /** Subnet ids whose checks the user watches; the result for them is judged beside the unfiltered one. */
  tags: string[];
  /** Names of the extra request headers; their values are in the keychain and never leave the main process. */
  headerNames: string[];
  /** Not polled until the user goes on. */
  paused: boolean;
  addedAtMs: number;
}

// What the schemas of `stored.ts` say.
export type CheckState = z.infer<typeof checkState>;
export type NodeState = z.infer<typeof nodeState>;
export type CheckReport = HealthReport['checks'][number];
export type HealthReport = z.infer<typeof healthReport>;
export type FailureEpisode = z.infer<typeof failureEpisode>;
export type IncidentMark = z.infer<typeof incidentMark>;

/** Which checks a tag selects, global ones included, as the node has told. */
export interface TagChecks {
  tag: string;
  checks: string[];
}

/** The newest height of a chain as the last report has it. */
export interface ChainHeight {
  check: string;
  /** Digits in groups. */
  height: string;
  /** Times of the first run that had this height, as far as we know, and of the last one. */
  sinceMs: number;
  ranAtMs: number;
}

export interface NodeStatus {
  node: NodeConfig;
  state: NodeState;
  /** Why the state is what it is, in one sentence. */
  reason: string;
  /** The last report that arrived, kept while the node cannot be reached. */
  report: HealthReport | null;
  reportAtMs: number | null;
  lastPollAtMs: number | null;
  nextPollAtMs: number | null;
  polling: boolean;
  /** Why the last poll brought no report. */
  error: AppError | null;
  /** Header `node-id` of the last answer. */
  nodeId: string | null;
  /** The header that this address answered with before, when it has changed. */
  previousNodeId: string | null;
  /** Readiness and liveness, asked for now and then; null while they were not. */
  readiness: ProbeAnswer | null;
  liveness: ProbeAnswer | null;
  /** GET and JSON-RPC do not say the same: in words; null while they agree or only one answers. */
  disagreement: string | null;
  /** The node for the user's tags; null without tags, or while no report is there. */
  tagView: TagView | null;
  tagChecks: TagChecks[];
  /** The node's own period between runs of its checks; null until it is learned, and while that is not sure. */
  periodMs: number | null;
  /**
   * The connection stays open between two polls, so that the end of the node is seen at once; false: what answers ends it
   * before, so that the end is seen with the next request. Null while the node has not answered.
   */
  keepsConnection: boolean | null;
  /** Checks that take far longer than they used to: an early warning, never a state. */
  slowChecks: { check: string; nowMs: number; usualMs: number }[];
  heights: ChainHeight[];
}

/** What one path of the health interface answered (specification A). */
export interface ProbeAnswer {
  /** `yes`/`no`: the node's own word. `no-answer`: we could not see it; `words` say why. */
  says: 'yes' | 'no' | 'no-answer';
  words: string;
  askedAtMs: number;
}

/** What the node says about the checks that the user's tags select, beside what it says about all. */
export interface TagView {
  tags: string[];
  selectedHealthy: boolean;
  /** Checks that the tags select and that fail. */
  selectedFailing: string[];
  /** Checks that fail and that the tags do not select. */
  unselectedFailing: string[];
  /** Tags that selected nothing but global checks: probably mistyped. */
  unmatchedTags: string[];
  words: string;
}

/** What was found at an address before a node is added. */
export interface NodeProbe {
  get: ProbeAnswer;
  rpc: ProbeAnswer;
  readiness: ProbeAnswer;
  liveness: ProbeAnswer;
  /** Header `node-id`. */
  nodeId: string | null;
  /** What it means and what to do, most important first: host check, interface off, TLS, another node than before … */
  advice: string[];
  checks: string[];
}

/** One cell of a strip: what is known about a span of time. */
export interface StripCell {
  fromMs: number;
  toMs: number;
  /** The worst that was seen; `unreachable` only of the node; `none` where nothing was recorded. */
  state: CheckState | 'unreachable' | 'none';
  runs: number;
  failures: number;
  /** First error seen in the `state` of the cell; for the node, and where we could not see, the reason. Null for a pass. */
  error: string | null;
}

/** `check` null is the node as a whole. */
export interface Strip {
  check: string | null;
  cells: StripCell[];
}

// ---- Uptime ----------------------------------------------------------------------------------------------------------

/**
 * Milliseconds of a span in which something was known to pass, known to fail, did not answer (of the node alone, as seen
 * from this computer), and was not known. They add up to the span.
 */
export interface KnownSums {
  upMs: number;
  downMs: number;
  unreachableMs: number;
  unknownMs: number;
}

/** What is known of a check (null: the node) over a span; `docs/uptime.md` has the rule in words. */
export interface StoredUptime extends KnownSums {
  check: string | null;
  /** Runs that were seen or that the node has counted. */
  runs: number;
  failedRuns: number;
}

export interface Uptime extends Omit<StoredUptime, 'check'> {
  scope: 'node' | 'chain' | 'check';
  /** Name of the check or alias of the chain; empty for the node. */
  name: string;
  /** `up / (up + down + unreachable)` in parts per million, rounded down; null when more than half of the span is not known. */
  uptimePpm: number | null;
}

// ---- Reports of the past ---------------------------------------------------------------------------------------------

/** A stored report differs from the one before it in state, checks, errors or messages (not only in times). */
export interface ReportMoment {
  atMs: number;
  state: NodeState;
}

export interface ReportAt {
  /** When this report arrived. */
  atMs: number;
  state: NodeState;
  reason: string;
  report: HealthReport | null;
  /** Against the report before it. */
  differences: FieldDifference[];
  previousAtMs: number | null;
  nextAtMs: number | null;
}

/** One field of one check that is not as it was before. */
export interface FieldDifference {
  check: string;
  /** `state`, `error`, `message.connectedPeers` … */
  field: string;
  /** Decoded with units where the field is known; null where the field was not there. */
  before: string | null;
  after: string | null;
}

// ---- Incidents -------------------------------------------------------------------------------------------------------

/** How a moment is known: a run was seen, the node reported it, something else proves it, or the check is gone. */
export type KnownFrom = 'seen' | 'node-reported' | 'inferred' | 'unreported';

export interface IncidentPart {
  /** Id of the episode. */
  id: string;
  check: string;
  startedAtMs: number;
  startKnownFrom: KnownFrom;
  endedAtMs: number | null;
  endKnownFrom: KnownFrom | null;
  failures: number;
  firstError: string | null;
}

/** Failures that belong together. */
export interface Incident {
  id: string;
  nodeId: string;
  startedAtMs: number;
  startKnownFrom: KnownFrom;
  endedAtMs: number | null;
  endKnownFrom: KnownFrom | null;
  /** The check that the others follow from: global before chain, then the order of onset. */
  leadingCheck: string;
  firstError: string | null;
  /** In order of onset. */
  parts: IncidentPart[];
  /** Extreme values while it lasted, from decoded messages: `connectedPeers`, `3`. */
  worst: { check: string; label: string; value: string }[];
  /** Names of watched nodes that its messages tell of and that did not answer while it lasted. */
  gone: string[];
  note: string;
}

// ---- Forecasts -------------------------------------------------------------------------------------------------------

/** When a number in a message will pass a threshold if it goes on as it did. Shown only when the fit is good. */
export interface Forecast {
  check: string;
  /** Path in the message. */
  field: string;
  label: string;
  /** The value now and the threshold, with units. */
  now: string;
  threshold: string;
  /** Milliseconds since 1970. */
  atMs: number;
  earliestMs: number;
  latestMs: number;
}

// ---- Recordings ------------------------------------------------------------------------------------------------------

/** A recording that is being chosen, written or read. */
export interface RecordingTask {
  kind: 'save' | 'open';
  /** Polls that are written or read; 0 while the place is being chosen. */
  polls: number;
  /** The share of the span that is done, 0 to 1. */
  share: number;
}

/** A recording that was opened: its id stands for a node's in every call about the past. */
export interface RecordingInfo {
  id: string;
  nodeName: string;
  fromMs: number;
  toMs: number;
  reportCount: number;
  path: string;
}

/** The last answer of a node as it came, report or not; secrets that it repeated are taken out. */
export interface ReceivedAnswer {
  atMs: number;
  httpStatus: number;
  /** Its beginning, where it is long. */
  body: string;
  /** Of the whole body, in characters. */
  length: number;
}

/** Room that the history of one node takes. */
export interface HistoryUse {
  nodeId: string;
  bytes: number;
  fromMs: number | null;
  pollCount: number;
}
