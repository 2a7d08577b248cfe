import * as z from 'zod/mini';
import type { HealthReport } from './types.ts';

const epochMs = z.nullable(z.number());

const reportSchema = z.object({
  healthy: z.boolean(),
  checks: z.array(
    z.object({
      name: z.string(),
      state: z.enum(['pass', 'fail', 'pending', 'unknown', 'stalled']),
      error: z.nullable(z.string()),
      message: z.json(),
      ranAtMs: epochMs,
      durationNs: z.nullable(z.string().check(z.regex(/^\d+$/))),
      contiguousFailures: z.nullable(z.number()),
      firstFailureAtMs: epochMs,
    }),
  ),
  notes: z.array(z.string()),
});

/** Reads back a `HealthReport` that was stored as JSON; null when it is none. */
export function parseStoredReport(reportJson: string): HealthReport | null {
  let value: unknown;
  try {
    value = JSON.parse(reportJson);
  } catch {
    return null;
  }
  return toStoredReport(value);
}

/** A parsed value as a `HealthReport`; null when it is none. Nesting must be limited already. */
export function toStoredReport(value: unknown): HealthReport | null {
  const parsed = z.safeParse(reportSchema, value);
  return parsed.success ? parsed.data : null;
}
