import type * as z from 'zod/mini';
import type { AppError } from '../errors.ts';
import type { checkState, failureEpisode, healthReport, incidentMark, nodeState } from './stored.ts';

export interface NodeConfig {
  id: string;
  name: string;
  /** Base URL of the node, http or https, no trailing slash. */
  url: string;
  /** Null: automatic, following the node's own period. */
  intervalMs: number | null;
  /** Subnet ids whose checks the user watches; their result is judged in addition to the unfiltered one. */
  tags: string[];
  /** Names of the extra request headers; their values are in the keychain and never leave the main process. */
  headerNames: string[];
  /** SHA-256 of the only certificate that the node is trusted by; null: what this computer trusts. */
  certificate: string | null;
  /** Not polled until the user resumes it. */
  paused: boolean;
  addedAtMs: number;
}

// Derived from the schemas in `stored.ts`.
export type CheckState = z.infer<typeof checkState>;
export type NodeState = z.infer<typeof nodeState>;
export type CheckReport = HealthReport['checks'][number];
export type HealthReport = z.infer<typeof healthReport>;
export type FailureEpisode = z.infer<typeof failureEpisode>;
export type IncidentMark = z.infer<typeof incidentMark>;

/** The checks that a tag selects, global ones included, according to the node. */
export interface TagChecks {
  tag: string;
  checks: string[];
}

/** A chain's newest height in the last report. */
export interface ChainHeight {
  check: string;
  /** Digits in groups of three. */
  height: string;
  /** Times of the first known run with this height, and of the last run. */
  sinceMs: number;
  ranAtMs: number;
}

export interface NodeStatus {
  node: NodeConfig;
  state: NodeState;
  /** Why the node has this state, in one sentence. */
  reason: string;
  /** The last report received; kept while the node is unreachable. */
  report: HealthReport | null;
  reportAtMs: number | null;
  lastPollAtMs: number | null;
  /** The last poll that found the node unreachable; null for none, or none that is known. */
  silentAtMs: number | null;
  nextPollAtMs: number | null;
  polling: boolean;
  /** Why the last poll got no report. */
  error: AppError | null;
  /** Header `node-id` of the node that is judged. */
  nodeId: string | null;
  /** The ids that answered within the last minutes, where there was more than one: nothing is judged then. Else empty. */
  nodeIds: string[];
  /** The previous `node-id` at this address, if it has changed. */
  previousNodeId: string | null;
  /** Readiness and liveness, asked occasionally; null before that. */
  readiness: ProbeAnswer | null;
  liveness: ProbeAnswer | null;
  /** The result for the user's tags; null without tags or without a report. */
  tagView: TagView | null;
  tagChecks: TagChecks[];
  /** The period at which the node runs its checks; null while it is unknown or not sure. */
  periodMs: number | null;
  /**
   * True: the connection stays open between polls, so that the end of the node is seen at once. False: the server
   * closes it earlier, so that the end is only seen with the next request. Null before the first answer.
   */
  keepsConnection: boolean | null;
  /** Requests and connections that were put off since the start, because the node's budget was used up. */
  heldBackCount: number;
  /** Checks that take far longer than usual: an early warning that never affects the state. */
  slowChecks: { check: string; nowMs: number; usualMs: number }[];
  heights: ChainHeight[];
}

/** The response of one path of the health interface (specification A). */
export interface ProbeAnswer {
  /** `yes`/`no` according to the node. `no-answer`: no usable response; `words` has the reason. */
  says: 'yes' | 'no' | 'no-answer';
  words: string;
  askedAtMs: number;
}

/** The result for the checks that the user's tags select, in addition to the overall one. */
export interface TagView {
  selectedHealthy: boolean;
  /** Tags that select only global checks, and may be mistyped. */
  unmatchedTags: string[];
  words: string;
}

/** Result of testing an address before a node is added. */
export interface NodeProbe {
  get: ProbeAnswer;
  rpc: ProbeAnswer;
  readiness: ProbeAnswer;
  liveness: ProbeAnswer;
  /** Header `node-id`. */
  nodeId: string | null;
  /** Explanations and advice, most important first: host check, interface off, TLS, another node … */
  advice: string[];
  checks: string[];
  /** SHA-256 of the certificate that was shown, if it is not trusted. */
  certificate: string | null;
}

/** A cell of a strip: the state during a span of time. */
export interface StripCell {
  fromMs: number;
  toMs: number;
  /** The worst state seen; `unreachable` for the node only; `none` without data. */
  state: CheckState | 'unreachable' | 'none';
  runs: number;
  failures: number;
  /** First error seen in this `state`; the reason for the node and for unknown cells; null for a pass. */
  error: string | null;
}

/** `check` null is the node as a whole. */
export interface Strip {
  check: string | null;
  cells: StripCell[];
}

// ---- Uptime ----------------------------------------------------------------------------------------------------------

/**
 * Milliseconds of a span by state: known to pass, known to fail, unreachable (node only, as seen from this computer),
 * unknown. They add up to the span.
 */
export interface KnownSums {
  upMs: number;
  downMs: number;
  unreachableMs: number;
  unknownMs: number;
}

/** Sums for a check (null: the node) over a span; the rule is in `docs/uptime.md`. */
export interface StoredUptime extends KnownSums {
  check: string | null;
  /** Runs that were seen, or counted by the node. */
  runs: number;
  failedRuns: number;
}

export interface Uptime extends Omit<StoredUptime, 'check'> {
  scope: 'node' | 'chain' | 'check';
  /** Name of the check or alias of the chain; empty for the node. */
  name: string;
  /** `up / (up + down + unreachable)` in ppm, rounded down; null if more than half of the span is unknown. */
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
  /** Differences from the report before it. */
  differences: FieldDifference[];
  previousAtMs: number | null;
}

/** A changed field of a check. */
export interface FieldDifference {
  check: string;
  /** `state`, `error`, `message.connectedPeers` … */
  field: string;
  /** Its last key as words, without a unit that the values have. */
  label: string;
  /** Formatted with units where known; null where the field did not exist. */
  before: string | null;
  after: string | null;
}

// ---- Incidents -------------------------------------------------------------------------------------------------------

/** How a time is known: a run was seen, the node reported it, it was inferred, or the check is no longer reported. */
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
  /** The check that the others probably follow from: global before chain, then by onset. */
  leadingCheck: string;
  firstError: string | null;
  /** In order of onset. */
  parts: IncidentPart[];
  /** Extreme values during the incident, from decoded messages: `connectedPeers`, `3`. */
  worst: { check: string; label: string; value: string }[];
  /** Names of watched nodes mentioned in its messages that were unreachable during the incident. */
  gone: string[];
  note: string;
}

// ---- Forecasts -------------------------------------------------------------------------------------------------------

/** When a figure in a message will reach a threshold if it goes on as before. Shown only when the fit is good. */
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

/** An opened recording; its id can be used in place of a node's in all queries about the past. */
export interface RecordingInfo {
  id: string;
  nodeName: string;
  fromMs: number;
  toMs: number;
  reportCount: number;
  path: string;
}

/** A node's last raw response, whether a report or not, without secrets that it repeated. */
export interface ReceivedAnswer {
  atMs: number;
  httpStatus: number;
  /** The first part of a long body. */
  body: string;
  /** Of the whole body, in characters. */
  length: number;
}

/** Disk space that one node's history takes. */
export interface HistoryUse {
  nodeId: string;
  bytes: number;
  fromMs: number | null;
  pollCount: number;
}
