import type { NodeState } from '../../../../../shared/health/types.ts';

interface Reported {
  state: NodeState;
  reportJson: string | null;
}

/** Fields that change with every run without new information. */
const timesOfRun = new Set(['ranAtMs', 'durationNs', 'contiguousFailures', 'firstFailureAtMs']);

/** True when a report differs from the one before in more than its times. */
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
    // Not JSON: compared as text.
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
