import { parseStoredReport } from '../../../../../shared/health/stored.ts';
import type { RecordedPoll } from '../../../../../shared/health/check-run.ts';

type Reported = Pick<RecordedPoll, 'state' | 'reportJson'>;

/** True when a report differs from the one before in more than its times. */
export function isChanged(before: Reported | null, after: Reported): boolean {
  if (after.reportJson === null) return false;
  if (before === null || before.reportJson === null || before.state !== after.state) return true;
  if (before.reportJson === after.reportJson) return false;
  return withoutTimes(before.reportJson) !== withoutTimes(after.reportJson);
}

/** Without what changes with every run and tells nothing new. What is no report stays as it is. */
function withoutTimes(reportJson: string): string {
  const report = parseStoredReport(reportJson);
  if (report === null) return reportJson;
  const checks = report.checks.map(({ name, state, error, message }) => ({ name, state, error, message }));
  return JSON.stringify({ ...report, checks });
}
