import type * as z from 'zod/mini';
import type { checkRun, recordedPoll } from './stored.ts';
import type { CheckReport } from './types.ts';

export type CheckRun = z.infer<typeof checkRun>;

export interface RecordedPoll extends Omit<z.infer<typeof recordedPoll>, 'runs'> {
  runs: readonly CheckRun[];
}

/** Converts a check of a report to a run at the given time. */
export function runOf(check: CheckReport, ranAtMs: number): CheckRun {
  const { name, state, contiguousFailures, firstFailureAtMs, error } = check;
  return { check: name, state, ranAtMs, contiguousFailures, firstFailureAtMs, error };
}
