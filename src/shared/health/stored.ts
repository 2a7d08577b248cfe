import * as z from 'zod/mini';
import { jsonOrNull } from '../json.ts';

// Schemas of the data stored and recorded for a node; the types in `types.ts` are derived from them.

/**
 * `pending`: not run yet by the node. `unknown`: could not be seen. `stalled`: passing according to the node, but not
 * run for more than three of its periods. None of these is a failure.
 */
export const checkState = z.enum(['pass', 'fail', 'pending', 'unknown', 'stalled']);

/**
 * `starting`: unhealthy, and all checks that do not pass are pending or `bootstrapped`. `stalled`: healthy according to
 * the node, which has stopped running its checks.
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
  /** Problems found in the response, as sentences. */
  notes: z.array(z.string()),
});

// ---- Episodes and notes --------------------------------------------------------------------------------------------------

export const epochMs = z.int().check(z.gte(-8.64e15), z.lte(8.64e15));
const id = z.string().check(z.minLength(1), z.maxLength(200));
export const longestName = 1_000;
export const checkName = z.string().check(z.maxLength(longestName));
const errorText = z.nullable(z.string().check(z.maxLength(100_000)));
export const count = z.int().check(z.gte(0));

/** The most passing runs that a setting can require for a recovery. */
export const mostPasses = 20;

/** Consecutive failures of one check. */
export const failureEpisode = z.object({
  /** Chosen by the writer; writing the same id again replaces the episode. */
  id,
  check: checkName,
  /** First failed run; the node's own `timeOfFirstFailure` when that is earlier than what was seen. */
  startedAtMs: epochMs,
  startKnownFrom: z.enum(['seen', 'node-reported']),
  /**
   * The first passing run seen after it. For an `inferred` end, the latest time at which the check can have passed; for
   * an `unreported` one, the first poll that found the node healthy without the check. Null while it lasts.
   */
  endedAtMs: z.nullable(epochMs),
  /**
   * `inferred`: no passing run was seen, but a new first failure or a smaller count proves one. `unreported`: the node
   * no longer reports the check, so the real end stays unknown.
   */
  endKnownFrom: z.nullable(z.enum(['seen', 'inferred', 'unreported'])),
  /** Failed runs that were seen. */
  failuresSeen: count,
  /** Largest `contiguousFailures` that the node reported. */
  failuresReported: z.nullable(count),
  firstError: errorText,
  lastError: errorText,
  /**
   * Passing runs since its end, until the check failed again; no further than `mostPasses`, which also stands where
   * nothing more can come. Before 0.3.0 they were not stored.
   */
  passes: z._default(count, mostPasses),
});

/**
 * The user's note on the incident that this episode leads. Incidents are computed from episodes and these marks, always
 * in the same way, so that a recording gives the same ones.
 */
export const incidentMark = z.object({ episodeId: id, note: z.string().check(z.maxLength(100_000)) });

/** A run, stored with the first poll that saw it. Its message and duration are in that poll's report. */
export const checkRun = z.strictObject({
  check: checkName,
  state: checkState,
  /** When the node ran the check, or, if it did not say, when it was polled. Equal times mean the same run. */
  ranAtMs: epochMs,
  contiguousFailures: z.nullable(z.int()),
  firstFailureAtMs: z.nullable(epochMs),
  error: errorText,
});

/** A stored poll with the runs that it was the first to see. */
export const recordedPoll = z.object({
  polledAtMs: epochMs,
  state: nodeState,
  reason: z.string().check(z.maxLength(100_000)),
  /** Header `node-id`. */
  reportedNodeId: z.nullable(z.string().check(z.maxLength(1_000))),
  /** The report as JSON, exactly as it was stored. */
  reportJson: z.nullable(z.string()),
  runs: z.array(checkRun),
  /** True for the first one after a time in which nobody looked: a start, a sleep, a pause. */
  isFirst: z.optional(z.boolean()),
});

/** Parses a stored `HealthReport`; null if there is none or it is not valid. */
export function parseStoredReport(reportJson: string | null): z.infer<typeof healthReport> | null {
  return toStoredReport(jsonOrNull((): unknown => JSON.parse(reportJson ?? 'null')));
}

/** Validates a parsed `HealthReport`; null if it is not valid. The caller has limited the nesting. */
export function toStoredReport(value: unknown): z.infer<typeof healthReport> | null {
  const parsed = z.safeParse(healthReport, value);
  return parsed.success ? parsed.data : null;
}
