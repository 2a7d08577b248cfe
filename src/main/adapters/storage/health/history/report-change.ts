import type { NodeState } from '../../../../../shared/health/types.ts';

interface Reported {
  state: NodeState;
  reportJson: string | null;
}

/** Fields that change with every run and say nothing new. */
const timesOfRun = new Set(['ranAtMs', 'durationNs', 'contiguousFailures', 'firstFailureAtMs']);

/** True when a report says something else than the one before it, and not only at another time. */
export function isChanged(before: Reported | null, after: Reported): boolean {
  if (after.reportJson === null) return false;
  if (before === null || before.reportJson === null || before.state !== after.state) return true;
  if (before.reportJson === after.reportJson) return false;
  return withoutTimes(before.reportJson) !== withoutTimes(after.reportJson);
}

function withoutTimes(reportJson: string): string {
  let report: unknown;
  try {
    report = JSON.parse(reportJson);
  } catch {
    // Not a report in JSON: then it is compared as it is.
    return reportJson;
  }
  if (
    typeof report !== 'object' ||
    report === null ||
    !('checks' in report) ||
    !Array.isArray(report.checks)
  ) {
    return reportJson;
  }
  const checks = report.checks.map((check: unknown) =>
    typeof check === 'object' && check !== null
      ? Object.entries(check).filter(([key]) => !timesOfRun.has(key))
      : check,
  );
  return JSON.stringify({ ...report, checks });
}
