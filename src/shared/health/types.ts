import type { AppError } from '../errors.ts';
import type { Json } from '../json.ts';

export interface NodeConfig {
  id: string;
  name: string;
  /** Base URL of the node, http or https, no trailing slash. */
  url: string;
  intervalMs: number;
  addedAtMs: number;
}

/** `pending`: the node has not run the check yet. `unknown`: we could not see it. Neither is a failure. */
export type CheckState = 'pass' | 'fail' | 'pending' | 'unknown';

/** `starting`: not healthy, and every check that does not pass is pending or `bootstrapped`. */
export type NodeState = 'healthy' | 'unhealthy' | 'starting' | 'unreachable' | 'unknown';

/** One check as the node last reported it (specification, "Node health records"). */
export interface CheckReport {
  name: string;
  state: CheckState;
  /** Plain text from the node. */
  error: string | null;
  /** Any shape; numbers that a double cannot hold are strings. */
  message: Json | null;
  /** Last run of the check; null when absent, zero or unreadable. */
  ranAtMs: number | null;
  /** Nanoseconds, as digits. */
  durationNs: string | null;
  contiguousFailures: number | null;
  firstFailureAtMs: number | null;
}

/** One complete answer of a node. */
export interface HealthReport {
  healthy: boolean;
  checks: CheckReport[];
  /** What was odd about the answer, in words. */
  notes: string[];
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
}

/** One cell of a strip: what is known about a span of time. */
export interface StripCell {
  fromMs: number;
  toMs: number;
  /** The worst that was seen; `none` where nothing was recorded. */
  state: CheckState | 'none';
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

/** Consecutive failures of one check. */
export interface FailureEpisode {
  check: string;
  /** First failed run; the node's own `timeOfFirstFailure` when that is earlier than what was seen. */
  startedAtMs: number;
  startKnownFrom: 'seen' | 'node-reported';
  /**
   * The first passing run that was seen after it; for an `inferred` end the latest moment at which the check can have
   * passed. Null while the episode lasts.
   */
  endedAtMs: number | null;
  /** `inferred`: no passing run was seen, but a new first failure or a smaller count proves one. */
  endKnownFrom: 'seen' | 'inferred' | null;
  /** Failed runs that were seen. */
  failuresSeen: number;
  /** Largest `contiguousFailures` that the node reported. */
  failuresReported: number | null;
  firstError: string | null;
  lastError: string | null;
}
