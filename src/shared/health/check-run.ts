import type { CheckReport, CheckState } from './types.ts';

/** A run that a poll was the first to see. Its message and how long it took are in the report of the poll. */
export interface CheckRun {
  check: string;
  state: CheckState;
  /** When the node ran the check; when it did not say, when we asked. Runs with the same time are one run. */
  ranAtMs: number;
  contiguousFailures: number | null;
  firstFailureAtMs: number | null;
  error: string | null;
}

/** What a report says of a check, as a run of the time. */
export function runOf(check: CheckReport, ranAtMs: number): CheckRun {
  const { name, state, contiguousFailures, firstFailureAtMs, error } = check;
  return { check: name, state, ranAtMs, contiguousFailures, firstFailureAtMs, error };
}
