import type { CheckReport, HealthReport } from '../../../../shared/health/types.ts';
import { inOurTime, nodeTime } from '../ask/node-clock.ts';
import type { Reading } from '../ask/report.ts';
import { learnPhase as learn, type Phase } from '../poll/phase.ts';

/** A reading of a node whose clock is ours. */
export function asOurs(reading: Reading): Reading<HealthReport> {
  return reading.kind === 'report' ? { ...reading, report: inOurTime(reading.report, 0) } : reading;
}

/** `learnPhase`, with the node's times as numbers. */
export function learnPhase(
  phase: Phase | null,
  seen: {
    checks: readonly Pick<CheckReport, 'name' | 'ranAtMs'>[];
    sentMs: number;
    answeredMs: number;
  },
): Phase | null {
  const checks = seen.checks.map(({ name, ranAtMs }) => ({
    name,
    ranAtMs: ranAtMs === null ? null : nodeTime(ranAtMs),
  }));
  return learn(phase, { ...seen, checks });
}
