import type { CheckReport, CheckState } from './types.ts';

/** What one poll saw of one check. */
export interface CheckRun {
  check: string;
  state: CheckState;
  /** When the node ran the check; when it did not say, when we asked. Runs with the same time are one run. */
  ranAtMs: number;
  durationNs: bigint | null;
  contiguousFailures: number | null;
  firstFailureAtMs: number | null;
  error: string | null;
  /** JSON text; null for a message that is null. */
  messageJson: string | null;
}

/** What a report says of a check, as a run of the time. */
export function runOf(check: CheckReport, ranAtMs: number): CheckRun {
  const { name, state, durationNs, contiguousFailures, firstFailureAtMs, error, message } = check;
  return {
    check: name,
    state,
    ranAtMs,
    durationNs: durationNs === null ? null : BigInt(durationNs),
    contiguousFailures,
    firstFailureAtMs,
    error,
    messageJson: message === null ? null : JSON.stringify(message),
  };
}

type CheckResult = Omit<CheckRun, 'check' | 'ranAtMs'>;

/** Whether two results are the same but for the check and the time. */
export function isSameResult(a: CheckResult, b: CheckResult): boolean {
  return (
    a.state === b.state &&
    a.durationNs === b.durationNs &&
    a.contiguousFailures === b.contiguousFailures &&
    a.firstFailureAtMs === b.firstFailureAtMs &&
    a.error === b.error &&
    a.messageJson === b.messageJson
  );
}
