import * as z from 'zod/mini';

// What is stored and recorded of a node, as the schemas that read it back; the types in `types.ts` are derived from them.

/**
 * `pending`: the node has not run the check yet. `unknown`: we could not see it. `stalled`: the node calls it healthy, but
 * has not run it for more than three of its periods. None of these is a failure.
 */
export const checkState = z.enum(['pass', 'fail', 'pending', 'unknown', 'stalled']);

/**
 * `starting`: not healthy, and every check that does not pass is pending or `bootstrapped`. `stalled`: it answers that it is
 * healthy but does not run its checks.
 */
export const nodeState = z.enum(['healthy', 'unhealthy', 'starting', 'unreachable', 'unknown', 'stalled']);

const timeMs = z.nullable(z.number());

/** One check as the node last reported it (specification, "Node health records"). */
const checkReport = z.object({
  name: z.string(),
  state: checkState,
  /** Plain text from the node. */
  error: z.nullable(z.string()),
  /** Any shape; numbers that a double cannot hold are strings. */
  message: z.json(),
  /** Last run of the check; null when absent, zero or unreadable. */
  ranAtMs: timeMs,
  /** Nanoseconds, as digits. */
  durationNs: z.nullable(z.string().check(z.regex(/^\d+$/))),
  contiguousFailures: z.nullable(z.number()),
  firstFailureAtMs: timeMs,
});

/** One complete answer of a node. */
export const healthReport = z.object({
  healthy: z.boolean(),
  checks: z.array(checkReport),
  /** What was odd about the answer, in words. */
  notes: z.array(z.string()),
});

// ---- Episodes and notes --------------------------------------------------------------------------------------------------

export const epochMs = z.int().check(z.gte(-8.64e15), z.lte(8.64e15));
const id = z.string().check(z.minLength(1), z.maxLength(200));
export const longestName = 1_000;
export const checkName = z.string().check(z.maxLength(longestName));
const errorText = z.nullable(z.string().check(z.maxLength(100_000)));
export const count = z.int().check(z.gte(0));

/** Consecutive failures of one check. */
export const failureEpisode = z.object({
  /** Chosen by who folds; writing the same id again replaces the episode. */
  id,
  check: checkName,
  /** First failed run; the node's own `timeOfFirstFailure` when that is earlier than what was seen. */
  startedAtMs: epochMs,
  startKnownFrom: z.enum(['seen', 'node-reported']),
  /**
   * The first passing run that was seen after it; for an `inferred` end the latest moment at which the check can have
   * passed, for an `unreported` one the first poll that found the node healthy without the check. Null while it lasts.
   */
  endedAtMs: z.nullable(epochMs),
  /**
   * `inferred`: no passing run was seen, but a new first failure or a smaller count proves one. `unreported`: the node
   * reports the check no longer, so nothing more will be known of it.
   */
  endKnownFrom: z.nullable(z.enum(['seen', 'inferred', 'unreported'])),
  /** Failed runs that were seen. */
  failuresSeen: count,
  /** Largest `contiguousFailures` that the node reported. */
  failuresReported: z.nullable(count),
  firstError: errorText,
  lastError: errorText,
});

/**
 * The user's note about the incident that this episode leads. Incidents themselves are computed from episodes and these
 * marks, by one rule, so that a recording rebuilds the same ones.
 */
export const incidentMark = z.object({
  episodeId: id,
  note: z.string().check(z.maxLength(100_000)),
});

/** A run that a poll was the first to see. Its message and how long it took are in the report of the poll. */
export const checkRun = z.strictObject({
  check: checkName,
  state: checkState,
  /** When the node ran the check; when it did not say, when we asked. Runs with the same time are one run. */
  ranAtMs: epochMs,
  contiguousFailures: z.nullable(z.int()),
  firstFailureAtMs: z.nullable(epochMs),
  error: errorText,
});

/** A poll as it is stored, with the runs that it saw first. */
export const recordedPoll = z.object({
  polledAtMs: epochMs,
  state: nodeState,
  reason: z.string().check(z.maxLength(100_000)),
  /** Header `node-id`. */
  reportedNodeId: z.nullable(z.string().check(z.maxLength(1_000))),
  /** The report as JSON, to the byte as it was stored. */
  reportJson: z.nullable(z.string()),
  runs: z.array(checkRun),
});

/** Reads back a `HealthReport` that was stored as JSON; null when it is none. */
export function parseStoredReport(reportJson: string): z.infer<typeof healthReport> | null {
  let value: unknown;
  try {
    value = JSON.parse(reportJson);
  } catch {
    return null;
  }
  return toStoredReport(value);
}

/** A parsed value as a `HealthReport`; null when it is none. Nesting must be limited already. */
export function toStoredReport(value: unknown): z.infer<typeof healthReport> | null {
  const parsed = z.safeParse(healthReport, value);
  return parsed.success ? parsed.data : null;
}
